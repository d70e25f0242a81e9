package bounded

import (
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

func TestDo(t *testing.T) {
	for name, f := range map[string]func(){
		"returns": func() {}, "panics": func() { panic("x") }, "panics with nothing": func() { panic(nil) }, "ends its goroutine": runtime.Goexit,
		"takes a while": func() { time.Sleep(5 * time.Millisecond) },
		"asks again":    func() { Do(time.Minute, func() { Do(time.Minute, func() {}) }) },
	} {
		for range 3 {
			ran := false
			if !Do(time.Minute, func() { ran = true; f() }) || !ran {
				t.Errorf("%s: did not end", name)
			}
		}
	}
}

// TestWhatHangsIsLeftAlone: what comes next does not wait for it, and it ends once it can.
func TestWhatHangsIsLeftAlone(t *testing.T) {
	release, ended := make(chan struct{}), make(chan struct{})
	if Do(time.Millisecond, func() { <-release; close(ended) }) {
		t.Fatal("it hangs, and ended")
	}
	for range 10 {
		if !Do(time.Minute, func() {}) {
			t.Fatal("the next one waits")
		}
	}
	close(release)
	<-ended
}

func TestManyAtOnce(t *testing.T) {
	var n atomic.Int64
	var wait sync.WaitGroup
	for range 50 {
		wait.Go(func() {
			for range 100 {
				mine := 0
				if Do(time.Minute, func() { mine = 1 }) {
					n.Add(int64(mine))
				}
			}
		})
	}
	wait.Wait()
	if n.Load() != 5000 {
		t.Errorf("%d of 5000 ran", n.Load())
	}
}

func BenchmarkDo(b *testing.B) {
	for b.Loop() {
		Do(time.Minute, func() {})
	}
}
