package terms_test

import (
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/boathook/boathook/internal/memory/terms"
)

// wellFormed reports whether a term keeps to the alphabet that the stores rely on.
func wellFormed(term string) bool {
	if term == "" || len(term) > terms.MaxLength || !utf8.ValidString(term) {
		return false
	}
	for _, r := range term {
		if r < utf8.RuneSelf {
			if (r < 'a' || r > 'z') && (r < '0' || r > '9') {
				return false
			}
			continue
		}
		if r == '·' || !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.Is(unicode.M, r) {
			return false
		}
	}
	return true
}

func FuzzTerms(f *testing.F) {
	for _, s := range []string{
		"How did we fix ECONNREFUSED in internal/memory/rank.go:42?", "git rebase --dry-run -v", `C:\Users\kim`, "v1.2.3 fac1cbc9912ab std::x C++ C#",
		"redis를 재시작했더니 배포가 실패했지", "naïve café ＦＵＬＬ", "データ移行 か\u3099 \u1107\u1162\u11ab", "\xff\x00\u202e'’s", "..//--__::''", "İıſẞ ǅ ﬁ ᾳ",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		all := terms.Of(text)
		if len(all) > terms.MaxTerms || len(all) > 4*len(text)+1 {
			t.Errorf("%d terms of %d bytes", len(all), len(text))
		}
		for _, term := range all {
			if !wellFormed(term) {
				t.Fatalf("the term %q", term)
			}
		}
		asked := terms.Query(text)
		sorted := slices.Clone(asked)
		slices.Sort(sorted)
		if len(asked) > terms.MaxQuery || len(slices.Compact(sorted)) != len(asked) {
			t.Errorf("a question of %d terms, %q", len(asked), asked)
		}
		for _, term := range asked {
			if !wellFormed(term) {
				t.Fatalf("the term %q", term)
			}
		}
		if again := terms.Of(text); !slices.Equal(all, again) {
			t.Errorf("%q, then %q", all, again)
		}
		if utf8.ValidString(text) && !slices.Equal(terms.Of(text+" zq"), append(slices.Clone(all), "zq")) && len(all) < terms.MaxTerms && !strings.HasSuffix(text, "c") {
			t.Errorf("a word behind it changes the terms of %q", text)
		}
	})
}
