package remote

import (
	"context"
	"time"

	"github.com/boathook/boathook/internal/version"
)

// Place says where a service is found, and which store is meant.
type Place struct {
	// DataDir is where the worker's service has its socket; empty for none. Exe is this program.
	DataDir, Exe string
	Settings     Settings
	ReadOnly     bool

	// patience is how long the worker's service may take to answer; zero is socketWait.
	patience time.Duration
}

// socketWait is how long the worker's service may take to answer before a service of one's own is started.
const socketWait = 100 * time.Millisecond

// Dial connects to the worker's service, where that answers for the same settings, and else starts a service of its own, which
// ends with the client. Errors are memory.ErrUnavailable, and ErrMissing or ErrVersion where that is why. Neither says anything of
// the database, which is asked by the first call.
func Dial(ctx context.Context, p Place) (*Client, error) { return newClient(ctx, p.dial) }

func (p Place) dial(ctx context.Context) (*link, func(), error) {
	if l := p.overSocket(ctx); l != nil {
		return l, nil, nil
	}
	if err := ctx.Err(); err != nil {
		return nil, nil, err
	}
	program, err := Beside(p.Exe)
	if err != nil {
		return nil, nil, err
	}
	h := p.hello()
	h.Settings = &p.Settings
	c, l, _, err := startAndGreet(ctx, program, p.DataDir, h)
	if err != nil {
		return nil, nil, err
	}
	return l, c.end, nil
}

func (p Place) hello() hello {
	return hello{Protocol: protocol, Version: version.String(), ReadOnly: p.ReadOnly}
}

// overSocket is nil when nobody answers there who serves the same.
func (p Place) overSocket(ctx context.Context) *link {
	if p.DataDir == "" {
		return nil
	}
	patience := socketWait
	if p.patience > 0 {
		patience = p.patience
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	conn, err := connect(ctx, p.DataDir)
	if err != nil {
		return nil
	}
	l := newLink(conn)
	h := p.hello()
	h.Fingerprint = p.Settings.Fingerprint()
	if _, err := l.greet(ctx, h); err != nil {
		l.close()
		return nil
	}
	return l
}
