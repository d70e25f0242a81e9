package torture

import (
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// TestCrowd: 200 hooks at once, in 5 sessions, while the worker is killed ten times. Every event is stored, none twice.
func TestCrowd(t *testing.T) {
	const hooks, sessions, kills = 200, 5, 10
	b := newBench(t, patient)
	stop := make(chan struct{})
	killed := make(chan int, 1)
	go func() { killed <- b.killWorkers(kills, stop) }()
	var wait sync.WaitGroup
	for i := range hooks {
		wait.Go(func() {
			payload := fmt.Sprintf(`{"session_id":"session-%d","tool_name":"run_shell_command","tool_input":{"command":"echo %d"}}`, i%sessions, i)
			if got := answer(t, b.hook("gemini", "BeforeTool"), strings.NewReader(payload)); got != "{}" {
				t.Errorf("hook %d: answer %s", i, got)
			}
		})
	}
	wait.Wait()
	// The last hooks may have been quicker than the killer: more of them, until ten workers died.
	extra := 0
	for n := 0; n < kills; {
		select {
		case n = <-killed:
			if n < kills {
				t.Fatalf("only %d workers were killed", n)
			}
		default:
			answer(t, b.hook("gemini", "SessionEnd"), strings.NewReader(`{"session_id":"filler"}`))
			extra++
			time.Sleep(50 * time.Millisecond) // a worker that died young is not started again at once
		}
	}
	close(stop)
	seen, bySession := map[string]int{}, map[string]int{}
	total := 0
	for _, r := range b.records(t) {
		total++
		bySession[r.SessionID]++
		if r.Tool != nil {
			seen[r.Tool.Command]++
		}
	}
	if total != hooks+extra || len(seen) != hooks {
		t.Errorf("%d records of %d, %d commands of %d", total, hooks+extra, len(seen), hooks)
	}
	for i := range sessions {
		if n := bySession[fmt.Sprintf("session-%d", i)]; n != hooks/sessions {
			t.Errorf("session %d has %d records, want %d", i, n, hooks/sessions)
		}
	}
}

// TestLargeCrowd: many large results at once are slow to keep, and kept.
func TestLargeCrowd(t *testing.T) {
	const hooks = 30
	b := newBench(t, patient)
	markup := strings.Repeat("<td class='x'>&amp;</td>\\n", 40_000)
	var wait sync.WaitGroup
	for i := range hooks {
		wait.Go(func() {
			payload := fmt.Sprintf(`{"session_id":"s%d","tool_name":"web_fetch","tool_input":{},"tool_response":{"llmContent":["%s"]}}`, i, markup)
			if got := answer(t, b.hook("gemini", "AfterTool"), strings.NewReader(payload)); got != "{}" {
				t.Errorf("answer %s", got)
			}
		})
	}
	wait.Wait()
	if n := len(b.records(t)); n != hooks {
		t.Errorf("%d records of %d", n, hooks)
	}
}

// killWorkers kills the bench's worker, found by its lock, n times.
func (b *bench) killWorkers(n int, stop <-chan struct{}) int {
	killed, last := 0, 0
	for killed < n {
		select {
		case <-stop:
			return killed
		case <-time.After(2 * time.Millisecond):
		}
		text, err := os.ReadFile(filepath.Join(b.data, "worker.lock"))
		if err != nil {
			continue
		}
		pid, err := strconv.Atoi(strings.Fields(string(text) + " 0")[0])
		if err != nil || pid <= 1 || pid == last || !b.owns(pid) {
			continue
		}
		if syscall.Kill(pid, syscall.SIGKILL) == nil {
			killed, last = killed+1, pid
		}
	}
	return killed
}

// owns tells whether a process runs this bench's own binary: a pid from a file may be anybody's by now.
func (b *bench) owns(pid int) bool {
	exe, err := os.Readlink(fmt.Sprintf("/proc/%d/exe", pid))
	return err == nil && exe == b.bin
}

// TestBlackHole: a guard that accepts and never answers costs the budget and no more. The quickest of several runs is
// held to it, since a busy machine can only add to that.
func TestBlackHole(t *testing.T) {
	hole, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer hole.Close()
	const budget, slack = 50.0, 10.0 // milliseconds
	b := newBench(t, "")
	b.write(t, b.config, fmt.Sprintf("data_dir = %q\n[guard]\nendpoint = \"http://%s/\"\n", b.data, hole.Addr()))
	best := 1e9
	for rounds := 0; rounds < 10 && best > budget+slack; rounds++ {
		for range 15 {
			if got := answer(t, b.hook("gemini", "BeforeTool"), strings.NewReader(hostileCall)); got != "{}" {
				t.Fatalf("answer %s", got)
			}
		}
		for _, r := range b.records(t) {
			if r.Guard == nil || r.Guard.Outcome != "timeout" || r.Decision.Source != "guard_failed" {
				t.Fatalf("record %+v", r)
			}
			best = min(best, r.Hook.LatencyMS)
		}
	}
	t.Logf("the quickest hook took %.1f ms with a budget of %.0f ms", best, budget)
	if best > budget+slack {
		t.Errorf("%.1f ms, want at most %.0f", best, budget+slack)
	}
}
