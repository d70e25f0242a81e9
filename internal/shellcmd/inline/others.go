package inline

import (
	"strings"

	"github.com/boathook/boathook/internal/shellcmd/word"
)

// php knows the functions of PHP that matter here.
func (r *reader) php(c call, method bool) value {
	p := c.arg(0)
	if method {
		return value{}
	}
	switch strings.ToLower(strings.TrimPrefix(c.name, `\`)) {
	case "system", "exec", "shell_exec", "passthru", "popen":
		r.shell(p)
	case "proc_open", "pcntl_exec":
		if p.kind == 'l' || c.name == "pcntl_exec" {
			r.run(words(c.args[:min(len(c.args), 2)]...), c)
			break
		}
		r.shell(p)
	case "unlink", "rmdir":
		r.op("delete", false, p)
	case "rename":
		r.op("move", false, p, c.arg(1))
	case "copy", "link", "symlink":
		r.op("copy", false, p, c.arg(1))
	case "file_put_contents":
		if f := c.arg(2); f.kind == 'p' && strings.Contains(f.text, "APPEND") {
			r.op("append", false, p)
			break
		}
		r.op("overwrite", false, p)
	case "file_get_contents", "file", "readfile", "include", "require", "include_once", "require_once", "highlight_file":
		if strings.Contains(p.text, "://") && p.kind == 't' && !strings.HasPrefix(p.text, "php:") {
			r.op("fetch", false, p)
		} else if p.kind == 't' && !strings.HasPrefix(p.text, "php:") {
			r.op("read", false, p)
		}
	case "fopen":
		if p.kind == 't' && strings.HasPrefix(p.text, "php:") {
			break
		}
		return r.open(p, c.arg(1))
	case "touch":
		r.op("write", false, p)
	case "chmod":
		r.op("chmod", false, c.arg(1), p)
	case "chown":
		r.op("chown", false, c.arg(1), p)
	case "mkdir":
		r.op("mkdir", false, p)
	case "posix_kill":
		r.op("kill", false, c.args...)
	case "eval", "assert", "create_function":
		if c.name != "assert" || p.kind == 't' {
			r.evalText("php", p)
		}
	case "call_user_func", "call_user_func_array":
		if p.kind == 't' && p.known() {
			return r.php(call{name: p.text, args: c.rest(1), keys: c.keys}, false)
		}
		r.unsure = true
	case "base64_decode":
		return decodeBase64(p)
	case "hex2bin":
		return decodeHex(p)
	case "str_rot13":
		return rot13(p)
	case "strrev":
		if p.kind == 't' {
			return textValue(reverse(p.text))
		}
	case "chr":
		return character(p)
	case "implode", "join":
		if p.kind == 't' {
			return joinTexts(c.arg(1), p.text)
		}
		return joinTexts(p, "")
	case "getenv":
		return r.variable(p.str())
	case "glob":
		p.glob = p.kind == 't'
		return p
	case "trim", "strval", "escapeshellarg", "escapeshellcmd", "realpath":
		return p
	case "array":
		return value{kind: 'l', list: c.args}
	case "fsockopen", "stream_socket_client":
		r.op("connect", false, p)
	case "curl_init":
		if p.kind == 't' {
			r.op("send", false, p)
		}
	default:
		if v, ok := r.vars[c.name]; ok && v.kind == 't' {
			return r.php(call{name: v.text, args: c.args, keys: c.keys}, false)
		}
	}
	return value{}
}

// lua knows the functions of Lua that matter here.
func (r *reader) lua(c call, method bool) value {
	p := c.arg(0)
	if method {
		return value{}
	}
	switch c.name {
	case "os.execute", "io.popen", "vim.fn.system", "vim.fn.systemlist":
		if p.kind == 'l' {
			r.run(words(p), c)
			break
		}
		r.shell(p)
	case "os.remove", "lfs.rmdir", "vim.fn.delete", "vim.loop.fs_unlink", "vim.uv.fs_unlink":
		r.op("delete", c.name == "vim.fn.delete" && strings.Contains(c.arg(1).text, "r"), p)
	case "os.rename":
		r.op("move", false, p, c.arg(1))
	case "io.open":
		return r.open(p, c.arg(1))
	case "io.output":
		r.op("overwrite", false, p)
	case "io.lines", "io.input", "dofile":
		r.op("read", false, p)
	case "load", "loadstring":
		if p.kind == 't' {
			r.evalText("lua", p)
		}
	case "os.getenv":
		return r.variable(p.str())
	case "string.char":
		return character(c.args...)
	case "string.reverse":
		if p.kind == 't' {
			return textValue(reverse(p.text))
		}
	case "table.concat":
		sep := ""
		if s := c.arg(1); s.kind == 't' {
			sep = s.text
		}
		return joinTexts(p, sep)
	case "require":
		return value{kind: 'p', text: p.str()}
	}
	return value{}
}

// other knows some functions of languages that are seldom used in a command.
func (r *reader) other(c call, method bool) value {
	p := c.arg(0)
	name := c.name
	if method {
		if name == "execute" && r.lang == "groovy" {
			if c.recv.kind == 'l' {
				r.run(words(c.recv), c)
			} else {
				r.shell(c.recv)
			}
		}
		if (name == "deleteDir" || name == "delete") && c.recv.kind == 'f' {
			r.op("delete", name == "deleteDir", c.recv)
		}
		return value{}
	}
	switch name {
	case "system", "shell", "System.shell", "run", "readall", "Sys.command", "execShellCmd", "execCmd", "os:cmd":
		r.shell(p)
	case "system2", "System.cmd":
		r.run(words(c.args...), c)
	case "unlink", "file.remove", "rm", "File.rm", "File.rm!", "File.rmdir", "File.delete", "Files.delete", "os.removeFile", "Sys.remove":
		r.op("delete", c.truthy("recursive"), c.args[:min(1, len(c.args))]...)
	case "File.rm_rf", "File.rm_rf!", "fs.removeDir", "removeDir":
		r.op("delete", true, p)
	case "file.rename", "mv", "File.rename", "File.rename!":
		r.op("move", false, p, c.arg(1))
	case "File.write", "File.write!", "writeLines", "write.csv", "saveRDS", "writeFile":
		r.op("overwrite", false, c.args[:min(1, len(c.args))]...)
	case "File.read", "File.read!", "readLines", "readRDS", "readFile":
		r.op("read", false, p)
	case "File", "new File", "file", "java.io.File":
		return value{kind: 'f', text: p.str()}
	case "file.path", "joinpath", "Path.join":
		return joinPath(c.args...)
	case "c", "paste0":
		if name == "paste0" {
			return joinTexts(value{kind: 'l', list: c.args}, "")
		}
		return value{kind: 'l', list: c.args}
	case "homedir", "System.user_home!", "System.user_home":
		return textValue(r.home())
	case "Sys.getenv", "System.get_env":
		return r.variable(p.str())
	case "eval", "parse", "Code.eval_string", "Meta.parse", "include_string":
		if p.kind == 't' && name != "parse" {
			r.evalText(r.lang, p)
		} else if t := c.key("text"); t.kind == 't' {
			r.evalText(r.lang, t)
		}
	case "download.file", "download":
		r.op("fetch", false, p)
	}
	return value{}
}

// applescript reads do shell script "…" and the text of tell application "Finder" to delete.
func (r *reader) applescript(code string) {
	for n := 0; n < maxInner; n++ {
		i := strings.Index(code, "do shell script")
		if i < 0 {
			break
		}
		code = code[i+len("do shell script"):]
		t, rest, ok := quotedText(strings.TrimLeft(code, " ("))
		if !ok {
			t, rest = word.Unknown, code
		}
		if strings.HasPrefix(strings.TrimLeft(rest, " "), "&") {
			t += word.Unknown
		}
		in := word.Inner{Text: &word.Data{Given: true, Text: t}, Lang: "sh", Args: word.Lits("sh")}
		if line, _, _ := strings.Cut(rest, "\n"); strings.Contains(line, "administrator privileges") {
			in.User = "root"
		}
		r.emit(in)
		code = rest
	}
}

// quotedText reads a text in double quotes.
func quotedText(s string) (text, rest string, ok bool) {
	if s == "" || s[0] != '"' {
		return "", s, false
	}
	for i := 1; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '"':
			return unescape(s[1:i], false), s[i+1:], true
		}
	}
	return "", s, false
}
