package inline

import (
	"strings"

	"github.com/boathook/boathook/internal/shellcmd/word"
)

// pythonValues are functions of texts.
func pythonValues(name string, c call) (value, bool) {
	v := c.arg(0)
	switch name {
	case "chr":
		return character(v), true
	case "str", "bytes", "bytearray", "list", "tuple", "print", "repr", "iter", "set", "sorted", "os.fsdecode", "os.fspath", "os.fsencode":
		if (name == "bytes" || name == "bytearray") && v.kind == 'l' {
			return bytesOf(v), true
		}
		if v.kind == 'P' && name == "str" {
			v.kind = 't'
		}
		return v, v.kind != 'p'
	case "map":
		if f, l := c.arg(0), c.arg(1); f.kind == 'p' && f.text == "chr" && l.kind == 'l' {
			return character(l.list...), true
		}
		return value{}, true
	case "reversed":
		if v.kind == 't' {
			return textValue(reverse(v.text)), true
		}
	case "bytes.fromhex", "bytearray.fromhex", "binascii.unhexlify", "binascii.a2b_hex":
		return decodeHex(v), true
	case "base64.b64decode", "base64.standard_b64decode", "base64.urlsafe_b64decode", "base64.decodebytes", "binascii.a2b_base64":
		return decodeBase64(v), true
	case "codecs.decode", "codecs.encode":
		m := v
		return textMethod(call{name: "decode", recv: m, args: c.rest(1)})
	case "shlex.split":
		return shellSplit(v), true
	case "shlex.quote", "pipes.quote":
		if v.kind == 't' {
			return textValue("'" + strings.ReplaceAll(v.text, "'", `'\''`) + "'"), true
		}
		return value{}, true
	case "shlex.join":
		return joinTexts(v, " "), true
	case "os.getenv", "os.environ.get":
		return value{kind: 'k', text: "env", list: []value{v}}, true
	}
	return value{}, false
}

// pythonPaths are functions of paths.
func (r *reader) pythonPaths(name string, c call) (value, bool) {
	v := c.arg(0)
	switch name {
	case "os.path.join", "posixpath.join", "os.path.posixpath.join":
		return joinPath(c.args...), true
	case "os.path.expanduser", "os.path.expandvars":
		return r.expandUser(v), true
	case "os.path.abspath", "os.path.realpath", "os.path.normpath":
		return v, true
	case "os.path.dirname":
		if v.known() {
			return textValue(v.text[:max(0, strings.LastIndexByte(v.text, '/'))]), true
		}
		return value{}, true
	case "os.getcwd", "os.getcwdb", "pathlib.Path.cwd", "Path.cwd":
		return value{kind: 'P', text: "."}, true
	case "pathlib.Path.home", "Path.home":
		return value{kind: 'P', text: r.home()}, true
	case "pathlib.Path", "pathlib.PosixPath", "pathlib.WindowsPath", "Path", "pathlib.PurePath":
		if len(c.args) == 0 {
			return value{kind: 'P', text: "."}, true
		}
		p := joinPath(c.args...)
		p.kind = 'P'
		return p, true
	case "glob.glob", "glob.iglob", "glob":
		if v.kind == 't' {
			v.glob = true
			return v, true
		}
		return value{}, true
	case "os.listdir", "os.scandir", "os.walk":
		return value{}, true
	case "tempfile.mkdtemp", "tempfile.mktemp", "tempfile.gettempdir", "tempfile.NamedTemporaryFile", "tempfile.TemporaryDirectory", "tempfile.mkstemp":
		return textValue("/tmp/" + word.Unknown), true
	case "os.chdir":
		return value{}, true
	}
	return value{}, false
}

// expandUser puts the home in the place of ~.
func (r *reader) expandUser(v value) value {
	if v.kind != 't' && v.kind != 'P' {
		return value{}
	}
	if v.text == "~" || strings.HasPrefix(v.text, "~/") {
		v.text = r.home() + v.text[1:]
	}
	if strings.HasPrefix(v.text, "$HOME") {
		v.text = r.home() + v.text[5:]
	}
	return v
}

