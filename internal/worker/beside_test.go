package worker

import (
	"context"
	"sync/atomic"
	"testing"
	"time"
)

// What runs beside a worker begins with it and has ended when it has; a panic there is not the worker's.
func TestBeside(t *testing.T) {
	dir := t.TempDir()
	var began, ended atomic.Int32
	o := processOptions(dir)
	o.Beside = []func(context.Context){
		func(ctx context.Context) {
			began.Add(1)
			<-ctx.Done()
			time.Sleep(20 * time.Millisecond)
			ended.Add(1)
		},
		func(context.Context) { panic("thrown") },
	}
	if err := Run(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	if began.Load() != 1 || ended.Load() != 1 {
		t.Errorf("began %d times, ended %d times", began.Load(), ended.Load())
	}
	if _, err := Drain(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	if began.Load() != 1 {
		t.Error("a drain runs it, too")
	}
}
