// Package pending keeps the calls that the local policy denied, so that a person can lift one, once, and so that a session which
// goes on trying is noticed. The hook writes them, 'boathook pending' and 'boathook allow-once' read them. One file a call below the
// data directory; nothing of it is on the way of a call that is not denied. It must not import net, os/exec or database/sql.
package pending

import (
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/boathook/boathook/internal/ownfile"
)

// Store is the folder of denied calls. All of it may be used concurrently, by any number of processes.
type Store struct {
	// Dir is the data directory.
	Dir string
	Now func() time.Time
}

// Entry is one denied call. Texts in it are masked.
type Entry struct {
	// Code is what a person lifts it by. It must not be shown where a model reads.
	Code string `json:"code"`
	// Key stands for the exact call: a keyed hash.
	Key    string `json:"key"`
	Agent  string `json:"agent"`
	Tool   string `json:"tool"`
	What   string `json:"what,omitempty"`
	CWD    string `json:"cwd,omitempty"`
	Rule   string `json:"rule,omitempty"`
	Reason string `json:"reason,omitempty"`
	// Locked says that nobody but who wrote the policy can lift it: an organisation's rule, or boathook's self-protection.
	Locked bool `json:"locked,omitempty"`
	// Sessions count how often each session was denied it; the keys are keyed hashes.
	Sessions map[string]int `json:"sessions,omitempty"`
	First    time.Time      `json:"first"`
	Last     time.Time      `json:"last"`
	// Until is when a lifted call is denied again; zero where nobody lifted it.
	Until time.Time `json:"until,omitzero"`
}

// What is kept: a call that was not lifted within a day was not missed.
const (
	keepFor     = 24 * time.Hour
	maxEntries  = 200
	maxSessions = 16
	maxFile     = 64 << 10
	maxText     = 300
)

// The errors of Allow.
var (
	ErrUnknown = errors.New("no denied call has this code")
	ErrLocked  = errors.New("this call can't be lifted: the rule is an organisation's, or protects boathook itself")
)

func (s Store) dir() string { return filepath.Join(s.Dir, "pending") }

func (s Store) path(key, kind string) string { return filepath.Join(s.dir(), key+kind) }

// validKey keeps a name within the folder.
func validKey(key string) bool {
	return len(key) >= 16 && len(key) <= 64 && strings.Trim(key, "0123456789abcdef") == ""
}

// Deny keeps a denied call, and tells how often the session was denied it. Of one that is kept already the code stays.
func (s Store) Deny(e Entry, session string) (times int, err error) {
	if !validKey(e.Key) {
		return 0, errors.New("keep a denied call: it has no key")
	}
	now := s.Now().UTC()
	path := s.path(e.Key, ".json")
	old, oldErr := s.read(path)
	fresh := oldErr != nil || now.Sub(old.Last) > keepFor
	if fresh {
		if err := ownfile.MkdirAll(s.dir()); err != nil {
			return 0, fmt.Errorf("keep a denied call: %w", err)
		}
		s.prune()
		if oldErr == nil {
			_ = os.Remove(s.path(e.Key, ".times")) // what was denied long ago is not tried again and again
		}
		e.Code, e.First, e.Sessions = newCode(), now, map[string]int{}
	} else {
		e.Code, e.First, e.Sessions = old.Code, old.First, old.Sessions
	}
	if e.Sessions == nil || len(e.Sessions) >= maxSessions && e.Sessions[session] == 0 {
		e.Sessions = map[string]int{}
	}
	e.Sessions[session] = s.count(e.Key, session, e.Sessions[session])
	e.Last, e.Until = now, time.Time{}
	e.What, e.Reason, e.CWD = cut(e.What), cut(e.Reason), cut(e.CWD)
	if err := s.write(path, e, fresh && errors.Is(oldErr, fs.ErrNotExist)); err != nil {
		return 0, fmt.Errorf("keep a denied call: %w", err)
	}
	return e.Sessions[session], nil
}

// List has the calls that are kept, the last one first.
func (s Store) List() ([]Entry, error) {
	names, err := os.ReadDir(s.dir())
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("list denied calls: %w", err)
	}
	var out []Entry
	for _, n := range names {
		if len(out) > 2*maxEntries {
			break
		}
		key, found := strings.CutSuffix(n.Name(), ".json")
		if !found || !validKey(key) {
			continue
		}
		e, err := s.read(s.path(key, ".json"))
		if err != nil || e.Key != key || s.Now().Sub(e.Last) > keepFor {
			continue
		}
		if until, err := s.lifted(s.path(key, ".allow")); err == nil && s.Now().Before(until) {
			e.Until = until
		}
		out = append(out, e)
	}
	slices.SortFunc(out, func(a, b Entry) int { return b.Last.Compare(a.Last) })
	return out, nil
}

