package inert

import "strings"

// ordered tells whether a line gives a model an order.
func ordered(f string) bool {
	spaced := strings.ReplaceAll(f, "_", " ")
	for _, phrase := range phrases() {
		if strings.Contains(spaced, phrase) {
			return true
		}
	}
	words := split(f)
	return setsAside(words) || addressed(words) || setsAsideUnspaced(f)
}

// near is how many words or, where there are no blanks between them, characters may stand between the parts of an order.
const (
	near         = 7
	longestVerb  = 24 // in bytes: what is longer is a name
	nearUnspaced = 30
)

// split are the words of a line. A name of a program's is one, unless it has as many parts as a sentence.
func split(f string) []string {
	var out []string
	for _, w := range strings.FieldsFunc(f, func(r rune) bool {
		return r < 0x80 && !strings.ContainsRune("'-_", r) && (r < '0' || r > '9') && (r < 'a' || r > 'z')
	}) {
		w = strings.Trim(w, "'-_")
		if strings.Count(w, "_")+strings.Count(w, "-") >= 3 {
			out = append(out, strings.FieldsFunc(w, func(r rune) bool { return r == '_' || r == '-' })...)
		} else if w != "" {
			out = append(out, w)
		}
	}
	return out
}

// setsAside tells whether what a model was told is to count no more: ignore … instructions, in the languages that write blanks.
func setsAside(words []string) bool {
	for i, w := range words {
		if len(w) > longestVerb || !begins(w, "ignor", "disregard", "forget", "overrid", "bypass", "neglect", "abandon", "discard", "unlearn", "supersede", "drop", "skip", "void",
			"olvid", "oubli", "vergiss", "vergess", "missacht", "dimentic", "esquec", "desconsider", "negeer", "игнорир", "забуд", "abaik", "zignoruj") {
			continue
		}
		from, to := max(0, i-near), min(len(words), i+near+1)
		told, said := false, false
		for _, other := range words[from:to] {
			told = told || begins(other, "instruct", "instruc", "instruk", "instruz", "istruz", "anweisung", "consigne", "prompt", "guideline", "directive", "directriz", "diretriz",
				"инструкц", "указани", "instructies", "programming", "safeguard", "guardrail")
			said = said || begins(other, "rule", "order", "context", "constraint", "restriction", "polic", "message", "training", "regel", "regla", "règle", "regle", "правил", "everything")
		}
		if w == "ignorecase" {
			continue
		}
		// Who tells of something that ignores nothing says so in another form.
		tells := begins(w, "ignoring", "ignored", "ignores", "overrid", "overriding", "bypassing", "bypassed") && w != "override"
		strong := begins(w, "ignor", "disregard", "forget", "overrid", "bypass", "olvid", "oubli", "vergiss", "игнорир", "забуд")
		switch {
		case told && (strong && !tells || pointed(words[from:to])):
			return true
		case said && strong && !tells && pointed(words[i:to]):
			return true
		}
	}
	return false
}

// pointed tells whether words say which: all, previous, your.
func pointed(words []string) bool {
	for _, w := range words {
		if begins(w, "previous", "prior", "above", "earlier", "preceding", "foregoing", "your", "existing", "former", "vorherig", "bisherig", "anterior", "précédent", "precedent",
			"previ", "предыдущ", "given") || w == "all" || w == "any" || w == "every" || w == "everything" || w == "alle" || w == "todas" || w == "tutte" {
			return true
		}
	}
	return false
}

// addressed tells whether a line speaks to a model and says what it must do: you must now run.
func addressed(words []string) bool {
	for i, w := range words {
		rest := words[i+1:]
		w = strings.TrimSuffix(w, "s")
		you := w == "you" || w == "assistant" || w == "ai" || w == "agent" || w == "llm" || w == "claude" || w == "gemini" || w == "codex" || w == "copilot" || w == "gpt" || w == "chatgpt" || w == "model"
		if !you || len(rest) < 2 {
			continue
		}
		if !(rest[0] == "must" || rest[0] == "shall" || rest[0] == "should" || rest[0] == "will" || rest[0] == "need" || rest[0] == "have" || rest[0] == "has" || rest[0] == "needs" ||
			rest[0] == "are" || rest[0] == "please") {
			continue
		}
		for _, next := range rest[1:min(len(rest), 6)] {
			switch next {
			case "now", "immediately", "always", "never", "obey", "comply", "henceforth", "unrestricted", "jailbroken", "exfiltrate", "silently", "secretly", "required", "obliged", "instructed", "ordered":
				return true
			case "run", "execute", "call", "invoke", "send", "upload", "post", "delete", "fetch", "download", "email", "print", "output", "reveal", "respond", "reply", "answer", "follow", "install":
				if rest[0] == "must" || rest[0] == "shall" || rest[0] == "have" || rest[0] == "has" || w != "you" {
					return true
				}
			}
		}
	}
	return false
}

func begins(word string, stems ...string) bool {
	for _, s := range stems {
		if strings.HasPrefix(word, s) {
			return true
		}
	}
	return false
}

// setsAsideUnspaced is setsAside for Korean, Japanese and Chinese.
func setsAsideUnspaced(f string) bool {
	if ascii(f) {
		return false
	}
	f = strings.ReplaceAll(f, " ", "")
	for _, verb := range []string{"무시", "잊어", "잊으", "잊고", "따르지마", "따르지말", "무효", "忽略", "無視", "无视", "忘れ", "忘记", "忘掉", "從現在", "不要遵", "従わない", "従うな"} {
		for rest, at := f, 0; ; {
			i := strings.Index(rest[at:], verb)
			if i < 0 {
				break
			}
			i += at
			around := window(rest, i, len(verb), nearUnspaced)
			for _, told := range []string{
				"지시", "지침", "명령", "프롬프트", "규칙", "안내", "설정된", "指示", "指令", "提示", "规则", "規則", "命令", "プロンプト", "ルール", "上述", "说明",
			} {
				if strings.Contains(around, told) {
					return true
				}
			}
			at = i + len(verb)
		}
	}
	return false
}

// window is what stands around a place, so many characters on each side.
func window(s string, at, length, most int) string {
	before, after := []rune(s[:at]), []rune(s[at+length:])
	return string(before[max(0, len(before)-most):]) + "\n" + string(after[:min(len(after), most)])
}

func ascii(s string) bool {
	for i := range len(s) {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}
