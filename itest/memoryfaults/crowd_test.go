package memoryfaults_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
)

const (
	// sessions write at the same time, of whose hooks so many run at once: as many as a machine of few processors starts.
	sessions = 50
	atOnce   = 8
)

// agents are those that the sessions are of, with the names of what they fire. answers says whether a hook carries the answer.
var agents = []struct {
	id                          string
	prompt, before, after, stop string
	answers                     bool
}{
	{"gemini", "BeforeAgent", "BeforeTool", "AfterTool", "AfterAgent", true},
	{"claude", "UserPromptSubmit", "PreToolUse", "PostToolUse", "Stop", true},
	{"codex", "UserPromptSubmit", "PreToolUse", "PostToolUse", "Stop", true},
	{"qwen", "UserPromptSubmit", "PreToolUse", "PostToolUse", "Stop", true},
	{"copilot", "userPromptSubmitted", "preToolUse", "postToolUse", "agentStop", false},
}

// old is what an earlier session found out about what they ask: while memory can be asked, they are told.
const old = "restarting the haproxy sidecar"

// row is a message or a tool call as a store has it.
type row struct {
	Kind, Session, Text string
}

// crowd is some sessions that go on.
type crowd struct {
	w *world
	// size is how many sessions they are; prompts is how often they asked something.
	size, turns, prompts int

	mu    sync.Mutex
	wants map[row]bool
}

func newCrowd(w *world) *crowd { return &crowd{w: w, size: sessions, wants: map[row]bool{}} }

// seed has memory know of an earlier session.
func (c *crowd) seed() {
	c.w.Helper()
	path := filepath.Join(c.w.Home, "old.jsonl")
	line, err := json.Marshal(map[string]any{
		"session": "old", "project": c.w.Home, "id": "1", "role": "assistant", "ts": time.Now().Add(-48 * time.Hour).Format(time.RFC3339),
		"text": "checkout answers 502 after a deploy of the shop: " + old + " mended the checkout deploy",
	})
	if err != nil {
		c.w.Fatal(err)
	}
	c.w.Write(path, string(line)+"\n", 0o600)
	c.w.Must("memory", "ingest", path)
	if out := c.w.Must("memory", "search", "--project", c.w.Home, "checkout 502"); !strings.Contains(out, "haproxy") {
		c.w.Fatalf("what was ingested is not found: %s", out)
	}
}

// speak plays a turn of each session, all at once. during is called beside that, until its done is closed; nil is nothing.
func (c *crowd) speak(during func(done <-chan struct{})) {
	c.w.Helper()
	turn := c.turns
	c.turns++
	c.prompts += c.size
	done, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		if during != nil {
			during(done)
		}
	}()
	var all sync.WaitGroup
	room := make(chan struct{}, atOnce)
	for n := range c.size {
		all.Go(func() { c.turn(n, turn, room) })
	}
	all.Wait()
	close(done)
	<-ended
}

// turn is a prompt, a tool call and an answer.
func (c *crowd) turn(n, turn int, room chan struct{}) {
	agent := agents[n%len(agents)]
	session := fmt.Sprintf("session-%d", n)
	call := fmt.Sprintf("call-%d-%d", n, turn)
	prompt := fmt.Sprintf("why does checkout of shop %d answer 502 again after deploy %d", n, turn)
	command := fmt.Sprintf("sh drain-upstream.sh --shop %d --deploy %d", n, turn)
	result := fmt.Sprintf("upstream of shop %d drained after deploy %d", n, turn)
	answer := fmt.Sprintf("the stale socket of shop %d was drained after deploy %d", n, turn)
	base := map[string]any{"session_id": session, "cwd": c.w.Home, "hook_event_name": ""}
	input := map[string]any{"command": command, "description": "drain"}
	with := func(more map[string]any) map[string]any {
		out := maps.Clone(base)
		maps.Copy(out, more)
		return out
	}
	var payloads [4]map[string]any
	if agent.id == "copilot" {
		base = map[string]any{"sessionId": session, "cwd": c.w.Home}
		payloads = [4]map[string]any{
			with(map[string]any{"prompt": prompt}),
			with(map[string]any{"toolName": "bash", "toolArgs": input}),
			with(map[string]any{"toolName": "bash", "toolArgs": input, "toolResult": map[string]any{"resultType": "success", "textResultForLlm": result}}),
			with(map[string]any{"stopReason": "end_turn"}),
		}
	} else {
		tool, response := "Bash", any(result)
		switch agent.id {
		case "gemini", "qwen":
			tool, response = "run_shell_command", map[string]any{"llmContent": "Output: " + result, "returnDisplay": result}
		case "claude":
			response = map[string]any{"stdout": result, "stderr": "", "interrupted": false, "isImage": false}
		}
		of := map[string]any{"tool_name": tool, "tool_input": input, "tool_use_id": call}
		after := maps.Clone(of)
		after["tool_response"] = response
		payloads = [4]map[string]any{
			with(map[string]any{"prompt": prompt}), with(of), with(after),
			with(map[string]any{"prompt": prompt, "prompt_response": answer, "last_assistant_message": answer}),
		}
	}
	for i, event := range []string{agent.prompt, agent.before, agent.after, agent.stop} {
		if _, has := payloads[i]["hook_event_name"]; has {
			payloads[i]["hook_event_name"] = event
		}
		b, err := json.Marshal(payloads[i])
		if err != nil {
			c.w.Error(err)
			return
		}
		room <- struct{}{}
		said := c.w.Hook(agent.id, event, string(b))
		<-room
		if said != "" && said != "{}" && !strings.Contains(said, old) {
			c.w.Errorf("%s %s answers %s", agent.id, event, said)
		}
	}
	key := agent.id + "/" + session
	c.mu.Lock()
	defer c.mu.Unlock()
	c.wants[row{"user", key, prompt}], c.wants[row{"call", key, command}] = true, true
	if agent.answers {
		c.wants[row{"assistant", key, answer}] = true
	}
}

