package doctor

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/boathook/boathook/internal/shellquote"
)

func programChecks() []Check {
	return []Check{
		{ID: "program", Title: "this program", Run: thisProgram},
		{ID: "program.hooks", Title: "program of the hooks", Run: hooksProgram},
		{ID: "program.path", Title: "boathook on PATH", Run: programOnPath},
	}
}

func thisProgram(_ context.Context, w *World) []Result {
	if w.Install.GOOS == "windows" {
		return []Result{warn("use WSL", "boathook %s at %s: agents on Windows are not supported yet", w.Install.Version, w.Install.Exe)}
	}
	return ok("boathook %s at %s", w.Install.Version, w.Install.Exe)
}

// hooksProgram looks at every program that installed hooks call.
func hooksProgram(ctx context.Context, w *World) []Result {
	if !w.installed() {
		return info("no hooks are installed; 'boathook install' puts them in place")
	}
	var out []Result
	var fine, seen []string
	for _, in := range w.Places {
		if in.Program == "" || slices.Contains(seen, in.Program) {
			continue
		}
		seen = append(seen, in.Program)
		bad := w.callable(ctx, in.Program, reinstall(in))
		if bad == nil {
			fine = append(fine, in.Program)
			continue
		}
		if bad.Status == Fail {
			*bad = bad.with("program "+in.Program, "install the hooks that call "+in.Program+" again, with "+w.Install.Exe, w.replace(in.Program))
		}
		out = append(out, *bad)
	}
	if len(fine) > 1 && !same(fine) {
		out = append(out, warn("boathook install "+strings.Join(w.hooked(), " "), "the hooks call different programs: %s", strings.Join(fine, ", ")))
	}
	if len(fine) > 0 && len(out) == 0 {
		return ok("%s", strings.Join(fine, ", "))
	}
	return out
}

// same tells whether paths are names of one file.
func same(paths []string) bool {
	first, err := os.Stat(paths[0])
	for _, path := range paths[1:] {
		other, failed := os.Stat(path)
		if err != nil || failed != nil || !os.SameFile(first, other) {
			return false
		}
	}
	return true
}

// replace installs all hooks that call a program anew, with this one.
func (w *World) replace(program string) func(context.Context) error {
	return func(ctx context.Context) error {
		for _, in := range w.Places {
			if in.Program != program {
				continue
			}
			if err := w.again(in, w.Install.Exe)(ctx); err != nil {
				return err
			}
		}
		return nil
	}
}

// callable says what is wrong with a program that hooks call; nil where nothing is.
func (w *World) callable(ctx context.Context, path, cure string) *Result {
	found := func(r Result) *Result { return &r }
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return found(fail(cure, "%s is gone: the hooks do nothing", path))
	case err != nil:
		return found(fail(cure, "%s can't be looked at (%s): the hooks may do nothing", path, cause(err)))
	case !info.Mode().IsRegular():
		return found(fail(cure, "%s is no program", path))
	case info.Mode().Perm()&0o111 == 0:
		return found(fail("chmod 755 "+shellquote.Word(path), "%s is not executable (mode %04o): the hooks do nothing", path, info.Mode().Perm()))
	}
	this, err := os.Stat(w.Install.Exe)
	if err == nil && os.SameFile(info, this) {
		return nil
	}
	if w.stranger(path) {
		return found(Result{Status: Info, Text: path + " was not started to ask its version: " + errStranger.Error()})
	}
	if why := w.notRun(path); why != "" {
		return found(warn(cure, "%s was not started to ask its version: %s", path, why))
	}
	version, err := w.askVersion(ctx, path)
	switch {
	case errors.Is(err, syscall.ENOEXEC):
		return found(fail(cure, "%s is not a program for this machine: the hooks do nothing", path))
	case err != nil:
		return found(fail(cure, "%s does not work: it can't say its version (%s)", path, w.Foreign(cause(err))))
	case version != w.Install.Version:
		return found(warn(cure, "the hooks run %s, which is version %s; this is %s at %s", path, w.Foreign(version), w.Install.Version, w.Install.Exe))
	}
	return nil
}

