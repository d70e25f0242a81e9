package cli

import (
	"context"
	"fmt"
	"os"
	"os/user"

	"github.com/boathook/boathook/internal/memory/audit"
	"github.com/boathook/boathook/internal/pending"
	"github.com/boathook/boathook/internal/redact"
)

// audit writes into the log of memory who did what: what isn't written there isn't done. The query is masked here.
func (w *memoryWork) audit(env *Env, e audit.Entry) error {
	e.Time, e.Via, e.Who = env.Now(), "cli", account()
	look := env.Under
	if look == nil {
		look = func() (string, int, bool) { return pending.UnderAgent(env.LookupEnv, os.Getpid(), pending.System()) }
	}
	if agent, _, under := look(); under {
		e.Agent = agent
	}
	mask, _ := redact.New(redactOf(w.settings.Redact)) // doctor tells of patterns that don't work
	e.Query = mask.Text(e.Query, true, map[string]int{})
	if err := (audit.Log{Dir: w.dir}).Add(e); err != nil {
		return exitWith(exitFailed, fmt.Errorf("%w; what is looked for in memory has to be in its log", err))
	}
	return nil
}

// account is whose process this is.
func account() string {
	uid := os.Getuid()
	if u, err := user.Current(); err == nil {
		return fmt.Sprintf("%s (%s)", u.Username, u.Uid)
	}
	return fmt.Sprint(uid)
}

// masked is a text without secrets, as it may be shown and kept.
func (w *memoryWork) masked(text string) string {
	mask, _ := redact.New(redactOf(w.settings.Redact)) // as above
	return mask.Text(text, true, map[string]int{})
}

// embedded is a question's vector by the configured embedder. Without one there is none; where it fails the person is told.
func (w *memoryWork) embedded(ctx context.Context, env *Env, text string) (vector []float32, model, outcome string) {
	e, err := newEmbedder(w.settings)
	if err != nil || e == nil {
		if err != nil {
			env.warn(err.Error() + "; only keywords are looked for")
			return nil, "", "failed"
		}
		return nil, "", "none"
	}
	defer e.Close()
	ctx, cancel := context.WithTimeout(ctx, embedPatience)
	defer cancel()
	vector, err = e.Query(ctx, w.masked(text))
	if err != nil {
		env.warn(err.Error() + "; only keywords are looked for")
		return nil, "", "failed"
	}
	return vector, e.Model(), "ok"
}
