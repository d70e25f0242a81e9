package inline

import (
	"strings"

	"github.com/boathook/boathook/internal/shellcmd/word"
)

// python knows the functions of Python's standard library that matter here.
func (r *reader) python(c call, method bool) value {
	if method {
		return r.pythonMethod(c)
	}
	name := strings.TrimPrefix(c.name, "builtins.")
	name = strings.TrimPrefix(strings.TrimPrefix(name, "__builtins__."), "posix.")
	if v, ok := r.pythonFiles(name, c); ok {
		return v
	}
	if v, ok := r.pythonRuns(name, c); ok {
		return v
	}
	if v, ok := pythonValues(name, c); ok {
		return v
	}
	if v, ok := r.pythonPaths(name, c); ok {
		return v
	}
	return r.pythonNet(name, c)
}

// pythonFiles are the functions that change or read files.
func (r *reader) pythonFiles(name string, c call) (value, bool) {
	switch name {
	case "os.remove", "os.unlink", "os.rmdir", "remove", "unlink":
		r.op("delete", false, c.arg(0, "path"))
	case "os.removedirs":
		r.op("delete", false, c.arg(0, "name"))
	case "shutil.rmtree", "distutils.dir_util.remove_tree", "send2trash.send2trash", "send2trash":
		r.op("delete", true, c.arg(0, "path"))
	case "shutil.move", "os.rename", "os.replace", "os.renames":
		r.op("move", false, c.arg(0, "src"), c.arg(1, "dst"))
	case "shutil.copy", "shutil.copy2", "shutil.copyfile", "shutil.copytree", "os.link", "os.symlink":
		r.op("copy", name == "shutil.copytree", c.arg(0, "src"), c.arg(1, "dst"))
	case "os.chmod", "os.lchmod":
		r.op("chmod", false, octal(c.arg(1, "mode")), c.arg(0, "path"))
	case "os.chown", "os.lchown", "shutil.chown":
		r.op("chown", false, c.arg(1, "uid", "user"), c.arg(0, "path"))
	case "os.mkdir", "os.makedirs":
		r.op("mkdir", false, c.arg(0, "name", "path"))
	case "os.truncate":
		r.op("overwrite", false, c.arg(0, "path"))
	case "open", "io.open", "codecs.open", "gzip.open", "bz2.open", "lzma.open", "os.open", "zipfile.ZipFile", "tarfile.open", "aiofiles.open":
		how := c.arg(1, "mode")
		if name == "os.open" {
			how = textValue(osFlags(how))
		}
		return r.open(c.arg(0, "file", "name"), how), true
	case "fileinput.input", "fileinput.FileInput":
		if c.truthy("inplace") {
			r.op("overwrite", false, c.arg(0, "files"))
		}
		return value{}, true
	case "os.kill", "os.killpg":
		r.op("kill", false, c.arg(0), c.arg(1))
	case "os.setuid", "os.seteuid":
	default:
		return value{}, false
	}
	return value{}, true
}

// octal writes 0o777 as a shell has it.
func octal(v value) value {
	if v.kind == 't' {
		v.text = strings.TrimPrefix(strings.TrimPrefix(v.text, "0o"), "0O")
	}
	return v
}

// osFlags is the mode that flags of os.open stand for; what is not known may write.
func osFlags(v value) string {
	if v.kind == 'p' && strings.HasSuffix(v.text, "O_RDONLY") {
		return "r"
	}
	return "w"
}

// pythonRuns are the functions that run commands or code.
func (r *reader) pythonRuns(name string, c call) (value, bool) {
	switch name {
	case "os.system", "os.popen", "commands.getoutput", "commands.getstatusoutput", "subprocess.getoutput", "subprocess.getstatusoutput",
		"asyncio.create_subprocess_shell", "posix.system", "pexpect.run", "pexpect.spawn", "fabric.run", "invoke.run", "pty.spawn":
		v := c.arg(0, "cmd", "command")
		if v.kind == 'l' {
			r.run(words(v), c)
			break
		}
		r.shellIn(v, c)
	case "subprocess.run", "subprocess.call", "subprocess.check_call", "subprocess.check_output", "subprocess.Popen":
		r.popen(c.arg(0, "args"), c)
	case "asyncio.create_subprocess_exec", "os.execl", "os.execlp", "os.execle", "os.spawnl", "os.spawnlp":
		args := c.args
		if strings.HasPrefix(name, "os.spawn") {
			args = c.rest(1)
		}
		if strings.HasPrefix(name, "os.") && len(args) > 1 {
			args = append([]value{args[0]}, args[2:]...)
		}
		r.run(words(args...), c)
	case "os.execv", "os.execvp", "os.execve", "os.execvpe", "os.spawnv", "os.spawnvp", "os.posix_spawn", "os.posix_spawnp", "os.spawnve":
		r.execv(strings.Contains(name, "os.spawn"), c)
	default:
		return r.pythonCode(name, c)
	}
	return value{}, true
}

// pythonCode are the functions that run code, or find what is run by its name.
func (r *reader) pythonCode(name string, c call) (value, bool) {
	switch name {
	case "exec", "eval", "compile":
		v := c.arg(0, "source")
		switch {
		case v.known() && v.kind == 't':
			if name != "compile" || len(c.args) > 2 {
				r.nested("python", v.text)
			}
			return v, true
		case v.kind == 'f':
			return value{}, true
		case v.kind == 's' && name == "exec": // no other than to run the file
			r.out = append(r.out, word.Inner{Argv: word.Lits("python", v.text), Via: word.Via{Kind: "code", Detail: "python"}})
			return value{}, true
		}
		r.unsure = r.unsure || name != "compile"
	case "runpy.run_path", "execfile", "importlib.reload":
	case "__import__", "importlib.import_module":
		if v := c.arg(0); v.known() {
			return value{kind: 'p', text: v.text}, true
		}
		return value{}, true
	case "getattr":
		o, n := c.arg(0), c.arg(1)
		if n.known() {
			return part(o, n.text), true
		}
		if o.kind == 'p' && (o.text == "os" || o.text == "shutil" || o.text == "subprocess") {
			r.unsure = true
		}
		return value{}, true
	default:
		return value{}, false
	}
	return value{}, true
}

// execv runs a list behind a program's path.
func (r *reader) execv(spawn bool, c call) {
	args := c.args
	if spawn && len(args) > 0 {
		args = args[1:]
	}
	if len(args) < 2 {
		return
	}
	list := args[1]
	if list.kind == 'l' && len(list.list) > 0 {
		list = value{kind: 'l', list: list.list[1:]}
	}
	r.run(words(args[0], list), c)
}

// popen runs what subprocess is given: a list, or a text, which a shell reads with shell=True.
func (r *reader) popen(v value, c call) {
	shell := c.truthy("shell")
	if e := c.key("executable"); !e.absent() && e.kind == 't' && v.kind == 'l' && len(v.list) > 0 && !shell {
		v = value{kind: 'l', list: append([]value{e}, v.list[1:]...)}
	}
	switch {
	case v.kind == 'l' && shell && len(v.list) > 0:
		r.shellIn(v.list[0], c)
	case v.kind == 'l':
		r.run(words(v), c)
	case shell || v.kind == 0 || v.kind == 'a':
		r.shellIn(v, c)
	case v.kind == 't' && strings.Contains(v.text, " "):
		// Without a shell this fails, except on Windows.
		r.run(words(shellSplit(v)), c)
	default:
		r.run([]word.Arg{v.arg()}, c)
	}
}
