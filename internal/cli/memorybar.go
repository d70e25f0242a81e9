package cli

import (
	"fmt"
	"strings"
	"time"
)

// bar says how far something long is: on a terminal as a bar, elsewhere as a line now and then. Both go to Stderr.
type bar struct {
	env           *Env
	what          string
	quiet         bool
	started, told time.Time
	shown         bool
}

func newBar(env *Env, what string, quiet bool) *bar {
	return &bar{env: env, what: what, quiet: quiet && !env.IsTerminal, started: env.Now(), told: env.Now()}
}

// How often it says so.
const (
	barEvery  = time.Second / 10
	lineEvery = 10 * time.Second
	barWidth  = 24
)

// tell says that so many of all are done, and so many bytes of all read.
func (b *bar) tell(done, all int, read, bytes int64, now string) {
	at := b.env.Now()
	every := lineEvery
	if b.env.IsTerminal {
		every = barEvery
	}
	if b.quiet || at.Sub(b.told) < every {
		return
	}
	b.told = at
	part := 1.0
	if bytes > 0 {
		part = min(float64(read)/float64(bytes), 1)
	}
	text := fmt.Sprintf("%3.0f %%  %d of %d records of %s, %s of %s", 100*part, done, all, b.what, megabytes(read), megabytes(bytes))
	if now != "" {
		text += "  " + plain(now)
	}
	if !b.env.IsTerminal {
		fmt.Fprintln(b.env.Stderr, text)
		return
	}
	full := int(part * barWidth)
	text = "[" + strings.Repeat("#", full) + strings.Repeat("-", barWidth-full) + "] " + text
	if b.env.Width > 1 {
		text = shorten(text, b.env.Width-1)
	}
	b.shown = true
	fmt.Fprint(b.env.Stderr, "\r"+text+"\x1b[K")
}

func (b *bar) end() {
	if b.shown {
		fmt.Fprint(b.env.Stderr, "\r\x1b[K")
	}
}

func megabytes(n int64) string { return fmt.Sprintf("%.1f MB", float64(n)/1e6) }
