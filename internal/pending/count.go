package pending

import (
	"os"
	"strings"

	"github.com/boathook/boathook/internal/ownfile"
)

// maxTimes bounds the file in which the denials of one call are counted, in bytes.
const maxTimes = 32 << 10

// count counts one more denial of a call in a session, and tells how many there were. Each is a line at the end of a file: of
// processes that come at once none takes another's away. known is what stands where that file can't be had.
func (s Store) count(key, session string, known int) int {
	path := s.path(key, ".times")
	line := session[:min(len(session), 16)] + "\n"
	f, err := ownfile.Open(path, os.O_WRONLY|os.O_CREATE|os.O_APPEND)
	if err != nil {
		return known + 1
	}
	full := false
	if info, err := f.Stat(); err == nil {
		full = info.Size() >= maxTimes
	}
	if !full {
		_, err = f.WriteString(line)
	}
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	text, readErr := ownfile.Read(path, s.dir(), 2*maxTimes)
	if err != nil || readErr != nil || full {
		return known + 1
	}
	times := 0
	for l := range strings.Lines(string(text)) {
		if l == line {
			times++
		}
	}
	return max(times, known+1)
}
