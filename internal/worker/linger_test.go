package worker

import (
	"context"
	"testing"
	"time"
)

// TestLinger: a request that is under way when the worker ends is not broken off at once, but it has an end.
func TestLinger(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	lingers, done := Linger(ctx)
	defer done()
	cancel()
	select {
	case <-lingers.Done():
		t.Fatal("ended with the worker's context")
	case <-time.After(50 * time.Millisecond):
	}
	select {
	case <-lingers.Done():
	case <-time.After(lingerWait + 10*time.Second):
		t.Fatal("never ends")
	}
}

func TestLingerEndsWithTheRequest(t *testing.T) {
	lingers, done := Linger(t.Context())
	done()
	if lingers.Err() == nil {
		t.Fatal("goes on")
	}
}
