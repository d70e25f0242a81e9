// Package remote is a memory store in another process: boathook-memory, which links what would slow each hook down. Client is a
// memory.Store that asks it, Server answers for any memory.Store. Between them go frames, over the pipes of a child or over a unix
// socket in the data directory, whose other end the worker keeps (Keep).
//
// A connection begins with a hello. Over pipes it carries the settings, connection string included; over the socket only their
// fingerprint, so that a service is never asked for another's rows. Both programs are of one version, or say so.
package remote

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"

	"github.com/boathook/boathook/internal/memory"
)

// protocol is the version of the frames and of what is in them.
const protocol = 1

// The names of what the service has in the data directory: its socket, the same while it is made, and the lock that is held
// by whoever serves there.
const (
	SocketFile = "memory.sock"
	newSocket  = ".memory.sock"
	LockFile   = "memory.lock"
)

// Program is the name of the executable that serves, beside boathook's own.
const Program = "boathook-memory"

var (
	// ErrMissing says that the second program is not there. It comes with memory.ErrUnavailable.
	ErrMissing = errors.New(Program + " is missing")
	// ErrVersion says that the two programs are of different versions. It comes with memory.ErrUnavailable.
	ErrVersion = errors.New("boathook and " + Program + " are of different versions")
)

// errOther says that a service serves other settings than those that were meant, errGone that a connection has ended.
var (
	errOther = errors.New("the memory service serves other settings")
	errGone  = errors.New("the connection to the memory service has ended")
)

// Settings say which store is served.
type Settings struct {
	// DSN is PostgreSQL's connection string, a secret.
	DSN string `json:"dsn"`
	// Tenant is whose rows they are, where a login has several.
	Tenant string `json:"tenant,omitempty"`
}

// Fingerprint tells settings apart without telling them.
func (s Settings) Fingerprint() string {
	text, _ := json.Marshal(s) // strings alone
	sum := sha256.Sum256(append([]byte("boathook memory settings\n"), text...))
	return hex.EncodeToString(sum[:])
}

// hello is the first thing that is said on a connection.
type hello struct {
	Protocol int    `json:"protocol"`
	Version  string `json:"version"`
	// Settings are given over pipes, Fingerprint elsewhere.
	Settings    *Settings `json:"settings,omitempty"`
	Fingerprint string    `json:"fingerprint,omitempty"`
	// Listen is the data directory in whose socket others shall be answered, too.
	Listen string `json:"listen,omitempty"`
	// ReadOnly has the connection refuse whatever would change a row.
	ReadOnly bool `json:"read_only,omitempty"`
}

// welcome is the answer.
type welcome struct {
	Protocol int    `json:"protocol"`
	Version  string `json:"version"`
	// Note is what a person should know: why there is no socket.
	Note string `json:"note,omitempty"`
}

// unavailable joins an error with memory.ErrUnavailable, which says to try later.
func unavailable(err error) error {
	if err == nil || errors.Is(err, memory.ErrUnavailable) {
		return err
	}
	return &classified{text: err.Error(), is: []error{memory.ErrUnavailable}, cause: err}
}
