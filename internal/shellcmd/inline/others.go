package inline

import (
	"strings"

	"github.com/boathook/boathook/internal/shellcmd/word"
)

// php knows the functions of PHP that matter here.
func (r *reader) php(c call, method bool) value {
	if method {
		return value{}
	}
	name := strings.ToLower(strings.TrimPrefix(c.name, `\`))
	if r.apply(phpTable(), c, name) {
		return value{}
	}
	if v, ok := r.phpFiles(name, c); ok {
		return v
	}
	if v, ok := r.phpValues(name, c); ok {
		return v
	}
	p := c.arg(0)
	switch name {
	case "proc_open":
		if p.kind == 'l' {
			r.run(words(p), c)
		} else {
			r.shell(p)
		}
	case "eval", "assert", "create_function":
		if name != "assert" || p.kind == 't' {
			r.evalText("php", p)
		}
	case "array_map", "array_walk", "array_filter", "usort", "register_shutdown_function", "iterator_apply", "array_reduce":
		f, over := p, c.rest(1)
		if name != "array_map" && name != "register_shutdown_function" && len(over) > 0 {
			f, over = over[0], []value{p}
		}
		if f.kind == 't' && f.known() {
			r.php(call{name: f.text, args: over, keys: c.keys}, false)
		}
	case "call_user_func", "call_user_func_array":
		if p.kind == 't' && p.known() {
			return r.php(call{name: p.text, args: c.rest(1), keys: c.keys}, false)
		}
		r.unsure = true
	default:
		if v, ok := r.vars[c.name]; ok && v.kind == 't' && v.text != c.name && strings.HasPrefix(c.name, "$") {
			return r.php(call{name: v.text, args: c.args, keys: c.keys}, false)
		}
	}
	return value{}
}

// phpTable are functions that do one thing with their arguments.
func phpTable() []row {
	return []row{
		{"system exec shell_exec passthru popen", "shell", "0"},
		{"pcntl_exec", "run", "01"},
		{"unlink rmdir", "delete", "0"},
		{"rename", "move", "01"},
		{"copy link symlink", "copy", "01"},
		{"touch", "write", "0"},
		{"chmod", "chmod", "10"},
		{"chown", "chown", "10"},
		{"mkdir", "mkdir", "0"},
		{"posix_kill", "kill", "0+"},
		{"fsockopen stream_socket_client", "connect", "0"},
	}
}

// phpFiles are the functions that read and write files, or what a URL names.
func (r *reader) phpFiles(name string, c call) (value, bool) {
	p := c.arg(0)
	stream := p.kind == 't' && strings.HasPrefix(p.text, "php:")
	switch name {
	case "file_put_contents":
		op := "overwrite"
		if f := c.arg(2); f.kind == 'p' && strings.Contains(f.text, "APPEND") {
			op = "append"
		}
		r.op(op, false, p)
	case "file_get_contents", "file", "readfile", "include", "require", "include_once", "require_once", "highlight_file":
		switch {
		case stream || p.kind != 't':
		case strings.Contains(p.text, "://"):
			r.op("fetch", false, p)
		default:
			r.op("read", false, p)
		}
	case "fopen":
		if !stream {
			return r.open(p, c.arg(1)), true
		}
	case "curl_init":
		if p.kind == 't' {
			r.op("send", false, p)
		}
	default:
		return value{}, false
	}
	return value{}, true
}

// phpValues are functions of texts.
func (r *reader) phpValues(name string, c call) (value, bool) {
	p := c.arg(0)
	switch name {
	case "base64_decode":
		return decodeBase64(p), true
	case "hex2bin":
		return decodeHex(p), true
	case "str_rot13":
		return rot13(p), true
	case "strrev":
		if p.kind == 't' {
			return textValue(reverse(p.text)), true
		}
	case "chr":
		return character(p), true
	case "implode", "join":
		if p.kind == 't' {
			return joinTexts(c.arg(1), p.text), true
		}
		return joinTexts(p, ""), true
	case "getenv":
		return r.variable(p.str()), true
	case "glob":
		p.glob = p.kind == 't'
		return p, true
	case "trim", "strval", "escapeshellarg", "escapeshellcmd", "realpath":
		return p, true
	case "array":
		return value{kind: 'l', list: c.args}, true
	}
	return value{}, false
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
		return r.otherMethod(c)
	}
	if c.truthy("recursive") && word.Listed("unlink rm", name) {
		r.op("delete", true, c.args[:min(1, len(c.args))]...)
		return value{}
	}
	if r.apply(otherTable(), c, name) {
		return value{}
	}
	switch name {
	case "File", "file", "java.io.File":
		return value{kind: 'f', text: p.str()}
	case "file.path", "joinpath", "Path.join":
		return joinPath(c.args...)
	case "c":
		return value{kind: 'l', list: c.args}
	case "paste0":
		return joinTexts(value{kind: 'l', list: c.args}, "")
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
	}
	return value{}
}

// otherTable are functions that do one thing with their arguments.
func otherTable() []row {
	return []row{
		{"system shell System.shell run readall Sys.command execShellCmd execCmd os:cmd", "shell", "0"},
		{"system2 System.cmd", "run", "0+"},
		{"unlink file.remove rm File.rm File.rm! File.rmdir File.delete Files.delete os.removeFile Sys.remove", "delete", "0"},
		{"File.rm_rf File.rm_rf! fs.removeDir removeDir", "delete!", "0"},
		{"file.rename mv File.rename File.rename!", "move", "01"},
		{"File.write File.write! write.csv saveRDS writeFile", "overwrite", "0"},
		{"writeLines", "overwrite", "1"},
		{"File.read File.read! readLines readRDS readFile", "read", "0"},
		{"download.file download", "fetch", "0"},
	}
}

// otherMethod are methods of Groovy.
func (r *reader) otherMethod(c call) value {
	switch {
	case c.name == "execute" && r.lang == "groovy" && c.recv.kind == 'l':
		r.run(words(c.recv), c)
	case c.name == "execute" && r.lang == "groovy":
		r.shell(c.recv)
	case (c.name == "deleteDir" || c.name == "delete") && c.recv.kind == 'f':
		r.op("delete", c.name == "deleteDir", c.recv)
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
