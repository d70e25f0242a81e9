package store

import (
	"fmt"
	"strings"
	"testing"

	"github.com/boathook/boathook/internal/record"
)

func BenchmarkInsert(b *testing.B) {
	for _, size := range []int{4 << 10, 200 << 10} {
		for _, rows := range []int{1, 100} {
			b.Run(fmt.Sprintf("%dKB/%d rows", size>>10, rows), func(b *testing.B) {
				s := newStore(b)
				pad := strings.Repeat("x", size)
				n := 0
				for b.Loop() {
					batch := make([]Row, rows)
					for i := range batch {
						n++
						batch[i] = row(b, n, func(r *record.Record) { r.Prompt = pad })
					}
					insert(b, s, batch...)
				}
			})
		}
	}
}
