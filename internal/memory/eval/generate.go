package eval

import (
	_ "embed" // the corpus's sentences
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Seed is that of the corpus which the gate is measured on.
const Seed = 20261130

//go:embed corpus/data.txt
var scenarioText string

//go:embed corpus/projects.txt
var projectText string

//go:embed corpus/filler.txt
var fillerText string

// Generate makes a corpus: sessions of several projects, each of which tells of an incident, a change or a search for a fault, with
// other talk between; and questions about them. The same stories happen in several projects, with other names, numbers and ends, some
// twice in one. The same seed always gives the same.
func Generate(seed uint64) ([]Turn, []Question) {
	g := &generator{rng: rand.New(rand.NewPCG(seed, seed)), filler: parseTurns(fillerText)}
	stories, projects := parseScenarios(scenarioText), parseProjects(projectText)
	for n, s := range stories {
		order := g.rng.Perm(len(projects))
		for i, p := range order[:2+g.rng.IntN(2)] {
			twins := 1
			if i == 0 && n%3 == 0 {
				twins = 2
			}
			var first map[string]string
			for t := range twins {
				slots := g.slots(projects[p])
				for first != nil && (slots["svc"] == first["svc"] || slots["fn"] == first["fn"]) {
					slots = g.slots(projects[p])
				}
				first = slots
				g.session(projects[p], s, slots, i+t, twins > 1)
			}
		}
	}
	for _, p := range projects {
		g.session(p, scenario{name: "talk"}, nil, 0, false)
		g.session(p, scenario{name: "talk"}, nil, 1, false)
	}
	return g.turns, g.questions
}

type generator struct {
	rng       *rand.Rand
	filler    []line
	turns     []Turn
	questions []Question
	sessions  int
}

// session lets a story happen in a project, for the n-th time; of twins only those questions are asked that name one of the two.
func (g *generator) session(p *project, s scenario, slots map[string]string, n int, twin bool) {
	g.sessions++
	id := fmt.Sprintf("s%03d", g.sessions)
	if len(s.fixes) > 0 {
		slots["fix"] = g.fill(s.fixes[n%len(s.fixes)], slots)
	}
	when := time.Date(2026, 2, 1, 9, 0, 0, 0, time.UTC).Add(time.Duration(g.rng.IntN(120*24)) * time.Hour)
	gold := map[string]string{}
	count := 0
	say := func(l line, slots map[string]string) {
		count++
		when = when.Add(time.Duration(5+g.rng.IntN(85)) * time.Second)
		t := Turn{Session: id, Project: p.name, ID: fmt.Sprintf("%s-%02d", id, count), Role: l.role, TS: when, Text: g.fill(l.text, slots)}
		if l.label != "" {
			gold[l.label] = t.ID
		}
		g.turns = append(g.turns, t)
	}
	chatter := func() {
		from := g.rng.IntN(len(g.filler))
		for g.filler[from].role != "user" {
			from--
		}
		other := g.slots(p)
		for at := from; at == from || at < len(g.filler) && g.filler[at].role != "user"; at++ {
			say(g.filler[at], other)
		}
	}
	if len(s.turns) == 0 {
		for range 5 {
			chatter()
		}
		return
	}
	for _, l := range s.turns {
		if l.role == "user" && g.rng.IntN(4) == 0 {
			chatter()
		}
		if l.role == "assistant" && l.label != "" && g.rng.IntN(2) == 0 {
			l.text = g.subject(s) + l.text
		}
		say(l, slots)
	}
	g.ask(p, s, slots, gold, twin)
}

// subject begins an answer as agents often do, with what it is about. The other half of the answers don't.
func (g *generator) subject(s scenario) string {
	topic := s.topics[g.rng.IntN(len(s.topics))]
	forms := []string{"About %s: ", "I looked into %s. ", "%s, in short: "}
	if s.korean {
		forms = []string{"%s 건입니다. ", "%s 확인 결과: ", "요약(%s): "}
	}
	return fmt.Sprintf(forms[g.rng.IntN(len(forms))], topic)
}

func (g *generator) ask(p *project, s scenario, slots, gold map[string]string, twin bool) {
	for _, q := range s.questions {
		if twin && !names(q.text) {
			continue
		}
		one := Question{Question: g.fill(q.text, slots), Project: p.name, Kind: q.kind}
		for _, label := range q.gold {
			one.Gold = append(one.Gold, gold[label])
		}
		g.questions = append(g.questions, one)
	}
}

// names reports whether a question names the service, the function or something else of which a session has its own.
func names(text string) bool {
	return slices.ContainsFunc([]string{"{svc}", "{fn}", "{sha}"}, func(slot string) bool { return strings.Contains(text, slot) })
}

// slots are the names and numbers of one session.
func (g *generator) slots(p *project) map[string]string {
	out := map[string]string{
		"n":    strconv.Itoa(11 + g.rng.IntN(80)),
		"port": strconv.Itoa(8000 + g.rng.IntN(1000)),
		"ver":  fmt.Sprintf("%d.%d.%d", 1+g.rng.IntN(8), g.rng.IntN(20), g.rng.IntN(10)),
		"sha":  fmt.Sprintf("%07x", 0x1000000+g.rng.IntN(0xe000000)),
		"":     "",
	}
	for _, name := range p.order {
		out[name] = p.lists[name][g.rng.IntN(len(p.lists[name]))]
	}
	return out
}

// fill puts the slots' values into a text, and takes one of [[these|those]].
func (g *generator) fill(text string, slots map[string]string) string {
	for {
		before, rest, ok := strings.Cut(text, "[[")
		if !ok {
			break
		}
		choice, after, _ := strings.Cut(rest, "]]")
		all := strings.Split(choice, "|")
		text = before + all[g.rng.IntN(len(all))] + after
	}
	var b strings.Builder
	for {
		before, rest, ok := strings.Cut(text, "{")
		b.WriteString(before)
		if !ok {
			return b.String()
		}
		name, after, closed := strings.Cut(rest, "}")
		if value, known := slots[name]; closed && known {
			b.WriteString(value)
			text = after
			continue
		}
		b.WriteString("{")
		text = rest
	}
}
