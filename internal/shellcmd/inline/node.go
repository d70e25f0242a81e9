package inline

import (
	"strings"

	"github.com/boathook/boathook/internal/shellcmd/word"
)

// nodeModule is a module's name without what makes no difference.
func nodeModule(s string) string {
	s = strings.TrimPrefix(s, "node:")
	switch s {
	case "fs/promises", "fs-extra", "graceful-fs":
		return "fs"
	}
	return s
}

// node knows the functions of Node, Bun and Deno that matter here.
func (r *reader) node(c call, method bool) value {
	name := c.name
	if method {
		return r.nodeMethod(c)
	}
	for _, p := range []string{"globalThis.", "global.", "window.", "process.mainModule.", "module."} {
		name = strings.TrimPrefix(name, p)
	}
	name = strings.Replace(name, "fs.promises.", "fs.", 1)
	name = strings.TrimSuffix(name, ".default")
	if v, ok := r.nodeFiles(name, c); ok {
		return v
	}
	if v, ok := r.nodeRuns(name, c); ok {
		return v
	}
	return r.nodeValues(name, c)
}

// nodeFiles are the functions that change or read files.
func (r *reader) nodeFiles(name string, c call) (value, bool) {
	base, ok := strings.CutPrefix(name, "fs.")
	if !ok {
		if base, ok = strings.CutPrefix(name, "Deno."); !ok {
			return r.nodePackages(name, c)
		}
	}
	base = strings.TrimSuffix(base, "Sync")
	if r.apply(nodeTable(), c, base) {
		return value{}, true
	}
	p := c.arg(0)
	switch base {
	case "rm", "remove", "rmdir":
		r.op("delete", c.truthy("recursive") || base == "remove" && strings.HasPrefix(name, "fs."), p)
	case "writeFile", "createWriteStream", "truncate", "outputFile", "writeJson", "writeTextFile", "create":
		op := "overwrite"
		if m := c.key("flag", "flags"); m.kind == 't' && strings.HasPrefix(m.text, "a") || c.truthy("append") {
			op = "append"
		}
		r.op(op, false, p)
	case "open":
		return r.open(p, c.arg(1)), true
	case "copyFile", "cp", "copy", "link", "symlink":
		r.op("copy", c.truthy("recursive"), p, c.arg(1))
	case "chmod", "lchmod":
		r.op("chmod", false, octal(c.arg(1)), p)
	case "mkdtemp":
		return concat(p, textValue(word.Unknown)), true
	case "run", "Command":
		v := c.key("cmd")
		if v.absent() {
			v = value{kind: 'l', list: append([]value{p}, c.key("args").list...)}
		}
		r.run(words(v), c)
	default:
		return value{}, false
	}
	return value{}, true
}

// nodeTable are functions of fs and Deno that do one thing with their arguments.
func nodeTable() []row {
	return []row{
		{"unlink", "delete", "0"},
		{"emptyDir", "delete!", "0"},
		{"appendFile", "append", "0"},
		{"readFile createReadStream readTextFile readJson", "read", "0"},
		{"rename move", "move", "01"},
		{"chown lchown", "chown", "10"},
		{"mkdir ensureDir mkdirp", "mkdir", "0"},
		{"kill", "kill", "0+"},
	}
}

// nodePackages are packages that delete.
func (r *reader) nodePackages(name string, c call) (value, bool) {
	switch strings.TrimSuffix(name, ".sync") {
	case "rimraf", "rimraf.rimraf", "rimraf.rimrafSync", "del", "del.deleteAsync", "del.deleteSync", "trash", "shelljs.rm":
		if name == "shelljs.rm" && len(c.args) > 1 {
			r.op("delete", true, c.args[1:]...)
			break
		}
		r.op("delete", true, c.arg(0))
	case "process.kill":
		r.op("kill", false, c.args...)
	case "Bun.write":
		r.op("overwrite", false, c.arg(0))
	case "Bun.file":
		return value{kind: 'P', text: c.arg(0).str()}, true
	default:
		return value{}, false
	}
	return value{}, true
}

