package spool

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/boathook/boathook/internal/atomicfile"
	"github.com/boathook/boathook/internal/lock"
	"github.com/boathook/boathook/internal/ownfile"
)

// droppedName is the file that Enforce appends to. TakeDropped renames it to droppedName + "." + token.
const droppedName = "dropped"

// Dropped is what the cap removed since the last time that it was taken. Whoever stores it stores Token with it, in one
// transaction, and ignores a token that is stored already: then a crash at any point neither loses nor doubles a count.
type Dropped struct {
	Count int64
	Bytes int64
	Token string
	// Sizes has each event's bytes by its id: the worker may have stored one just before it was removed.
	Sizes map[string]int64
}

// TakeDropped sets aside and sums what Enforce counted. The same sum, with the same token, comes again until
// ForgetDropped. A zero Token means that there is nothing.
func (s Spool) TakeDropped() (Dropped, error) {
	if err := s.straight(); err != nil {
		return Dropped{}, fmt.Errorf("take dropped counts %s: %w", s.Dir, err)
	}
	l, err := lock.TryLock(s.path("", lockName))
	if errors.Is(err, lock.ErrHeld) || errors.Is(err, fs.ErrNotExist) {
		return Dropped{}, nil // the next pass takes it
	}
	if err != nil {
		return Dropped{}, fmt.Errorf("take dropped counts %s: %w", s.Dir, err)
	}
	defer func() { _ = l.Unlock() }()
	token, err := s.setAside()
	if err != nil || token == "" {
		return Dropped{}, err
	}
	d, err := s.sum(token)
	if err != nil {
		return Dropped{}, fmt.Errorf("take dropped counts %s: %w", s.Dir, err)
	}
	return d, nil
}

// ForgetDropped removes what TakeDropped set aside, once it is stored.
func (s Spool) ForgetDropped(d Dropped) error {
	if d.Token == "" {
		return nil
	}
	if err := os.Remove(s.path("", droppedName+"."+d.Token)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("forget dropped counts %s: %w", s.Dir, err)
	}
	return nil
}

// setAside returns the token of the counts set aside: those of an interrupted take, else the new ones.
func (s Spool) setAside() (token string, err error) {
	names, err := s.list("")
	if err != nil {
		return "", fmt.Errorf("list spool %s: %w", s.Dir, err)
	}
	slices.Sort(names)
	for _, name := range names {
		if token, ok := strings.CutPrefix(name, droppedName+"."); ok {
			return token, nil
		}
	}
	if !slices.Contains(names, droppedName) {
		return "", nil
	}
	token = fmt.Sprintf("%016x%016x", rand.Uint64(), rand.Uint64())
	from := s.path("", droppedName)
	if err := atomicfile.Rename(from, from+"."+token); err != nil {
		return "", fmt.Errorf("set aside dropped counts %s: %w", s.Dir, err)
	}
	return token, nil
}

// sum counts each id once, and none whose file is still there: Enforce was killed before it removed that one.
func (s Spool) sum(token string) (Dropped, error) {
	f, err := ownfile.Open(s.path("", droppedName+"."+token), os.O_RDONLY)
	if err != nil {
		return Dropped{}, err
	}
	defer f.Close()
	d := Dropped{Token: token, Sizes: map[string]int64{}}
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		id, size, ok := parseDropped(lines.Text())
		if _, seen := d.Sizes[id]; !ok || seen {
			continue
		}
		if _, err := os.Lstat(s.path("new", id+suffix)); err == nil {
			continue
		}
		d.Sizes[id] = size
		d.Count++
		d.Bytes += size
	}
	return d, lines.Err()
}

func parseDropped(line string) (id string, size int64, ok bool) {
	id, digits, ok := strings.Cut(line, " ")
	if !ok || !isULID(id) {
		return "", 0, false
	}
	size, err := strconv.ParseInt(digits, 10, 64)
	return id, size, err == nil && size >= 0
}
