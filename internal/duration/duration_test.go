package duration

import (
	"testing"
	"time"
)

func TestParse(t *testing.T) {
	for text, want := range map[string]time.Duration{
		"90s": 90 * time.Second, "15m": 15 * time.Minute, "1h30m": 90 * time.Minute, "2d": 48 * time.Hour, "1w": 168 * time.Hour,
		"1d12h": 36 * time.Hour, "1w2d": 216 * time.Hour, "0": 0, "0s": 0, "1.5h": 90 * time.Minute, "250ms": 250 * time.Millisecond,
	} {
		if got, ok := Parse(text); !ok || got != want {
			t.Errorf("%s: %v, %t", text, got, ok)
		}
	}
	for _, text := range []string{"", "d", "1", "-1h", "-2d", "1h-2m", "1d-3h", "70000d", "65535w", "2 d", "1y", "d1", "99999999999h", "1.5d"} {
		if got, ok := Parse(text); ok {
			t.Errorf("%q is taken for %v", text, got)
		}
	}
}

func TestText(t *testing.T) {
	for d, want := range map[time.Duration]string{
		0: "0 s", time.Microsecond: "1 ms", 250 * time.Millisecond: "250 ms", 45 * time.Second: "45 s", 90 * time.Second: "1 min 30 s",
		2 * time.Minute: "2 min", 59*time.Minute + 58*time.Second: "59 min", time.Hour: "1 h", 90 * time.Minute: "1 h 30 min",
		48 * time.Hour: "2 d", 51*time.Hour + 59*time.Minute: "2 d 3 h", -time.Minute: "-1 min",
	} {
		if got := Text(d); got != want {
			t.Errorf("%v: %q, want %q", d, got, want)
		}
	}
}

func TestTyped(t *testing.T) {
	for d, want := range map[time.Duration]string{
		0: "0s", 30 * time.Second: "30s", 5 * time.Minute: "5m", 90 * time.Minute: "1h30m", time.Hour: "1h", 48 * time.Hour: "2d",
		10*time.Minute + 10*time.Second: "10m10s",
	} {
		if got := Typed(d); got != want {
			t.Errorf("%v: %q, want %q", d, got, want)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add("1w2d3h4m5s")
	f.Add("11122w")
	f.Add("100000d1h")
	f.Fuzz(func(t *testing.T, text string) {
		d, ok := Parse(text)
		if !ok {
			return
		}
		if d < 0 {
			t.Errorf("%q is %v", text, d)
		}
		if back, ok := Parse(Typed(d)); !ok || back != d {
			t.Errorf("%q is %v, and %s is %v", text, d, Typed(d), back)
		}
	})
}

func TestAgo(t *testing.T) {
	now := time.Unix(1_700_000_000, 0)
	for d, want := range map[time.Duration]string{
		0: "just now", 900 * time.Millisecond: "just now", 5 * time.Second: "5 s ago", 90 * time.Second: "1 min 30 s ago",
		51 * time.Hour: "2 d 3 h ago", -time.Hour: "in the future", -time.Millisecond: "just now",
	} {
		if got := Ago(now, now.Add(-d)); got != want {
			t.Errorf("%v: %s, want %s", d, got, want)
		}
	}
	if got := Ago(now, time.Time{}); got != "never" {
		t.Error(got)
	}
}
