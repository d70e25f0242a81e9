package hookrun

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// BenchmarkRun is one hook without the process around it, from the payload to the spooled record.
func BenchmarkRun(b *testing.B) {
	line := `\tif err := run(ctx, cfg.Name, \"a text\", 42); err != nil { return fmt.Errorf(\"run %s: %w\", cfg.Name, err) }\n`
	for _, kib := range []int{2, 200, 5 << 10} {
		b.Run(fmt.Sprintf("%dKiB", kib), func(b *testing.B) {
			home := b.TempDir()
			config := filepath.Join(home, "config.toml")
			if err := os.WriteFile(config, []byte("data_dir = '"+home+"/data'\n"), 0o600); err != nil {
				b.Fatal(err)
			}
			var parts []string
			for size := 0; size < kib<<10; size += 50 * len(line) {
				parts = append(parts, `{"text":"`+strings.Repeat(line, 50)[:min(50*len(line), kib<<10/len(line)*len(line))]+`"}`)
			}
			payload := `{"session_id":"s","tool_name":"mcp_s_t","tool_input":{},"tool_response":{"llmContent":[` + strings.Join(parts, ",") + `]}}`
			b.SetBytes(int64(len(payload)))
			for b.Loop() {
				Run(Env{
					Stdin: strings.NewReader(payload), Lookup: func(string) (string, bool) { return "", false }, Home: home, Dir: home,
					Wake: func(Worker) error { return nil }, Now: time.Now, Start: time.Now(), Quiet: time.Minute,
				}, []string{"--agent", "gemini", "--event", "AfterTool", "--config", config})
				b.StopTimer()
				_ = os.RemoveAll(filepath.Join(home, "data", "spool", "new")) // only the spool's size would be measured else
				b.StartTimer()
			}
		})
	}
}
