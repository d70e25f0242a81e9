package confedit

import "testing"

// A number that no parser of ours can hold is named with its place, and not in the words of a library.
func TestStrictNamesANumber(t *testing.T) {
	for src, want := range map[string]string{
		`{"n":1e999}`:                                   "1:6: a number that is too large",
		"{\"a\":1,\n\"n\": -1e9999 }":                   "2:6: a number that is too large",
		`{"n":1e99,"m":123456789012345678901234567890}`: "",
	} {
		got := ""
		if err := Strict([]byte(src)); err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%s: %q", src, got)
		}
	}
}
