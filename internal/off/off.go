// Package off is the switch with which a user takes boathook out of the way for a while: the file "off" beside
// config.toml. Hooks read it, 'boathook off' and 'boathook on' write it. It lies where the user's settings lie and nowhere
// else, so that no repository has a say. What cannot be read switches nothing off.
package off

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"time"

	"github.com/boathook/boathook/internal/atomicfile"
	"github.com/boathook/boathook/internal/ownfile"
)

// Version is that of the file's format.
const Version = 1

// File is the name beside config.toml.
const File = "off"

// maxFile bounds what is read: a thousand projects are far less.
const maxFile = 1 << 20

// State is the file's content. A nil All is not off everywhere.
type State struct {
	V        int             `json:"v"`
	All      *Span           `json:"all,omitempty"`
	Projects map[string]Span `json:"projects,omitempty"`
}

// Span is how long something is off. A zero Until is until it is switched on.
type Span struct {
	Since time.Time `json:"since"`
	Until time.Time `json:"until,omitzero"`
	// Uptime is how long the machine had been up at Since, in milliseconds: nobody can set it back.
	Uptime int64 `json:"uptime_ms,omitempty"`
}

// Clock is the time by the calendar, and since the machine started (zero where that cannot be told).
type Clock struct {
	Now time.Time
	Up  time.Duration
}

// At is a clock that shows now.
func At(now time.Time) Clock { return Clock{Now: now, Up: uptime()} }

// Begin is a span from now on; a length of zero has no end.
func (c Clock) Begin(length time.Duration) Span {
	s := Span{Since: c.Now.UTC().Truncate(time.Second), Uptime: c.Up.Milliseconds()}
	if length > 0 {
		s.Until = s.Since.Add(length)
	}
	return s
}

// InForce tells whether a span has not ended. A calendar that was set back ends it at once, or leaves it to the time since
// the machine's start: neither makes it longer than it was given. After a restart that time is shorter than what has
// passed, so that it ends nothing early.
func (s Span) InForce(c Clock) bool {
	if s.Until.IsZero() {
		return true
	}
	length := s.Until.Sub(s.Since)
	passed := c.Now.UTC().Truncate(time.Second).Sub(s.Since)
	if passed < 0 || passed >= length {
		return false
	}
	up := c.Up - time.Duration(s.Uptime)*time.Millisecond
	return s.Uptime == 0 || up < length
}

// Path is the file that belongs to a config; none where that has no fixed place.
func Path(config string) string {
	if !filepath.IsAbs(config) {
		return ""
	}
	return filepath.Join(filepath.Dir(config), File)
}

// Load reads the state beside a config. No file is the zero state. With an error nothing is off.
func Load(config string) (State, error) {
	path := Path(config)
	if path == "" {
		return State{}, nil
	}
	data, err := ownfile.Read(path, config, maxFile)
	if errors.Is(err, fs.ErrNotExist) {
		return State{}, nil
	}
	if err != nil {
		return State{}, fmt.Errorf("read switch: %w", err)
	}
	s, err := Parse(data)
	if err != nil {
		return State{}, fmt.Errorf("read switch %s: %w", path, err)
	}
	return s, nil
}

// Parse reads a file's content.
func Parse(data []byte) (State, error) {
	var s State
	if err := json.Unmarshal(data, &s); err != nil {
		return State{}, errors.New("it is no JSON of boathook's")
	}
	if s.V != Version {
		return State{}, fmt.Errorf("its version is %d, this program knows %d", s.V, Version)
	}
	return s, nil
}

// Save writes the state beside a config in one step, without what has ended; where nothing is left, there is no file. A
// link in the file's place is replaced, never followed.
func Save(config string, s State, c Clock) error {
	path := Path(config)
	if path == "" {
		return errors.New("write switch: the config has no absolute path")
	}
	s = s.Current(c)
	if s.All == nil && len(s.Projects) == 0 {
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("remove switch: %w", err)
		}
		return nil
	}
	s.V = Version
	data, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		return fmt.Errorf("write switch %s: %w", path, err)
	}
	if err := replace(path, append(data, '\n')); err != nil {
		return fmt.Errorf("write switch: %w", err)
	}
	return nil
}

func replace(path string, data []byte) error {
	if err := ownfile.MakeRecorded(filepath.Dir(path)); err != nil {
		return err
	}
	// The name is one that a purge knows for what a killed process left.
	tmp := filepath.Join(filepath.Dir(path), fmt.Sprintf(".%s%s%08x.tmp", File, atomicfile.TempMark, rand.Uint32()))
	f, err := ownfile.Open(tmp, os.O_WRONLY|os.O_CREATE|os.O_EXCL)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err == nil {
		err = atomicfile.Rename(tmp, path)
	}
	if err != nil {
		_ = os.Remove(tmp)
	}
	return err
}

// Current is the state without what has ended.
func (s State) Current(c Clock) State {
	out := State{V: s.V}
	if s.All != nil && s.All.InForce(c) {
		out.All = s.All
	}
	for dir, span := range s.Projects {
		if span.InForce(c) {
			if out.Projects == nil {
				out.Projects = map[string]Span{}
			}
			out.Projects[dir] = span
		}
	}
	return out
}
