package guard

import (
	"io"
	"strings"

	"github.com/boathook/boathook/internal/lenient"
)

// maxBody bounds what is read of a reply, maxReason what is passed on of its texts: a host's pipe and its user have
// limits too.
const (
	maxBody   = 1 << 20
	maxReason = 4 << 10
)

// readReply reads until the reply's object is complete, so that a server that keeps the connection open is not waited for.
// What came is given with any error.
func readReply(r io.Reader) ([]byte, error) {
	var all []byte
	var scan lenient.Scanner
	buf := make([]byte, 4<<10)
	for len(all) < maxBody {
		n, err := r.Read(buf)
		all = append(all, buf[:n]...)
		if scan.Feed(buf[:n]) || err == io.EOF {
			return all, nil
		}
		if err != nil {
			return all, err
		}
	}
	return all, nil
}

// parse reads a reply leniently: a deny is not to be lost for what stands around it. Of several decisions the strictest
// counts.
func parse(text []byte) Verdict {
	m := lenient.Parse(text).Value.Members()
	v := Verdict{Outcome: "bad_body", Reason: "no decision that is ALLOW, DENY or REVIEW"}
	for _, d := range m.All("decision") {
		if word := strings.ToLower(strings.TrimSpace(d.Text())); rank(word) > rank(v.Outcome) {
			v = Verdict{Outcome: word}
		}
	}
	if !v.Decided() {
		return v
	}
	v.Reason = firstOf(presentable(m.Text("userMessage")), presentable(m.Text("reason")))
	v.Rule = firstOf(presentable(m.Text("matchedRule")), presentable(m.Text("matched_rule")))
	return v
}

func rank(outcome string) int {
	switch outcome {
	case "allow":
		return 1
	case "review":
		return 2
	case "deny":
		return 3
	}
	return 0
}

// presentable cuts a text and takes out what could act on a terminal or turn its direction: a reason is shown to people.
func presentable(s string) string {
	if len(s) > maxReason {
		s = lenient.Cut(s, maxReason) + "…"
	}
	return lenient.Shown(s)
}

func firstOf(texts ...string) string {
	for _, s := range texts {
		if s != "" {
			return s
		}
	}
	return ""
}
