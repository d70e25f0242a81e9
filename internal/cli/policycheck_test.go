package cli

import (
	"strings"
	"testing"

	"github.com/boathook/boathook/internal/judge"
	"github.com/boathook/boathook/policy"
)

// TestCheckNotesOverruledOverrides: an override of a rule that the organisation has put in force does nothing, and says so.
func TestCheckNotesOverruledOverrides(t *testing.T) {
	organisation := judge.Text{Path: "/etc/p.toml", Layer: policy.Organisation, There: true, Text: []byte("version = 1\npacks = [\"git\"]\n")}
	user := judge.Text{Path: "/home/p.toml", Layer: policy.UserLayer, There: true, Text: []byte(
		"version = 1\n[override.git-work-loss]\naction = \"off\"\n[override.delete-tree]\naction = \"off\"\n")}
	f := inForce{Files: []judge.Text{organisation, user}}
	f.Layers = judge.Combine(f.Files...)
	got := overruled(f)
	if len(got) != 1 || got[0].Line != 2 || got[0].Key != "override.git-work-loss" || !got[0].Note || !strings.Contains(got[0].Text, "is ignored") {
		t.Errorf("%+v", got)
	}
}

func TestManyRulesAreCounted(t *testing.T) {
	if got := someRules([]string{"a", "b"}); got != "a, b" {
		t.Error(got)
	}
	if got := someRules(make([]string, 11)); !strings.HasPrefix(got, "11 rules") {
		t.Error(got)
	}
}
