package ulid

import (
	"strings"
	"testing"

	oracle "github.com/oklog/ulid/v2"
)

func TestAsTheLibraryDoes(t *testing.T) {
	for _, ms := range []uint64{0, 1, 1_900_000_000_123, MaxTime} {
		for _, chance := range [][10]byte{{}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, {255, 255, 255, 255, 255, 255, 255, 255, 255, 255}} {
			var want oracle.ULID
			if err := want.SetTime(ms); err != nil {
				t.Fatal(err)
			}
			if err := want.SetEntropy(chance[:]); err != nil {
				t.Fatal(err)
			}
			got := New(ms, chance)
			if got != want.String() {
				t.Errorf("%d: %s, want %s", ms, got, want)
			}
			for _, text := range []string{got, strings.ToLower(got)} {
				if b, err := Parse(text); err != nil || b != [16]byte(want) {
					t.Errorf("%s: %x, %v", text, b, err)
				}
			}
		}
	}
	if New(MaxTime+1, [10]byte{}) != New(MaxTime, [10]byte{}) {
		t.Error("a time beyond the last")
	}
}

func FuzzParse(f *testing.F) {
	f.Add("01JNEXAMP0E000000000000000")
	f.Add("8ZZZZZZZZZZZZZZZZZZZZZZZZZ")
	f.Add("01JNEXAMP0E00000000000000U")
	f.Fuzz(func(t *testing.T, text string) {
		want, wantErr := oracle.ParseStrict(text)
		got, err := Parse(text)
		if (err == nil) != (wantErr == nil) || err == nil && got != [16]byte(want) {
			t.Errorf("%q: %x %v, want %x %v", text, got, err, want, wantErr)
		}
	})
}
