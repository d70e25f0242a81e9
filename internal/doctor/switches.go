package doctor

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/boathook/boathook/internal/confedit"
	"github.com/boathook/boathook/internal/foreign"
	"github.com/boathook/boathook/internal/install"
)

// What keeps hooks from running that are installed well: the agents' own switches, observed on Gemini CLI 0.61.0.

func switchChecks() []Check {
	return append([]Check{
		{ID: "switch.gemini.enabled", Title: "hooksConfig.enabled", Run: geminiEnabled},
		{ID: "switch.gemini.disabled", Title: "hooksConfig.disabled", Run: geminiDisabled},
		{ID: "switch.gemini.extension", Title: "extension enabled", Run: geminiExtension},
		{ID: "switch.gemini.allowed", Title: "allowed extensions", Run: geminiAllowed},
		{ID: "switch.gemini.trust", Title: "folder trust", Run: geminiTrust},
		{ID: "switch.antigravity", Title: "hook enabled", Run: antigravityEnabled},
		{ID: "switch.off", Title: "on or off", Run: switchedOff},
	}, agentSwitches()...)
}

// geminiSettings are the settings that matter here.
type geminiSettings struct {
	path        string
	HooksConfig struct {
		Enabled  *bool
		Disabled []string
	}
	Security struct {
		AllowedExtensions []string
		FolderTrust       struct{ Enabled *bool }
	}
	Admin struct{ Extensions struct{ Enabled *bool } }
}

// settingsFiles are those that Gemini CLI reads in a directory, the system's, the user's and the project's.
func (w *World) settingsFiles() []string {
	system := w.variable("GEMINI_CLI_SYSTEM_SETTINGS_PATH")
	if system == "" {
		system = "/etc/gemini-cli/settings.json"
	}
	files := []string{system, filepath.Join(install.GeminiDir(w.Install), "settings.json")}
	project := filepath.Join(w.Dir, ".gemini", "settings.json")
	if w.Dir != "" && !slices.Contains(files, project) {
		files = append(files, project)
	}
	return files
}

// readSettings reads those that are there. One that can't be read as JSON stops Gemini CLI itself.
func (w *World) readSettings() (out []geminiSettings, broken []string) {
	for _, path := range w.settingsFiles() {
		data, err := readSmall(path)
		if err != nil {
			continue
		}
		s := geminiSettings{path: path}
		text, err := confedit.Plain(data)
		if err == nil {
			err = json.Unmarshal(text, &s)
		}
		if err != nil {
			broken = append(broken, path)
		}
		out = append(out, s)
	}
	return out, broken
}

// eachSetting calls see for every settings file, where Gemini's hooks are installed.
func (w *World) eachSetting(see func(geminiSettings) *Result) []Result {
	if len(w.of("gemini")) == 0 {
		return nil
	}
	var out []Result
	files, _ := w.readSettings()
	for _, s := range files {
		if r := see(s); r != nil {
			out = append(out, *r)
		}
	}
	return out
}

func geminiEnabled(_ context.Context, w *World) []Result {
	if len(w.of("gemini")) == 0 {
		return nil
	}
	out := w.eachSetting(func(s geminiSettings) *Result {
		if s.HooksConfig.Enabled == nil || *s.HooksConfig.Enabled {
			return nil
		}
		r := fail("edit "+s.path+": remove hooksConfig.enabled", "%s has hooksConfig.enabled = false: Gemini CLI runs no hook at all", s.path)
		return &r
	})
	_, broken := w.readSettings()
	for _, path := range broken {
		out = append(out, warn("edit "+path, "%s can't be read as settings: Gemini CLI may not start", path))
	}
	return orOK(out, "hooks are on")
}

func geminiDisabled(_ context.Context, w *World) []Result {
	if len(w.of("gemini")) == 0 {
		return nil
	}
	return orOK(w.eachSetting(func(s geminiSettings) *Result {
		if !slices.Contains(s.HooksConfig.Disabled, "boathook") {
			return nil
		}
		r := fail("edit "+s.path+": take boathook out of hooksConfig.disabled", "%s lists boathook in hooksConfig.disabled: its hooks don't run", s.path)
		return &r
	}), "boathook is not listed")
}

