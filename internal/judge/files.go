package judge

import (
	"errors"
	"io/fs"
	"path/filepath"

	"github.com/boathook/boathook/internal/config"
	"github.com/boathook/boathook/internal/foreign"
	"github.com/boathook/boathook/policy"
)

// maxPolicy bounds one policy file.
const maxPolicy = 1 << 20

// Files are the policies that hold in every project, yet to be read: the administrator's and the user's.
func Files(p config.Policy) []Text {
	var out []Text
	if p.Organisation != "" {
		out = append(out, Text{Path: p.Organisation, Layer: policy.Organisation})
	}
	if p.File != "" {
		out = append(out, Text{Path: p.File, Layer: policy.UserLayer})
	}
	return out
}

// Read reads one of Files. A disk may hang in it.
func (t Text) Read() Text {
	read := config.ReadPolicy
	if t.Layer == policy.Organisation {
		read = config.ReadManaged
	}
	t.Text, t.There, t.Err = read(t.Path)
	return t
}

// ReadFiles reads all of Files. A disk may hang in it.
func ReadFiles(p config.Policy) []Text {
	out := Files(p)
	for i := range out {
		out[i] = out[i].Read()
	}
	return out
}

// ProjectFile is where a project has its policy.
func ProjectFile(project string) string {
	return filepath.Join(project, ".boathook", config.PolicyName)
}

// ReadProject reads a project's policy. One that nobody trusts is there, and does not count; trusted says which.
func ReadProject(dataDir, project string) (t Text, trusted bool) {
	if !filepath.IsAbs(project) {
		return Text{}, false
	}
	t = Text{Path: ProjectFile(project), Layer: policy.ProjectLayer}
	text, err := foreign.ReadIn(project, t.Path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return t, false
	case err == nil && len(text) > maxPolicy:
		err = errors.New("longer than a policy may be (1 MiB)")
	}
	t.There, t.Err = true, err
	if err != nil {
		return t, false
	}
	t.Text = text
	return t, Trusted(dataDir, t.Path, text)
}

// Mode is the one in force: enforce, shadow or off. A user does not switch off what an administrator wrote, unless the
// administrator's config says so; overruled says that.
func Mode(p config.Policy, texts []Text) (mode string, overruled bool) {
	for _, t := range texts {
		if t.Layer == policy.Organisation && t.There && p.Mode != "enforce" && !p.Fixed {
			return "enforce", true
		}
	}
	return p.Mode, false
}