// check holds that a store has each row once, and no other.
func (c *crowd) check(stored []row) {
	c.w.Helper()
	seen := map[row]int{}
	for _, r := range stored {
		if !strings.Contains(r.Text, old) {
			seen[r]++
		}
	}
	var missing, twice, strange []string
	for r := range c.wants {
		if seen[r] == 0 {
			missing = append(missing, fmt.Sprint(r))
		}
	}
	for r, n := range seen {
		if n > 1 {
			twice = append(twice, fmt.Sprint(r))
		}
		if !c.wants[r] {
			strange = append(strange, fmt.Sprint(r))
		}
	}
	for what, rows := range map[string][]string{"missing": missing, "twice": twice, "strange": strange} {
		if len(rows) > 0 {
			slices.Sort(rows)
			c.w.Errorf("%d of %d rows are %s: %s …", len(rows), len(c.wants), what, strings.Join(rows[:min(len(rows), 3)], "\n"))
		}
	}
	c.w.Logf("%d rows, each once", len(c.wants)-len(missing)-len(twice))
}

// recalled is what the hooks' records say of the questions that they asked memory.
type recalled struct {
	Recall *struct {
		Outcome string  `json:"outcome"`
		Reason  string  `json:"reason"`
		TookMS  float64 `json:"took_ms"`
	} `json:"recall"`
}

// slack is what a machine that is busy with other tests may add to the deadline before a process gets to notice it. Whoever
// waits for a database that says nothing waits for many times that.
const slack = 1000

// patient holds that no hook waited for memory past its deadline, and says what came of the questions.
func (c *crowd) patient() map[string]int {
	c.w.Helper()
	outcomes, took := map[string]int{}, []float64{}
	for line := range strings.Lines(c.w.Must("log", "--json")) {
		var r recalled
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			c.w.Fatalf("log --json: %v in %.200q", err, line)
		}
		if r.Recall == nil {
			continue
		}
		outcomes[r.Recall.Outcome]++
		took = append(took, r.Recall.TookMS)
	}
	if want := c.prompts; len(took) < want {
		c.w.Errorf("%d questions of %d prompts", len(took), want)
	}
	if len(took) == 0 {
		return outcomes
	}
	slices.Sort(took)
	if worst := took[len(took)-1]; worst > deadline+slack {
		c.w.Errorf("a hook waited %.0f ms for memory, with a deadline of %d ms", worst, deadline)
	}
	late := 0
	for _, ms := range took {
		if ms > 1.2*deadline {
			late++
		}
	}
	if late*20 > len(took) {
		c.w.Errorf("%d of %d hooks waited for memory longer than 1.2 of its deadline", late, len(took))
	}
	c.w.Logf("%d questions: %v; half took %.0f ms, 99 of 100 %.0f, the longest %.0f", len(took), outcomes, took[len(took)/2],
		took[len(took)*99/100], took[len(took)-1])
	return outcomes
}
