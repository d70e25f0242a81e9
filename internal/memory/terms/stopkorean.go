package terms

import "sync"

// longestEnding is how many syllables the longest one of the particles and endings has.
const longestEnding = 5

// koreanParticles are what is glued to a noun.
var koreanParticles = sync.OnceValue(func() map[string]bool { return set(particles) })

const particles = `을 를 이 가 은 는 에 의 도 만 로 으로 와 과 랑 이랑 나 이나 에서 에게 한테 께 까지 부터 처럼 보다 마다 조차 밖에 에는 에도 에만 에서는
에서도 에서만 으로는 으로도 로는 로도 로만 와는 과는 이라 라 이라고 라고 이라는 라는 이란 란 하고 이고 고 의해 에서의 으로의 로의 까지는 부터는
인데 이면 면 이지만 입니다 이에요 예요 이야 야 인가 인지 이었 였 이었던 였던 에다 에다가 한테서 에게서 로부터 으로부터 이라도 라도 이든 든 대로 같은 같이 들 들이 들을 들은 들의`

// koreanEndings are particles, and the endings of verbs that are made of a noun.
var koreanEndings = sync.OnceValue(func() map[string]bool {
	out := set(particles)
	for w := range set(`하다 하는 하고 하면 하면서 하지 하기 하려면 하려고 하려 하던 하니 하니까 하나 하나요 하는지 하는데 하는게 하자 하네 하게 합니다 합니까
한 한다 한다면 한테 할 할까 할까요 할때 할지 함 했 했다 했던 했어 했어요 했지 했지요 했나 했나요 했는지 했는데 했더라 했더니 했었 했었지 했었나 했었던 했음 했을 했고
했습니다 했습니까 했으면 했었어 했었는데 해 해서 해야 해도 해요 해줘 해주세요 해봐 해볼까 해라 했던가 했던거 했던게 했을까
되는 되고 되면 되지 되던 되나 되나요 되는지 되는데 된 된다 될 될까 됨 됐 됐다 됐던 됐어 됐지 됐나 됐는지 됐는데 됐더라 됐고 됐었 됐었지 됐습니다 되었 되었다 되었던 되었나 되었는지
되었지 돼 돼서 돼요 됩니다 되어 되지 되네
시킨 시켰 시켰던 시켰지 시켰어 시켰나 시키는 시키면 시키고 시켜 시켜서 당한 당했 났던 났지 났어 났는데 났을 났나 나는 나던 나서 났었 났었지 났다 나면 난
인가 인가요 이었나 이었지 였나 였지 이었어 였어 였더라 이었더라 이지 지 던 던데 네 네요 요 죠 이죠`) {
		out[w] = true
	}
	return out
})

// koreanStops are words of a question that say only that it is one, and what nearly every text has.
var koreanStops = sync.OnceValue(func() map[string]bool {
	return set(`왜 뭐 뭐가 뭐를 뭘 뭐야 뭐였지 뭐였더라 뭐였어 뭐지 뭔가 무엇 무엇을 무엇이 무엇인가 무슨 어떤 어떻게 어떡해 어디 어디서 어디에 어디였지 어디였더라 어디에서 언제 언제였지 누가 누구 누구였지 얼마
얼마나 몇 어느 그때 그 저 이 그거 그게 그건 그걸 저거 이거 이게 이건 이걸 것 것이 것을 것은 거 게 건 걸 거야 거지 거였지 거였더라 거였어 수 때 때는 때도 때문에 때문 중 중에 좀 더 또 다시 한번 지난 지난번 지난번에 저번 저번에
예전 예전에 이전 이전에 전에 아까 옛날 최근 최근에 했어 했지 했나 했더라 했었지 했었나 했던 했는지 했는데 했습니다 했나요 하는 하고 하면 하지 한 할 해 해서 해야 해줘 됐어 됐지 됐나 됐더라 됐는지 되는 된 될 되나 돼 되었지
있어 있나 있는 있었어 있었지 있었나 있었던 있었는데 있었더라 있다 있을까 있는지 있었는지 없어 없나 없는 알려줘 알려주세요 알려 말해줘 보여줘 찾아줘 찾아 기억나 기억나니 기억해 기억 알아 아는 싶어 주세요 줘 봐 그리고 그런데 근데 그래서
그러면 그럼 혹시 우리 우리가 내가 나 너 저희 제가 및 등 로 으로 은 는 이 가 을 를 에 의 와 과 도 같은 같아 같은데 위해 위한 대해 대한 관련 관련해서 했다 한다 하다 된다 되다 였지 였더라 이었지 맞지 맞아 건지 건가 거예요 건데 났던 났지 났어 났는데 났을 났나 났더라 나는데 나던 나온 나왔던 나왔지 나오는 썼던 썼지 쓰던 쓴 쓰는 쓸 겪은 겪었던 써줘 써주세요 작성해줘 짜줘 만들어줘 만들어 설명해줘 고쳐줘 해봐줘 골라줘 정리해줘 부탁해줘`)
})

// koreanFillers ask for nothing when they stand alone.
var koreanFillers = sync.OnceValue(func() map[string]bool {
	return set(`계속 계속해 계속해줘 계속하자 계속해서 진행 진행해 진행해줘 진행하자 고마워 고마워요 고맙습니다 감사 감사합니다 감사해요 네 넵 예 응 어 아니 아니요 아니오 그래 그래요 좋아 좋아요 좋습니다 좋네 굿 오케이 오키 확인 확인했어
확인했습니다 알겠어 알겠습니다 알았어 다음 다음으로 시작 시작해 시작하자 멈춰 잠깐 잠시만 완벽해 훌륭해 수고 수고했어 수고하셨습니다 안녕 안녕하세요 이어서 이어서해줘 마저 가자 부탁해 부탁합니다 부탁드립니다 응응 ㅇㅇ 맞아 맞습니다`)
})
