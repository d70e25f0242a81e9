package pending

import (
	"os"
	"path/filepath"
	"strings"
	"time"
)

// passFor is how long the other gates of an agent have to come for a call that passed one.
const passFor = time.Minute

type pass struct {
	Until time.Time `json:"until"`
	Gate  string    `json:"gate"`
}

// Pass remembers that a lifted call passed one gate of its agent; key stands for what it runs.
func (s Store) Pass(key, gate string) {
	if validKey(key) {
		_ = s.write(s.path(key, ".pass"), pass{Until: s.Now().Add(passFor).UTC(), Gate: gate}, false) // then it is asked for again
	}
}

// Passed tells whether a call passed another gate just now, and uses that up.
func (s Store) Passed(key, gate string) bool {
	if !validKey(key) {
		return false
	}
	path := s.path(key, ".pass")
	var p pass
	if err := readJSON(path, &p); err != nil || p.Gate == gate || !s.Now().Before(p.Until) {
		return false
	}
	mine := path + "." + strings.ToLower(newCode())
	if err := os.Rename(path, mine); err != nil {
		return false
	}
	err := readJSON(mine, &p)
	_ = os.Remove(filepath.Clean(mine))
	return err == nil && p.Gate != gate && s.Now().Before(p.Until)
}
