//go:build unix

package off

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/boathook/boathook/internal/ownfile"
)

// TestWhoseSwitchCounts: that of this user, and for root that of the config's owner; none that others may write.
func TestWhoseSwitchCounts(t *testing.T) {
	const user, another = 1234, 1235
	for _, tc := range []struct {
		name                string
		ownsConfig, ownsOff int
		mode                os.FileMode
		want                error
	}{
		{"ours", 0, 0, 0o600, nil},
		{"others may read it", 0, 0, 0o644, nil},
		{"its group may write it", 0, 0, 0o620, ownfile.ErrShared},
		{"anybody may write it", 0, 0, 0o602, ownfile.ErrShared},
		{"another's beside root's config", 0, another, 0o600, ownfile.ErrForeign},
		{"another's beside a user's config", user, another, 0o600, ownfile.ErrForeign},
		{"the user's beside the user's config", user, user, 0o600, nil},
		{"root's beside the user's config", user, 0, 0o600, nil},
	} {
		if os.Geteuid() != 0 && tc.ownsConfig+tc.ownsOff != 0 {
			t.Logf("SKIPPED LOUDLY: %s: to give files away takes root", tc.name)
			continue
		}
		path, c := config(t), At(noon)
		all := c.Begin(0)
		must(t, Save(path, State{All: &all}, c))
		must(t, os.WriteFile(path, nil, 0o600))
		must(t, os.Chmod(Path(path), tc.mode))
		if os.Geteuid() == 0 {
			must(t, os.Chown(path, tc.ownsConfig, -1))
			must(t, os.Chown(Path(path), tc.ownsOff, -1))
		}
		if s, err := Load(path); !errors.Is(err, tc.want) || (s.All != nil) != (tc.want == nil) {
			t.Errorf("%s: %+v, %v", tc.name, s, err)
		}
	}
	// No config: the directory's owner counts.
	path, c := config(t), At(noon)
	all := c.Begin(0)
	must(t, Save(path, State{All: &all}, c))
	if os.Geteuid() == 0 {
		must(t, os.Chown(filepath.Dir(path), user, -1))
		must(t, os.Chown(Path(path), user, -1))
	}
	if s, err := Load(path); err != nil || s.All == nil {
		t.Errorf("without a config: %+v, %v", s, err)
	}
}
