package recall

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/boathook/boathook/internal/record"
)

// Review is a block that a person has to approve before a model is told it. All texts in it are masked and harmless.
type Review struct {
	// Code is what a person approves it by.
	Code    string `json:"code"`
	Agent   string `json:"agent"`
	Project string `json:"project,omitempty"`
	// Asked is the beginning of the prompt, where it may be kept.
	Asked string    `json:"asked,omitempty"`
	Time  time.Time `json:"time"`
	Block string    `json:"block"`
	// Recall is what the record of the event says in which it is told.
	Recall record.Recall `json:"recall"`
	// Approved says that it is told at the session's next event that can.
	Approved bool `json:"approved,omitempty"`
}

// ErrNoReview is the error of Approve and Reject for a code that nothing has.
var ErrNoReview = errors.New("nothing that waits has this code")

// maxHeld is how many blocks of one session wait at most: the oldest goes.
const maxHeld = 5

func pendingDir(data string) string { return filepath.Join(data, Dir, "pending") }

func (b Book) pendingDir() string { return pendingDir(b.Data) }

// Hold keeps a block until a person has approved it.
func (b Book) Hold(session string, r Review) error {
	name, err := b.name(session)
	if err != nil {
		return err
	}
	r.Code, r.Time, r.Approved = newCode(), b.Now().UTC(), false
	if mine := b.of(name, ".held"); len(mine) >= maxHeld {
		for _, path := range mine[:len(mine)-maxHeld+1] {
			_ = os.Remove(path)
		}
	}
	return write(filepath.Join(b.pendingDir(), name+"-"+r.Code+".held"), r)
}

// of are a session's files of a kind, the oldest first.
func (b Book) of(name, kind string) []string {
	names, err := os.ReadDir(b.pendingDir())
	if err != nil {
		return nil
	}
	type file struct {
		path string
		at   time.Time
	}
	var files []file
	for _, n := range names {
		if strings.HasPrefix(n.Name(), name+"-") && filepath.Ext(n.Name()) == kind {
			if info, err := n.Info(); err == nil {
				files = append(files, file{filepath.Join(b.pendingDir(), n.Name()), info.ModTime()})
			}
		}
	}
	slices.SortFunc(files, func(a, b file) int { return a.at.Compare(b.at) })
	out := make([]string, len(files))
	for i := range files {
		out[i] = files[i].path
	}
	return out
}

// Approved gives a block of the session that a person approved, once.
func (b Book) Approved(session string) (Review, bool) {
	name, err := b.name(session)
	if err != nil {
		return Review{}, false
	}
	for _, path := range b.of(name, ".ok") {
		var r Review
		if take(path, &r) && b.Now().Sub(r.Time) < keepText && r.Block != "" {
			return r, true
		}
	}
	return Review{}, false
}

// Pending lists what waits in a data directory, the newest first: for a person's approval, and, approved, for the next event.
func Pending(data string, now time.Time) ([]Review, error) {
	names, err := os.ReadDir(pendingDir(data))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("list what waits for approval: %w", err)
	}
	var out []Review
	for _, n := range names {
		kind := filepath.Ext(n.Name())
		if kind != ".held" && kind != ".ok" {
			continue
		}
		var r Review
		if read(filepath.Join(pendingDir(data), n.Name()), &r) != nil || now.Sub(r.Time) > keepText {
			continue
		}
		r.Approved = kind == ".ok"
		out = append(out, r)
	}
	slices.SortFunc(out, func(a, b Review) int { return b.Time.Compare(a.Time) })
	return out, nil
}

// Approve has a block told at the session's next event that can. It must not be called for an agent: what a model may approve itself
// nobody has reviewed.
func Approve(data, code string) error {
	path, err := held(data, code)
	if err != nil {
		return err
	}
	if err := os.Rename(path, strings.TrimSuffix(path, ".held")+".ok"); err != nil {
		return fmt.Errorf("approve %s: %w", code, err)
	}
	return nil
}

// Reject removes a block. Its items are not offered to the session again.
func Reject(data, code string) error {
	path, err := held(data, code)
	if err != nil {
		return err
	}
	if err := os.Remove(path); err != nil {
		return fmt.Errorf("reject %s: %w", code, err)
	}
	return nil
}

func held(data, code string) (string, error) {
	code = strings.ToUpper(strings.TrimSpace(code))
	names, err := os.ReadDir(pendingDir(data))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("find %s: %w", code, err)
	}
	for _, n := range names {
		if code != "" && strings.HasSuffix(n.Name(), "-"+code+".held") {
			return filepath.Join(pendingDir(data), n.Name()), nil
		}
	}
	return "", ErrNoReview
}

// newCode is 6 characters that are not mistaken for one another.
func newCode() string {
	const alphabet = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
	var b [6]byte
	_, _ = rand.Read(b[:]) // never fails since Go 1.24
	for i := range b {
		b[i] = alphabet[int(b[i])%len(alphabet)]
	}
	return string(b[:])
}