func geminiAllowed(_ context.Context, w *World) []Result {
	if len(w.of("gemini")) == 0 {
		return nil
	}
	return orOK(w.eachSetting(func(s geminiSettings) *Result {
		var r Result
		switch {
		case len(s.Security.AllowedExtensions) > 0:
			r = fail("edit "+s.path+": remove security.allowedExtensions",
				"%s has security.allowedExtensions: Gemini CLI loads no extension that was put in place by hand, as boathook's is", s.path)
		case s.Admin.Extensions.Enabled != nil && !*s.Admin.Extensions.Enabled:
			r = fail("ask who administers it, or edit "+s.path+": remove admin.extensions.enabled", "%s has admin.extensions.enabled = false: Gemini CLI loads no extension", s.path)
		default:
			return nil
		}
		return &r
	}), "all are")
}

// geminiExtension looks at what 'gemini extensions disable' writes: rules of which the last that fits a directory counts.
func geminiExtension(_ context.Context, w *World) []Result {
	if len(w.of("gemini")) == 0 {
		return nil
	}
	path := filepath.Join(install.GeminiDir(w.Install), "extensions", "extension-enablement.json")
	data, err := readSmall(path)
	if err != nil {
		return ok("everywhere")
	}
	var file map[string]struct{ Overrides []string }
	if json.Unmarshal(data, &file) != nil {
		return []Result{warn("edit "+path, "%s can't be read", path)}
	}
	rules := file["boathook"].Overrides
	for _, at := range []struct{ dir, name, scope string }{{w.Install.Home, "your home directory", "user"}, {w.Dir, w.Dir, "workspace"}} {
		if at.dir != "" && !enabledIn(rules, at.dir) {
			return []Result{fail("gemini extensions enable boathook --scope "+at.scope, "%s disables the extension boathook in %s: no hook of it runs there", path, at.name)}
		}
	}
	if slices.ContainsFunc(rules, func(r string) bool { return strings.HasPrefix(r, "!") }) {
		return info("%s disables boathook in some directories: %s", path, strings.Join(rules, " "))
	}
	return ok("everywhere")
}

// enabledIn follows Gemini CLI 0.61.0: a rule is a path, with ! before it for off and * behind it for what is below.
func enabledIn(rules []string, dir string) bool {
	dir = strings.TrimSuffix(dir, "/") + "/"
	enabled := true
	for _, rule := range rules {
		path, off := strings.CutPrefix(rule, "!")
		base, below := strings.CutSuffix(path, "*")
		if dir == base || below && (strings.HasPrefix(dir, base) || dir+"/" == base) {
			enabled = !off
		}
	}
	return enabled
}

// geminiTrust says what a headless run meets: it ends before any hook in a folder that nobody trusted.
func geminiTrust(_ context.Context, w *World) []Result {
	if len(w.of("gemini")) == 0 {
		return nil
	}
	for _, s := range must(w.readSettings()) {
		if on := s.Security.FolderTrust.Enabled; on != nil && !*on {
			return ok("not asked for")
		}
	}
	data, err := readSmall(filepath.Join(install.GeminiDir(w.Install), "trustedFolders.json"))
	var folders map[string]string
	if err == nil {
		err = json.Unmarshal(data, &folders)
	}
	if err == nil {
		for at := w.Dir; at != ""; at = filepath.Dir(at) {
			if trust := folders[at]; trust != "" {
				return ok("%s is %s by %s", w.Dir, strings.ToLower(trust), at)
			}
			if at == filepath.Dir(at) {
				break
			}
		}
	}
	return info("%s is not in trustedFolders.json: a headless Gemini CLI ends there before any hook runs", w.Dir)
}

func must(files []geminiSettings, _ []string) []geminiSettings { return files }

func antigravityEnabled(_ context.Context, w *World) []Result {
	places := w.of("antigravity")
	if len(places) == 0 {
		return nil
	}
	var out []Result
	for _, in := range places {
		if in.Disabled {
			out = append(out, fail("edit "+in.File+`: remove "enabled": false from the hook boathook`, `%s has "enabled": false in the hook boathook: Antigravity runs none of its commands`, in.File))
		}
	}
	return orOK(out, "the hook boathook is on")
}

// readSmall reads a settings file of others: a regular one, and not more of it than there can be.
func readSmall(path string) ([]byte, error) {
	const most = 4 << 20
	data, err := foreign.Read(path)
	if err == nil && len(data) > most {
		return nil, fmt.Errorf("read %s: not a settings file", path)
	}
	return data, err
}
