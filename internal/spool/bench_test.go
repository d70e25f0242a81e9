package spool

import (
	"bytes"
	"fmt"
	"testing"
)

func BenchmarkAppend(b *testing.B) {
	for _, size := range []int{4 << 10, 200 << 10} {
		for _, fsync := range []bool{false, true} {
			b.Run(fmt.Sprintf("%dKB/fsync=%v", size>>10, fsync), func(b *testing.B) {
				s := newSpool(b)
				s.Fsync = fsync
				data := bytes.Repeat([]byte("x"), size)
				b.SetBytes(int64(size))
				for n := 0; b.Loop(); n++ {
					mustAppend(b, s, n, string(data))
				}
			})
		}
	}
}