// nodeRuns are the functions that run commands or code.
func (r *reader) nodeRuns(name string, c call) (value, bool) {
	switch name {
	case "child_process.exec", "child_process.execSync", "shelljs.exec", "execa.command", "execa.commandSync", "execa.execaCommand":
		r.shellIn(c.arg(0), c)
	case "child_process.spawn", "child_process.spawnSync", "child_process.execFile", "child_process.execFileSync", "execa", "execa.execa", "execa.sync", "cross-spawn",
		"execa.execaSync", "cross-spawn.sync":
		args := c.arg(1)
		if args.kind != 'l' {
			args = value{kind: 'l'}
			if c.arg(1).kind == 0 && !c.arg(1).absent() {
				args.list = []value{{}}
			}
		}
		if c.truthy("shell") {
			parts := append([]value{c.arg(0)}, args.list...)
			r.shellIn(joinTexts(value{kind: 'l', list: parts}, " "), c)
			break
		}
		r.run(words(c.arg(0), args), c)
	case "child_process.fork":
		r.run(append(word.Lits("node"), c.arg(0).arg()), c)
	case "Bun.spawn", "Bun.spawnSync":
		if cmd := c.key("cmd"); !cmd.absent() {
			r.run(words(cmd), c)
			break
		}
		r.run(words(c.arg(0)), c)
	case "eval", "vm.runInThisContext", "vm.runInNewContext", "Function", "vm.Script", "setTimeout", "setInterval":
		r.nodeEval(name, c)
	case "require", "import", "process.binding", "createRequire":
		if v := c.arg(0); v.known() {
			return value{kind: 'p', text: nodeModule(v.text)}, true
		}
		return value{}, true
	default:
		return value{}, false
	}
	return value{}, true
}

// nodeEval reads code that is a text. Timers take functions too, which have been read where they stand.
func (r *reader) nodeEval(name string, c call) {
	v := c.arg(0)
	if name == "Function" && len(c.args) > 0 {
		v = c.args[len(c.args)-1]
	}
	switch {
	case v.kind == 't' && v.known():
		r.nested("node", v.text)
	case name != "setTimeout" && name != "setInterval":
		r.unsure = true
	}
}

// nodeValues are functions of texts and paths.
func (r *reader) nodeValues(name string, c call) value {
	v := c.arg(0)
	switch name {
	case "path.join", "path.resolve", "path.posix.join":
		if name == "path.join" && len(c.args) > 1 && strings.HasPrefix(c.args[1].text, "/") {
			c.args[1].text = strings.TrimLeft(c.args[1].text, "/")
		}
		return joinPath(c.args...)
	case "path.normalize", "String", "decodeURIComponent", "unescape", "encodeURI":
		return v
	case "os.homedir":
		return textValue(r.home())
	case "os.tmpdir":
		return textValue("/tmp")
	case "process.cwd":
		return textValue(".")
	case "String.fromCharCode", "String.fromCodePoint":
		return character(c.args...)
	case "atob":
		return decodeBase64(v)
	case "Buffer.from", "Buffer":
		switch c.arg(1).text {
		case "base64", "base64url":
			return decodeBase64(v)
		case "hex":
			return decodeHex(v)
		}
		return bytesOf(v)
	default:
		r.nodeNet(name, c)
	}
	return value{}
}

// nodeMethod are methods of what is not known by name.
func (r *reader) nodeMethod(c call) value {
	v := c.recv
	switch {
	case v.kind == 'P' && (c.name == "unlink" || c.name == "delete"):
		r.op("delete", false, v)
	case v.kind == 'P' && (c.name == "text" || c.name == "json"):
		r.op("read", false, v)
	case c.name == "constructor":
		// [].constructor.constructor("code")() and its like.
		if a := c.arg(0); a.kind == 't' {
			r.nested("node", a.text)
		}
	case v.kind == 'l' && (c.name == "forEach" || c.name == "map"):
		// The function has been read already, with its parameter not known.
	}
	return value{}
}

// nodeNet are the functions that talk to the network.
func (r *reader) nodeNet(name string, c call) {
	v := c.arg(0)
	switch name {
	case "fetch", "axios", "axios.post", "axios.put", "axios.patch", "axios.get", "got", "got.post", "undici.fetch", "undici.request", "superagent.post":
		op := "fetch"
		if m := c.key("method"); m.kind == 't' && !strings.EqualFold(m.text, "GET") && !strings.EqualFold(m.text, "HEAD") || strings.Contains(name, ".p") || !c.key("body").absent() {
			op = "send"
		}
		r.op(op, false, v)
	case "http.request", "https.request", "http.get", "https.get":
		op := "fetch"
		if m := c.key("method"); m.kind == 't' && m.text != "GET" && m.text != "HEAD" {
			op = "send"
		}
		if h := c.key("hostname", "host"); !h.absent() {
			v = h
		}
		r.op(op, false, v)
	case "net.connect", "net.createConnection", "tls.connect":
		if h := c.key("host"); !h.absent() {
			v = h
		}
		if len(c.args) > 1 && c.args[1].kind == 't' {
			v = textValue(c.args[1].text + ":" + c.args[0].str())
		}
		r.op("connect", false, v)
	}
}
