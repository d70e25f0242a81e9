// Package gemini_test runs the built boathook under the real, unmodified Gemini CLI that ../agents pins.
package gemini_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/boathook/boathook/itest/build"
	"github.com/boathook/boathook/itest/geminirun"
	"github.com/boathook/boathook/itest/mockgemini"
)

func TestMain(m *testing.M) {
	code := m.Run()
	build.Cleanup()
	os.Exit(code)
}

const sameCommand = "sleep 0.2; echo same"

// everything is a session with each sort of tool call that the tests look at.
func everything() mockgemini.Scenario {
	return mockgemini.Scenario{
		mockgemini.Stream(
			[]mockgemini.Part{mockgemini.Thought("**Planning**\nwhat to do")},
			[]mockgemini.Part{mockgemini.Text("Let me look. "), mockgemini.Shell("echo hi > made.txt; cat made.txt")},
		),
		mockgemini.Say(mockgemini.Tool("list_directory", map[string]any{"dir_path": "."})),
		mockgemini.Say(mockgemini.Tool("write_file", map[string]any{"file_path": "written.txt", "content": "hello\n"})),
		mockgemini.Say(mockgemini.Shell(sameCommand), mockgemini.Shell(sameCommand)),
		mockgemini.Say(mockgemini.Shell("echo oops >&2; exit 3")),
		mockgemini.Say(mockgemini.Tool("mcp_lab_echo", map[string]any{"text": "hey"})),
		mockgemini.Say(mockgemini.Text("All done.")),
	}
}

// touch is a session that makes a file by a shell command.
func touch() mockgemini.Scenario {
	return mockgemini.Scenario{
		mockgemini.Say(mockgemini.Shell("touch side-effect; echo ran")),
		mockgemini.Say(mockgemini.Text("That was all.")),
	}
}

func mustExist(t *testing.T, l *geminirun.Lab, name string) {
	t.Helper()
	if _, err := os.Stat(filepath.Join(l.Work, name)); err != nil {
		t.Errorf("the tool did not run: %v", err)
	}
}

func mustNotExist(t *testing.T, path string) {
	t.Helper()
	if _, err := os.Lstat(path); err == nil {
		t.Errorf("%s exists", path)
	}
}
