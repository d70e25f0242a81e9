package memory

import (
	"fmt"
	"strings"
	"testing"

	"github.com/boathook/boathook/internal/record"
)

// BenchmarkIngest takes stored events to SQLite, masked: messages of 400 bytes, and calls with 2 KB of output. ns/op is that of one row.
func BenchmarkIngest(b *testing.B) {
	const sessions = 40
	var records []record.Record
	out := strings.Repeat("pkg/server/handler.go:120: undefined: requestTimeout\n", 40)
	for n := 0; len(records) < b.N*2+16; n += 50 {
		session := fmt.Sprintf("s%d", n%(sessions*50))
		for i := range 25 {
			id := fmt.Sprintf("t%d-%d", n, i)
			prompt := fmt.Sprintf(`"prompt":"why does the test of handler %d-%d time out after the change of the retry loop? %s"`, n, i, strings.Repeat("it used to work ", 20))
			tool := fmt.Sprintf(`"tool_name":"Bash","tool_input":{"command":"go test ./pkg/server -run TestHandler%d_%d"},"tool_use_id":%q,"tool_response":{"stdout":%q,"stderr":""}`, n, i, id, out)
			records = append(records, made(b, n+2*i, "claude", "UserPromptSubmit", claude(session, prompt)),
				made(b, n+2*i+1, "claude", "PostToolUse", claude(session, tool)))
		}
	}
	records = records[:min(len(records), b.N)]
	w := newWorld(b, records...)
	w.now = begin // nothing is finished
	b.ResetTimer()
	w.pass()
	b.StopTimer()
	if w.behind() {
		b.Fatal("something is left")
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "rows/s")
}
