package doctor

import (
	"context"
	"fmt"
	"net"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/boathook/boathook/internal/record"
)

func guardChecks() []Check {
	return []Check{
		{ID: "guard.endpoint", Title: "guard", Run: guardEndpoint},
		{ID: "guard.budget", Title: "guard's budget", Run: guardBudget},
	}
}

func (w *World) guard() target {
	return target{url: w.Settings.Guard.Endpoint, proxy: w.Settings.Guard.Proxy, key: "guard.endpoint", proxyKey: "guard.proxy", trustEnv: w.Settings.TrustEnv}
}

// guardEndpoint connects to the guard. It asks nothing: a question would be one about a tool call.
func guardEndpoint(ctx context.Context, w *World) []Result {
	g, t := w.Settings.Guard, w.guard()
	edit := "edit " + w.configFile() + ": "
	switch {
	case g.Disabled && t.url != "":
		return []Result{warn(edit+"guard.disabled = false", "%s is not asked: guard.disabled = true", Address(t.url))}
	case t.url == "" && g.FailClosed && !g.Disabled:
		return []Result{fail(edit+"guard.endpoint, or guard.fail = \"open\"", "guard.fail = closed and no guard.endpoint is set: every tool call is denied")}
	case t.url == "":
		return info("no remote guard is set: the local policy judges alone")
	case w.Offline:
		return info("%s is not asked (--offline)", Address(t.url))
	}
	took, bad := w.dial(ctx, t)
	if bad != nil {
		if g.FailClosed {
			bad.Text += "; guard.fail = closed, so that every tool call is denied"
		} else {
			bad.Text += "; guard.fail = open, so that every tool call goes on"
		}
		return []Result{*bad}
	}
	out := ok("%s answers the call in %s", Address(t.url), millis(took))
	if took > g.Timeout {
		out = []Result{warn(fmt.Sprintf("%sguard.timeout_ms = %d", edit, 2*took.Milliseconds()), "to connect to %s takes %s, and guard.timeout_ms allows %s in all",
			Address(t.url), millis(took), millis(g.Timeout))}
	}
	if clear(t.url) && g.Token != "" {
		out = append(out, warn(edit+"guard.endpoint = \"https://…\"", "guard.token goes to %s unencrypted", Address(t.url)))
	}
	return out
}

// clear tells whether a URL's content crosses a network unencrypted.
func clear(text string) bool {
	u, err := url.Parse(text)
	if err != nil || u.Scheme != "http" {
		return false
	}
	ip := net.ParseIP(u.Hostname())
	return u.Hostname() != "localhost" && (ip == nil || !ip.IsLoopback())
}

// lastQuestions is how many questions are looked at.
const lastQuestions = 200

// guardBudget goes by what hooks recorded.
func guardBudget(ctx context.Context, w *World) []Result {
	g := w.Settings.Guard
	if g.Endpoint == "" || g.Disabled {
		return nil
	}
	s, err := w.Open(ctx)
	if err != nil {
		return nothingStored(err)
	}
	defer func() { _ = s.Close() }() // it was only read
	asked, err := s.Questions(ctx, lastQuestions)
	if err != nil {
		return storeFailed(w, err)
	}
	if len(asked) == 0 {
		return info("nothing was asked yet")
	}
	return judge(w, asked)
}

func judge(w *World, asked []record.Guard) []Result {
	budget := w.Settings.Guard.Timeout
	_, p95 := Quantiles(asked)
	failed, why := Failures(asked)
	text := fmt.Sprintf("of the last %d questions 95%% took at most %s (guard.timeout_ms = %d)", len(asked), millis(p95), budget.Milliseconds())
	edit := "edit " + w.configFile() + ": guard.timeout_ms"
	switch {
	case failed*20 > len(asked):
		return []Result{warn(edit+", or mend the guard", "%s, and %d had no verdict (%s)", text, failed, why)}
	case p95*5 > budget*4:
		return []Result{warn(edit, "%s: that is close to the limit", text)}
	}
	return ok("%s", text)
}

// Quantiles are the median and the 95th percentile of what questions took.
func Quantiles(asked []record.Guard) (p50, p95 time.Duration) {
	if len(asked) == 0 {
		return 0, 0
	}
	took := make([]float64, 0, len(asked))
	for _, q := range asked {
		took = append(took, q.DurationMS)
	}
	slices.Sort(took)
	at := func(share int) time.Duration {
		return time.Duration(took[min(len(took)-1, len(took)*share/100)] * float64(time.Millisecond))
	}
	return at(50), at(95)
}

// Failures counts the questions without a verdict, and names why.
func Failures(asked []record.Guard) (n int, why string) {
	var reasons []string
	for _, q := range asked {
		switch q.Outcome {
		case "allow", "deny", "review":
			continue
		}
		n++
		if !slices.Contains(reasons, q.Outcome) {
			reasons = append(reasons, q.Outcome)
		}
	}
	slices.Sort(reasons)
	return n, strings.Join(reasons, ", ")
}

func millis(d time.Duration) string {
	return fmt.Sprintf("%.0f ms", float64(d)/float64(time.Millisecond))
}

// Count is a number with its noun.
func Count(n int64, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	if stem, ok := strings.CutSuffix(noun, "ry"); ok {
		noun = stem + "rie"
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
