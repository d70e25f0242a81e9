package terms

import "sync"

// isStop reports whether a word is left out: of texts those that say nothing by themselves, of questions also those that only make
// it a question.
func isStop(w []byte, query bool) bool {
	if len(w) > 10 {
		return false
	}
	return stops()[string(w)] || query && questionWords()[string(w)]
}

// isFiller reports whether a question of such words alone asks for nothing.
func isFiller(w string) bool { return fillers()[w] }

var stops = sync.OnceValue(func() map[string]bool {
	return set(`a an the and or but nor if then else of to in on at by for with from into onto as than that this these those there here
is am are was were be been being it its he she they them their theirs his her hers we us our ours you your yours me my mine i
do does did doing done have has had having will would shall should can could may might must so such not no too very just also
dont doesnt didnt isnt arent wasnt werent cant couldnt wont wouldnt shouldnt hasnt havent hadnt im ive
youre youve theyre weve thats lets`)
})

var questionWords = sync.OnceValue(func() map[string]bool {
	return set(`what whats when where which who whom whose why how again about any some all both each few more most other own same
before after during while until between out off over under once only ever never always already still yet because since
please tell show give find know knew think want wanted need needed help let get got make made use used go went come came
remember recall remind said say says told earlier previously previous last time ago back thing things something anything way
actually really maybe much many lot happen happened happens end ended try tried`)
})

var fillers = sync.OnceValue(func() map[string]bool {
	return set(`continue continued proceed ahead yes yeah yep ok okay no nope sure thanks thank thx ty great good nice perfect cool fine
hello hi hey bye next done right correct exactly agreed agree lgtm go on keep going resume start stop wait now please do it more
again well awesome excellent alright understood got proceeding carry sounds looks`)
})
