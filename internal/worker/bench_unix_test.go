//go:build unix

package worker

import (
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/boathook/boathook/hook/canon"
	"github.com/boathook/boathook/internal/record"
)

// BenchmarkDrain stores spooled events as hooks write them: payloads of about 2 KB, whose records have twice that.
func BenchmarkDrain(b *testing.B) {
	const events = 10_000
	for b.Loop() {
		b.StopTimer()
		o := options(b)
		o.Log = slog.New(slog.NewTextHandler(io.Discard, nil))
		spoolLarge(b, o, events)
		b.StartTimer()
		start, cpu := time.Now(), cpuTime(b)
		s, err := Drain(b.Context(), o)
		must(b, err)
		if s.Stored != events {
			b.Fatalf("drained %+v", s)
		}
		b.ReportMetric(events/time.Since(start).Seconds(), "events/s")
		b.ReportMetric(float64((cpuTime(b)-cpu).Microseconds())/events, "cpu-µs/event")
	}
}

// BenchmarkBacklog has a process of its own take a hundred thousand events from the spool through the store to a sink: how
// fast, and with how much memory at most.
func BenchmarkBacklog(b *testing.B) {
	const events = 100_000
	for b.Loop() {
		b.StopTimer()
		o := options(b)
		spoolLarge(b, o, events)
		cmd := exec.Command(os.Args[0], "sending-worker", "--data", o.DataDir)
		b.StartTimer()
		start := time.Now()
		out, err := cmd.CombinedOutput()
		if err != nil {
			b.Fatalf("%v: %s", err, out)
		}
		b.ReportMetric(events/time.Since(start).Seconds(), "events/s")
		u := cmd.ProcessState.SysUsage().(*syscall.Rusage)
		b.ReportMetric(float64((u.Utime.Nano()+u.Stime.Nano())/1000)/events, "cpu-µs/event")
		b.ReportMetric(float64(u.Maxrss)/1024, "max-MB")
		o.Sinks = []Sink{&testSink{name: "a"}}
		if left, err := Look(b.Context(), o); err != nil || left.Any() {
			b.Fatalf("left %+v, %v", left, err)
		}
	}
}

// cpuTime is what this process has used of all cores: it says what the drain costs on a machine that has more to do.
func cpuTime(b testing.TB) time.Duration {
	b.Helper()
	var u syscall.Rusage
	must(b, syscall.Getrusage(syscall.RUSAGE_SELF, &u))
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// largeEvent is the n-th of events of 40 sessions at once, in turns of a prompt, calls and a stop.
func largeEvent(b testing.TB, n int) []byte {
	b.Helper()
	r := record.Record{
		V: record.Version,
		Event: canon.Event{
			ID: id(n), Time: time.Unix(1_700_000_000, int64(n)*1e6).UTC(), Agent: "gemini", SessionID: fmt.Sprint("session-", n%40),
			CWD: "/home/user/shop", Project: "/home/user/shop", SpanID: fmt.Sprintf("%016x", n+1),
		},
		Decision: record.Decision{Action: canon.Allow, Expressed: canon.Allow, Source: "remote_guard"},
		Guard:    &record.Guard{Outcome: "allow", DurationMS: 3.25},
		Hook:     record.Hook{Version: "0.2.0", LatencyMS: 7.5, PayloadBytes: 2048},
	}
	step := n / 40 % 6
	r.Event.Event = []canon.Kind{canon.PromptSubmit, canon.ToolBefore, canon.ToolAfter, canon.ToolBefore, canon.ToolAfter, canon.AgentStop}[step]
	r.HostEvent = []string{"BeforeAgent", "BeforeTool", "AfterTool", "BeforeTool", "AfterTool", "AfterAgent"}[step]
	input, err := json.Marshal(map[string]string{"command": strings.Repeat("grep -rn \"price\" ./src | sort\n", 56)})
	must(b, err)
	r.Raw = json.RawMessage(fmt.Sprintf(`{"session_id":%q,"cwd":"/home/user/shop","hook_event_name":%q,"tool_name":"run_shell_command","tool_input":%s}`,
		r.SessionID, r.HostEvent, input))
	if step > 0 && step < 5 {
		r.Tool = &canon.Tool{
			Name: "bash", HostName: "run_shell_command", Kind: "shell", Input: input, InputHash: fmt.Sprintf("%064x", n/40/2*40+n%40),
		}
	} else {
		r.Prompt = string(input)
	}
	text, err := json.Marshal(r)
	must(b, err)
	return text
}

func spoolLarge(b testing.TB, o Options, events int) {
	b.Helper()
	for n := range events {
		must(b, o.Spool.Append(id(n), largeEvent(b, n)))
	}
}