// notRun says why a program that hooks call is not started here. What install wrote somewhere may be.
func (w *World) notRun(program string) string {
	why := "no hooks that boathook wrote call it"
	for _, in := range w.Places {
		if in.Program != program {
			continue
		}
		if in.NotRun == "" {
			return ""
		}
		why = in.Dir + ": " + in.NotRun
	}
	return why
}

// errStranger is why root starts nothing of another user's.
var errStranger = errors.New("it is another user's, and this is root: " + asThem)

// stranger tells that a path, or the home directory, is another user's and this is root.
func (w *World) stranger(paths ...string) bool {
	if w.Install.UID != 0 {
		return false
	}
	for _, path := range append(paths, w.Install.Home) {
		for path != "" && !isThere(path) && path != filepath.Dir(path) {
			path = filepath.Dir(path)
		}
		info, err := os.Stat(path)
		if err != nil {
			continue
		}
		if uid, known := owner(info); known && uid != 0 {
			return true
		}
	}
	return false
}

// askVersion runs a program that hooks run anyway, and that install put there.
func (w *World) askVersion(ctx context.Context, path string) (string, error) {
	out, err := w.output(ctx, min(2*time.Second, w.Limit/2), path, "version", "--json")
	if err != nil {
		return "", err
	}
	var about struct{ Version string }
	if err := json.Unmarshal(out, &about); err != nil || about.Version == "" {
		return "", errors.New("its answer is not boathook's")
	}
	return about.Version, nil
}

// output runs a program for its output, with nothing of the environment but where things are, and ends it with all that it
// started when its time is over.
func (w *World) output(ctx context.Context, limit time.Duration, path string, args ...string) ([]byte, error) {
	return w.outputIn(ctx, limit, w.Install.Home, path, args...)
}

// outputIn is output with another home directory.
func (w *World) outputIn(ctx context.Context, limit time.Duration, home, path string, args ...string) ([]byte, error) {
	if w.stranger(path) {
		return nil, errStranger
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	cmd := exec.CommandContext(ctx, path, args...)
	cmd.Env = []string{"HOME=" + home, "PATH=" + w.variable("PATH"), "NO_COLOR=1"}
	cmd.Dir = os.TempDir()
	cmd.WaitDelay = time.Second // a grandchild may hold the pipe
	ownGroup(cmd)
	out, err := cmd.Output()
	if errors.Is(err, exec.ErrWaitDelay) {
		err = nil // it has ended, and what it said is here
	}
	if ctx.Err() != nil && err != nil {
		return nil, errors.New("it did not answer within " + limit.String())
	}
	if len(out) > 1<<16 {
		out = out[:1<<16]
	}
	return out, err
}

// programOnPath tells of another boathook than this one.
func programOnPath(_ context.Context, w *World) []Result {
	this, err := os.Stat(w.Install.Exe)
	if err != nil {
		return []Result{fail("install boathook again", "%s is gone", w.Install.Exe)}
	}
	for _, dir := range filepath.SplitList(w.variable("PATH")) {
		path := filepath.Join(dir, "boathook")
		info, err := os.Stat(path)
		if err != nil || !filepath.IsAbs(dir) || !info.Mode().IsRegular() || info.Mode()&0o111 == 0 {
			continue
		}
		if os.SameFile(info, this) {
			return ok("%s", path)
		}
		return []Result{warn("rm "+shellquote.Word(path)+", or put "+filepath.Dir(w.Install.Exe)+" before it in PATH",
			"PATH finds another boathook: %s; this one is %s", path, w.Install.Exe)}
	}
	return info("boathook is not on PATH; the hooks don't need it there")
}

// cause is an error without the path, which is in the text already.
func cause(err error) string {
	var at *fs.PathError
	if errors.As(err, &at) {
		return at.Err.Error()
	}
	return err.Error()
}