// Allow lifts the call of a code: the very same call of the same agent passes once, within the time that is given.
func (s Store) Allow(code string, within time.Duration) (Entry, error) {
	all, err := s.List()
	if err != nil {
		return Entry{}, err
	}
	code = strings.ToUpper(strings.TrimSpace(code))
	i := slices.IndexFunc(all, func(e Entry) bool { return code != "" && e.Code == code })
	if i < 0 {
		return Entry{}, ErrUnknown
	}
	e := all[i]
	if e.Locked {
		return e, ErrLocked
	}
	e.Until = s.Now().Add(within).UTC()
	if err := s.write(s.path(e.Key, ".allow"), lift{Until: e.Until}, false); err != nil {
		return e, fmt.Errorf("lift a denied call: %w", err)
	}
	return e, nil
}

// Consume tells whether a person has lifted a call, and uses that up: of any number of processes that ask, one is told so.
func (s Store) Consume(key string) bool {
	if !validKey(key) {
		return false
	}
	path := s.path(key, ".allow")
	if _, err := os.Lstat(path); err != nil {
		return false // as nearly always
	}
	mine := path + "." + strings.ToLower(newCode())
	if err := os.Rename(path, mine); err != nil {
		return false // another was quicker
	}
	until, err := s.lifted(mine)
	_ = os.Remove(mine) // it counts for nothing under this name
	if err != nil || !s.Now().Before(until) {
		return false
	}
	_ = os.Remove(s.path(key, ".json"))
	_ = os.Remove(s.path(key, ".times"))
	return true
}

type lift struct {
	Until time.Time `json:"until"`
}

func (s Store) lifted(path string) (time.Time, error) {
	var l lift
	err := readJSON(path, &l)
	return l.Until, err
}

func (s Store) read(path string) (Entry, error) {
	var e Entry
	err := readJSON(path, &e)
	return e, err
}

func readJSON(path string, v any) error {
	text, err := ownfile.Read(path, filepath.Dir(path), maxFile)
	if err != nil {
		return err
	}
	return json.Unmarshal(text, v)
}

// write makes a file aside and moves it into place. A first one must not replace one that another process made meanwhile: a
// person may have been shown its code.
func (s Store) write(path string, v any, first bool) error {
	text, err := json.Marshal(v)
	if err != nil {
		return err
	}
	tmp := path + "." + strings.ToLower(newCode())
	f, err := ownfile.Open(tmp, os.O_WRONLY|os.O_CREATE|os.O_EXCL)
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err == nil && first {
		if err = os.Link(tmp, path); errors.Is(err, fs.ErrExist) {
			err = nil // the other's is as good
		} else if err != nil {
			first, err = false, nil // a filesystem without links
		}
	}
	if err == nil && !first {
		if err = os.Rename(tmp, path); err == nil {
			return nil
		}
	}
	_ = os.Remove(tmp)
	return err
}

// prune removes what is too old, and the oldest entries where there are too many. What a person lifted stays: a session must not get
// rid of that by being denied a lot.
func (s Store) prune() {
	names, err := os.ReadDir(s.dir())
	if err != nil {
		return
	}
	type file struct {
		name string
		at   time.Time
	}
	var kept []file
	for _, n := range names {
		info, err := n.Info()
		if err != nil {
			continue
		}
		if age := time.Since(info.ModTime()); age > 2*keepFor {
			_ = os.Remove(filepath.Join(s.dir(), n.Name()))
			continue
		}
		if strings.HasSuffix(n.Name(), ".json") {
			kept = append(kept, file{n.Name(), info.ModTime()})
		}
	}
	if len(kept) < maxEntries {
		return
	}
	slices.SortFunc(kept, func(a, b file) int { return a.at.Compare(b.at) })
	for _, f := range kept[:len(kept)-maxEntries+1] {
		_ = os.Remove(filepath.Join(s.dir(), f.name))
		_ = os.Remove(filepath.Join(s.dir(), strings.TrimSuffix(f.name, ".json")+".times"))
	}
}

// newCode is eight letters and digits that nobody guesses: 40 bits, of which a person types no more than one.
func newCode() string {
	const alphabet = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789" // nothing that reads like something else
	var b [8]byte
	_, _ = rand.Read(b[:]) // never fails since Go 1.24
	for i := range b {
		b[i] = alphabet[b[i]%byte(len(alphabet))]
	}
	return string(b[:])
}

func cut(s string) string {
	if runes := []rune(s); len(runes) > maxText {
		return string(runes[:maxText]) + "…"
	}
	return s
}
