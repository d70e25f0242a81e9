// Package inert makes stored text harmless as reference data in a model's context. What was stored may have been written by anybody:
// a web page that an agent read, an issue, a program's output. It becomes one line without anything that acts on a terminal, on
// Markdown, on markup or on a chat's structure, and without lines that read like instructions to a model. Commands and code stay
// readable. It knows nothing of where the text goes, and reads nothing but what it is given.
package inert

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// What of a text is looked at, and of each of its lines.
const (
	maxInput = 64 << 10
	maxLine  = 2 << 10
	maxLines = 100
)

// Between stands where a line ended.
const Between = " ⏎ "

// Line is a text as one harmless line of at most so many bytes, which ends with an ellipsis where more was there. Dropped counts the
// lines that were left out since they read like instructions to a model, or imitate what is around them. What comes too late in the
// text to be in the line is not looked at.
func Line(text string, most int) (line string, dropped int) {
	if most < len("…") {
		return "", 0
	}
	text, more := cut(text, maxInput)
	var kept []string
	size, seen := 0, 0
	for one := range strings.Lines(breaks(text)) {
		if seen++; size > most || seen > maxLines {
			more = true
			break
		}
		one, long := cut(one, maxLine)
		clean := strings.TrimSpace(visible(one))
		if clean == "" || ruled(clean) {
			continue
		}
		if long {
			clean += "…"
		}
		kept = append(kept, clean)
		size += len(clean)
	}
	if suspect(kept) {
		kept, dropped = sound(kept)
	}
	n := 0
	for _, one := range kept {
		if one = strings.TrimSpace(plain(one)); one != "" {
			kept[n] = one
			n++
		}
	}
	line, cutShort := cut(strings.Join(kept[:n], Between), most)
	if line != "" && (more || cutShort) {
		line, _ = cut(line, most-len("…"))
		line = strings.TrimRight(line, " ") + "…"
	}
	return line, dropped
}

// suspect tells quickly of nearly all texts that nothing has to be dropped.
func suspect(lines []string) bool {
	for _, one := range lines {
		if role(fold(one)) {
			return true
		}
	}
	whole := strings.Join(lines, " ")
	if Instructs(whole) {
		return true
	}
	return len(lines) > 1 && Instructs(strings.Join(lines, "")) // it may have been broken within a word
}

// sound drops lines, and neighbours that only together read like an instruction: the sentence may have been broken anywhere.
func sound(lines []string) (kept []string, dropped int) {
	const passes = 3
	for range passes {
		bad := marked(lines)
		kept = nil
		for i, line := range lines {
			if !bad[i] {
				kept = append(kept, line)
			}
		}
		if len(kept) == len(lines) {
			if suspect(kept) { // only all of it together does
				break
			}
			return kept, dropped
		}
		dropped += len(lines) - len(kept)
		lines = kept // what stood apart may be together now
	}
	if suspect(kept) {
		return nil, dropped + len(kept)
	}
	return kept, dropped
}

func marked(lines []string) []bool {
	const window = 4
	bad := make([]bool, len(lines))
	for n := 1; n <= window; n++ { // the shortest first: what stands beside it is innocent
		for i := 0; i+n <= len(lines); i++ {
			if slices.Contains(bad[i:i+n], true) {
				continue
			}
			if Instructs(strings.Join(lines[i:i+n], " ")) || n > 1 && Instructs(strings.Join(lines[i:i+n], "")) {
				for j := range n {
					bad[i+j] = true
				}
			}
		}
	}
	return bad
}

// breaks are one kind of line break for all that some program takes for one.
func breaks(text string) string {
	if !strings.ContainsAny(text, "\r\v\f\u0085\u2028\u2029") {
		return text
	}
	return strings.NewReplacer("\r\n", "\n", "\r", "\n", "\v", "\n", "\f", "\n", "\u0085", "\n", "\u2028", "\n", "\u2029", "\n").Replace(text)
}

// cut is at most the first bytes of a text, whole characters of it.
func cut(text string, most int) (string, bool) {
	if len(text) <= most {
		return text, false
	}
	most = max(most, 0)
	for most > 0 && !utf8.RuneStart(text[most]) {
		most--
	}
	return text[:most], true
}

// ruled tells whether a line is only drawn: the underline of a heading, a rule, a fence without a word.
func ruled(line string) bool { return strings.Trim(line, "-=_*~`#>+| \t") == "" }
