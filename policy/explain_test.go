package policy_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/boathook/boathook/policy"
)

func TestAbout(t *testing.T) {
	call := shell([]string{"rm -rf /home/dev/x"}, deletes("/home/dev/x", policy.User, "recursive"))
	set := policy.Combine()
	v := set.Judge(call)
	if len(v.Hits) == 0 {
		t.Fatal("no hit")
	}
	got := []string{v.Hits[0].About(call), set.Find(v.Hits[0]).When.String()}
	want := []string{
		"rm -rf /home/dev/x: delete /home/dev/x (user, recursive)",
		"effect = delete; verb = !rmdir; where = user, elsewhere; flags = recursive, all; not_flags = remote, missing, regenerable",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
