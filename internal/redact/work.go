package redact

import "strconv"

// maxSteps is what one call of JSON may cost: about a second of a slow machine,
// many times what a payload of ordinary text takes.
const maxSteps = 144 << 20

// stringSteps is what a string costs however short it is.
const stringSteps = 40

// What judging costs besides its bytes: a name, a value, a group of digits, a hit.
const (
	classSteps = 8
	judgeSteps = 40
	groupSteps = 4
	hitSteps   = 16
)

// work is shared by all that one call looks at: what it has cost so far, and a
// private key that is spread over several strings.
type work struct {
	steps, budget int
	again         bool // all of it was looked at before
	key           openKey
}

// spent says that nothing more is looked at.
func (w *work) spent() bool { return w.steps > w.budget }

const unscannedOpen = "[UNSCANNED:"

// unscanned stands for a text of n bytes that nobody has looked at.
func unscanned(n int) string { return unscannedOpen + strconv.Itoa(n) + "]" }

// isUnscanned recognises such a note, which is neither a secret nor a cost.
func isUnscanned(s string) bool {
	n := len(s) - 1
	return n > len(unscannedOpen) && n < len(unscannedOpen)+truncatedDigit && s[:len(unscannedOpen)] == unscannedOpen && s[n] == ']' &&
		digitRun(s[len(unscannedOpen):]) == n-len(unscannedOpen)
}

// lastRun remembers the end of a run of bytes, so that looking from each of many
// places of one run costs its length once.
type lastRun struct {
	set       *charset
	from, end int
}

// runEnd is set.run for sets that hold the separators of token prefixes.
func (sc *scanner) runEnd(set *charset, i int) int {
	slot := &sc.runs[0]
	for k := range sc.runs {
		if sc.runs[k].set == set {
			slot = &sc.runs[k]
			if i >= slot.from && i < slot.end {
				return slot.end
			}
			break
		}
		if sc.runs[k].set == nil {
			slot = &sc.runs[k]
			break
		}
	}
	end := set.run(sc.s, i)
	sc.steps += end - i
	*slot = lastRun{set, i, end}
	return end
}

// nextOf is the place of the first text at or after i, found once for many i.
type nextOf struct {
	at    int
	known bool
}

func (n *nextOf) find(sc *scanner, i int, text string) int {
	if !n.known || n.at < i {
		n.at, n.known = sc.index(i, text), true
	}
	return n.at
}
