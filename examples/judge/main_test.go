package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/boathook/boathook/hook"
)

// vector is an event and what the example answers it, in any language.
type vector struct {
	What     string
	Event    hook.Event
	Decision hook.Decision
}

func TestVectors(t *testing.T) {
	files, err := filepath.Glob("../../testdata/vectors/*.json")
	if err != nil || len(files) == 0 {
		t.Fatalf("no vectors: %v", err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			var v vector
			if err := json.Unmarshal(text, &v); err != nil {
				t.Fatal(err)
			}
			got := judge(t.Context(), &v.Event)
			if diff := cmp.Diff(members(t, v.Decision), members(t, got)); diff != "" {
				t.Errorf("%s: %s", v.What, diff)
			}
		})
	}
}

func members(t *testing.T, d hook.Decision) map[string]any {
	t.Helper()
	text, err := json.Marshal(d)
	if err != nil {
		t.Fatal(err)
	}
	var out map[string]any
	if err := json.Unmarshal(text, &out); err != nil {
		t.Fatal(err)
	}
	return out
}
