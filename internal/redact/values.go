package redact

import (
	"strings"
	"sync"
)

// plainWords are values that stand for a secret, or for the absence of one.
var plainWords = sync.OnceValue(func() map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(`string str text bytes byte bool boolean int integer number float any object unknown varchar
		null nil none true false undefined void yes no on off empty required optional hidden visible disabled enabled
		password passwords passwd pass pw pwd secret secrets token tokens key keys apikey bearer basic digest auth value values
		api client access refresh private github gitlab openai anthropic aws google app db org project id me sk
		name label field input type username user env file stdin prompt default
		to or and is in the a an of for from with if as at by be not must should will can when flag option argument`) {
		m[w] = true
	}
	return m
})

// sampleWords make a value of words an example.
var sampleWords = sync.OnceValue(func() map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(`your my example placeholder changeme change dummy sample fake insert replace todo redacted
		masked hidden here enter xxx some test mock`) {
		m[w] = true
	}
	return m
})

// isPlaceholder says that v refers to a secret or stands for one: $TOKEN, <key>,
// your-api-key, xxxx.
func isPlaceholder(v string) bool {
	v = strings.TrimSpace(v)
	if strings.Trim(v, "xX*.-_…#?•") == "" || isUnscanned(v) {
		return true
	}
	switch first, last := v[0], v[len(v)-1]; {
	case first == '$' && reference(v[1:]),
		first == '%' && (last == '%' || len(v) == 2),
		first == '<' && last == '>',
		first == '{' && last == '}' && !strings.ContainsAny(v, `"'`),
		first == '[' && last == ']' && !strings.ContainsAny(v, `"':`):
		return true
	}
	return sample(v) || blanked(v) || strings.HasPrefix(v, "{{") || strings.HasPrefix(v, "<%") || strings.HasPrefix(v, "process.env.") ||
		strings.HasPrefix(v, "os.environ")
}

// blanked is a known prefix with nothing behind it: ghp_xxxx, sk-….
func blanked(v string) bool {
	kept := strings.TrimRight(v, "xX*.…")
	if len(v)-len(kept) < 3 || len(kept) > 12 || kept == "" {
		return false
	}
	last := kept[len(kept)-1]
	return (last == '-' || last == '_') && !kindsOf(kept).digit
}

// reference is what follows the '$' of a variable: a name, ${…} or $(…).
func reference(v string) bool {
	if v == "" || v[0] == '{' || v[0] == '(' {
		return true
	}
	if strings.HasPrefix(v, "env:") {
		return true
	}
	k := kindsOf(v)
	return sets().word.run(v, 0) == len(v) && !(k.digit && k.lower)
}

// sample is made of plain words only, one of which says that it's an example.
func sample(v string) bool {
	if len(v) > maxKey || kindsOf(v).digit {
		return false
	}
	found := false
	for w := range strings.FieldsFuncSeq(strings.ToLower(v), func(c rune) bool { return c < 'a' || c > 'z' }) {
		example := sampleWords()[w] || strings.Trim(w, "x") == ""
		if !example && !plainWords()[w] {
			return false
		}
		found = found || example
	}
	return found
}

// nameLike says that v is a word or a name rather than a secret: "string",
// "password", "x-api-key", "sha256".
func nameLike(v string) bool {
	if len(v) > maxKey {
		return false
	}
	low := strings.ToLower(v)
	if plainWords()[low] {
		return true
	}
	if typeRoot(low) || versionLike(low) {
		return true
	}
	return !kindsOf(v).digit && classify(v) != keyPlain
}

// versionLike is what a package called jsonwebtoken has for a value: ^9.0.0.
func versionLike(low string) bool {
	low = strings.TrimLeft(low, "^~<>=v ")
	return strings.Contains(low, ".") && strings.Trim(low, "0123456789.") == ""
}

// typeRoot matches type and algorithm names that end in digits.
func typeRoot(low string) bool {
	switch strings.TrimRight(low, "0123456789") {
	case "int", "uint", "float", "complex", "sha", "md", "utf", "base", "hs", "rs", "es", "i", "u", "f", "argon", "sha-", "aes":
		return kindsOf(low).digit
	}
	return false
}

// looksSecret is the test for values whose name proves little: long enough, and
// letters mixed with digits, without being a UUID, a date or a path.
func looksSecret(v string) bool {
	if len(v) < 12 || sets().bearer.run(v, 0) != len(v) {
		return false
	}
	if k := kindsOf(v); !k.digit || !k.letter() || isPlaceholder(v) {
		return false
	}
	return !uuid(v) && !(len(v) > 5 && isDigit(v[0]) && isDigit(v[3]) && v[4] == '-') && !pathLike(v) && !dotted(v)
}

func uuid(v string) bool {
	if len(v) != 36 {
		return false
	}
	for i := range 36 {
		if i == 8 || i == 13 || i == 18 || i == 23 {
			if v[i] != '-' {
				return false
			}
		} else if !isHex(v[i]) {
			return false
		}
	}
	return true
}

// pathLike tells a path or a URL from a secret that happens to hold slashes.
func pathLike(v string) bool {
	if strings.HasPrefix(v, "http://") || strings.HasPrefix(v, "https://") || strings.HasPrefix(v, "./") ||
		strings.HasPrefix(v, "../") || strings.HasPrefix(v, "~/") || strings.HasPrefix(v, "file:") {
		return true
	}
	return strings.HasPrefix(v, "/") && strings.Trim(v, "abcdefghijklmnopqrstuvwxyz0123456789/._-") == ""
}

// dotted is a chain of names in program text: cfg.Auth2.Token.
func dotted(v string) bool {
	if strings.IndexByte(v, '.') < 0 {
		return false
	}
	for p := range strings.SplitSeq(v, ".") {
		if p == "" || !isLetter(p[0]) && p[0] != '_' || sets().word.run(p, 0) != len(p) {
			return false
		}
	}
	return true
}

// identifier is a single name in program text without digits.
func identifier(v string) bool {
	return v != "" && !isDigit(v[0]) && sets().word.run(v, 0) == len(v) && !kindsOf(v).digit
}
