// Package produce knows what common commands print, where that can be told without running them: echo, printf, cat, base64 -d.
package produce

import "github.com/boathook/boathook/internal/shellcmd/word"

// Output is what a command writes to its standard output; its parts that are not known are word.Unknown. Input is c.Stdin. ok is
// false for a program whose output is not known at all.
func Output(c word.Command) (out word.Data, ok bool) {
	return word.Data{}, false
}
