package eval

import "strings"

// scenario is a story as corpus/data.txt has it: "== name language", "fix: one end ;; another", "topic: what it is about ;; in
// other words", the turns ("u: ", "a: ", "t: command
// => output"; a digit behind the letter labels a turn that answers questions), and the questions ("q kind labels: text").
type scenario struct {
	name  string
	fixes []string
	// topics are how an answer may name what it is about.
	topics    []string
	korean    bool
	turns     []line
	questions []ask
}

type line struct{ role, label, text string }

type ask struct {
	kind string
	gold []string
	text string
}

type project struct {
	name  string
	order []string
	lists map[string][]string
}

func parseScenarios(text string) []scenario {
	var out []scenario
	for _, row := range rows(text) {
		if name, ok := strings.CutPrefix(row, "== "); ok {
			name, language, _ := strings.Cut(name, " ")
			out = append(out, scenario{name: name, korean: language != "en"})
			continue
		}
		s := &out[len(out)-1]
		head, rest, _ := strings.Cut(row, ": ")
		switch {
		case head == "fix":
			s.fixes = strings.Split(rest, " ;; ")
		case head == "topic":
			s.topics = strings.Split(rest, " ;; ")
		case strings.HasPrefix(head, "q "):
			f := strings.Fields(head)
			s.questions = append(s.questions, ask{kind: f[1], gold: strings.Split(f[2], ","), text: rest})
		default:
			s.turns = append(s.turns, parseTurn(head, rest))
		}
	}
	return out
}

func parseTurns(text string) []line {
	var out []line
	for _, row := range rows(text) {
		head, rest, _ := strings.Cut(row, ": ")
		out = append(out, parseTurn(head, rest))
	}
	return out
}

func parseTurn(head, text string) line {
	role := map[byte]string{'u': "user", 'a': "assistant", 't': "tool"}[head[0]]
	if role == "tool" {
		command, output, _ := strings.Cut(text, " => ")
		text = "$ " + command + "\n" + output
	}
	return line{role: role, label: head[1:], text: text}
}

func parseProjects(text string) []*project {
	var out []*project
	for _, row := range rows(text) {
		if name, ok := strings.CutPrefix(row, "== "); ok {
			out = append(out, &project{name: name, lists: map[string][]string{}})
			continue
		}
		p := out[len(out)-1]
		name, values, _ := strings.Cut(row, ": ")
		p.order = append(p.order, name)
		p.lists[name] = strings.Fields(values)
	}
	return out
}

func rows(text string) []string {
	var out []string
	for row := range strings.Lines(text) {
		if row = strings.TrimSpace(row); row != "" {
			out = append(out, row)
		}
	}
	return out
}
