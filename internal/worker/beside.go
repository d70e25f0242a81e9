package worker

import (
	"context"
	"fmt"
	"runtime/debug"
	"sync"
	"time"
)

// besideWait is how long what runs beside a worker may take to end.
const besideWait = 5 * time.Second

// runBeside starts what runs beside the worker. end ends it, and waits until it has.
func (o Options) runBeside(ctx context.Context) (end func()) {
	ctx, cancel := context.WithCancel(ctx)
	var running sync.WaitGroup
	for _, f := range o.Beside {
		running.Go(func() {
			defer func() {
				if thrown := recover(); thrown != nil { // it may hold contents
					o.Log.Error("panic beside the worker", "value", fmt.Sprintf("%T", thrown), "stack", string(debug.Stack()))
				}
			}()
			f(ctx)
		})
	}
	return func() {
		cancel()
		done := make(chan struct{})
		go func() { running.Wait(); close(done) }()
		select {
		case <-done:
		case <-time.After(besideWait):
			o.Log.Warn("something beside the worker did not end in time")
		}
	}
}