// pythonNet are the functions that talk to the network.
func (r *reader) pythonNet(name string, c call) value {
	switch name {
	case "requests.post", "requests.put", "requests.patch", "httpx.post", "httpx.put", "httpx.patch", "requests.delete":
		r.op("send", false, c.arg(0, "url"))
	case "requests.get", "httpx.get", "requests.head", "urllib.request.urlretrieve", "wget.download", "urllib.urlopen", "urllib2.urlopen":
		r.op("fetch", false, c.arg(0, "url"))
	case "requests.request", "httpx.request":
		r.op("send", false, c.arg(1, "url"))
	case "urllib.request.urlopen", "urllib.request.Request":
		data := c.arg(1, "data")
		if u := c.arg(0, "url"); u.kind == 't' {
			op := "fetch"
			if !data.absent() && !data.falsy() {
				op = "send"
			}
			r.op(op, false, u)
		}
	case "http.client.HTTPConnection", "http.client.HTTPSConnection", "ftplib.FTP", "smtplib.SMTP", "smtplib.SMTP_SSL", "telnetlib.Telnet", "paramiko.Transport":
		r.op("connect", false, c.arg(0, "host"))
	case "socket.create_connection":
		r.op("connect", false, host(c.arg(0)))
	case "socket.socket":
		return value{kind: 'p', text: "socket.socket()"}
	case "socket.socket().connect", "socket.socket().connect_ex":
		r.op("connect", false, host(c.arg(0)))
	}
	return value{}
}

// host is host:port of a pair.
func host(v value) value {
	if v.kind == 'l' && len(v.list) > 1 {
		return textValue(v.list[0].str() + ":" + v.list[1].str())
	}
	return v
}

// pythonMethod are methods of paths and files, also where what they belong to is not known.
func (r *reader) pythonMethod(c call) value {
	v := c.recv
	if v.kind == 'k' && v.text == "env" {
		return value{}
	}
	path := v.kind == 'P' || v.kind == 'a' && len(v.list) > 0 && v.list[0].kind == 'P'
	switch c.name {
	case "unlink", "rmdir":
		if v.kind != 't' && v.kind != 'l' {
			r.op("delete", false, v)
		}
		return value{}
	case "rmtree", "removedirs":
		// An unknown thing's: path.py, fabric.
		if v.kind == 0 && len(c.args) == 0 {
			r.op("delete", true, v)
		}
	}
	if path {
		return r.pathMethod(c)
	}
	switch c.name {
	case "read":
		if path := v.str(); v.kind == 'f' && isScript(path) && len(c.args) == 0 {
			return value{kind: 's', text: path}
		}
		return value{}
	case "readlines", "readline":
		return value{}
	case "extractall":
		return value{}
	}
	return value{}
}

// isScript tells a file of Python's by its name.
func isScript(path string) bool {
	return strings.HasSuffix(path, ".py") && !strings.Contains(path, word.Unknown)
}

// pathMethod are the methods of pathlib's paths.
func (r *reader) pathMethod(c call) value {
	v := c.recv
	same := func(s string) value { return value{kind: 'P', text: s} }
	switch c.name {
	case "write_text", "write_bytes":
		r.op("overwrite", false, v)
	case "touch":
		r.op("write", false, v)
	case "read_text", "read_bytes":
		r.op("read", false, v)
	case "open":
		return r.open(v, c.arg(0, "mode"))
	case "rename", "replace":
		r.op("move", false, v, c.arg(0))
	case "chmod":
		r.op("chmod", false, octal(c.arg(0)), v)
	case "mkdir":
		r.op("mkdir", false, v)
	case "resolve", "absolute", "as_posix":
		return v
	case "expanduser":
		return r.expandUser(v)
	case "joinpath":
		p := joinPath(append([]value{v}, c.args...)...)
		p.kind = 'P'
		return p
	case "home":
		return same(r.home())
	case "glob", "rglob":
		if p := c.arg(0); p.kind == 't' && v.kind == 'P' {
			return same(strings.TrimSuffix(v.text, "/") + "/" + word.Unknown + p.text[strings.LastIndexAny(p.text, "*?]/")+1:])
		}
	case "iterdir":
		return same(strings.TrimSuffix(v.str(), "/") + "/" + word.Unknown)
	case "with_suffix", "with_name":
		return same(v.str() + word.Unknown)
	}
	return value{}
}
