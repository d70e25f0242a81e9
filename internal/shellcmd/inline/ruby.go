package inline

import "strings"

// ruby knows the functions of Ruby's standard library that matter here.
func (r *reader) ruby(c call, method bool) value {
	name := c.name
	if method {
		return r.rubyMethod(c)
	}
	for _, p := range []string{"Kernel.", "Process."} {
		name = strings.TrimPrefix(name, p)
	}
	if n, ok := strings.CutPrefix(name, "FileUtils."); ok {
		return r.fileUtils(n, c)
	}
	if v, ok := r.rubyFiles(name, c); ok {
		return v
	}
	switch name {
	case "system", "exec", "spawn", "Open3.capture2", "Open3.capture3", "Open3.capture2e", "Open3.popen3", "Open3.popen2", "Open3.popen2e", "PTY.spawn", "IO.popen",
		"Open3.pipeline":
		args := c.args
		if len(args) > 1 && args[0].kind == 0 {
			// system({ENV}, "cmd")
			args = args[1:]
		}
		r.execute(c, args, true)
	case "syscall":
		r.unsure = true
	case "eval", "instance_eval", "class_eval", "binding.eval":
		r.evalText("ruby", c.arg(0))
	case "send", "public_send", "__send__", "method", "Object.send", "File.send", "FileUtils.send":
		if n := c.arg(0); n.kind == 't' && len(c.args) > 1 {
			recv := strings.TrimSuffix(name, "send")
			return r.ruby(call{name: recv + n.text, args: c.args[1:], keys: c.keys}, false)
		}
	case "TCPSocket.new", "TCPSocket.open":
		r.op("connect", false, textValue(c.arg(0).str()+":"+c.arg(1).str()))
	case "rm_rf", "rm_r", "rm_f", "rmtree", "remove_dir", "remove_entry", "cp_r", "ln_sf", "ln_s", "mkdir_p", "chmod_R", "chown_R", "rm", "mv", "cp":
		return r.fileUtils(name, c) // include FileUtils
	default:
		if !r.apply(rubyTable(), c, name) {
			return r.rubyValues(name, c)
		}
	}
	return value{}
}

// rubyTable are functions that do one thing with their arguments.
func rubyTable() []row {
	return []row{
		{"Net.HTTP.post Net.HTTP.post_form", "send", "0"},
		{"Net.HTTP.get Net.HTTP.get_response URI.open Net.HTTP.start", "fetch", "0"},
		{"kill", "kill", "0+"},
	}
}

// rubyValues are functions of texts and paths.
func (r *reader) rubyValues(name string, c call) value {
	switch name {
	case "Shellwords.split", "Shellwords.shellsplit":
		return shellSplit(c.arg(0))
	case "Base64.decode64", "Base64.strict_decode64", "Base64.urlsafe_decode64":
		return decodeBase64(c.arg(0))
	case "Dir.home":
		return textValue(r.home())
	case "Dir.pwd", "Dir.getwd":
		return textValue(".")
	case "Dir.glob", "Dir.[]":
		v := c.arg(0)
		v.glob = v.kind == 't'
		return v
	case "URI", "URI.parse", "String", "File.absolute_path", "File.realpath", "Pathname.new", "Pathname":
		return c.arg(0)
	}
	return value{}
}

// evalText reads code that is known, and says so where it is not.
func (r *reader) evalText(lang string, v value) {
	if v.kind == 't' && v.known() {
		r.nested(lang, v.text)
		return
	}
	if v.kind != 'f' {
		r.unsure = true
	}
}

// rubyFiles are the functions of File, Dir and IO.
func (r *reader) rubyFiles(name string, c call) (value, bool) {
	p := c.arg(0)
	switch name {
	case "File.delete", "File.unlink", "Pathname.delete":
		r.op("delete", false, c.args...)
	case "Dir.rmdir", "Dir.delete", "Dir.unlink":
		r.op("delete", false, p)
	case "File.rename":
		r.op("move", false, p, c.arg(1))
	case "File.write", "IO.write", "File.binwrite", "IO.binwrite", "File.truncate":
		if m := c.key("mode"); m.kind == 't' && strings.HasPrefix(m.text, "a") {
			r.op("append", false, p)
			break
		}
		r.op("overwrite", false, p)
	case "File.read", "IO.read", "File.readlines", "IO.readlines", "File.foreach", "IO.foreach", "File.binread":
		r.op("read", false, p)
		return value{}, true
	case "File.open", "File.new", "open":
		if p.kind == 't' && strings.HasPrefix(p.text, "|") {
			r.shell(textValue(p.text[1:]))
			break
		}
		return r.open(p, c.arg(1, "mode")), true
	case "File.chmod":
		r.op("chmod", false, c.args...)
	case "File.chown":
		r.op("chown", false, append([]value{p}, c.rest(2)...)...)
	case "Dir.mkdir":
		r.op("mkdir", false, p)
	case "File.symlink", "File.link", "IO.copy_stream":
		r.op("copy", false, p, c.arg(1))
	case "File.join":
		return joinPath(c.args...), true
	case "File.expand_path":
		if len(c.args) == 2 {
			return joinPath(c.args[1], p), true
		}
		return r.expandUser(p), true
	default:
		return value{}, false
	}
	return value{}, true
}

// fileUtils are the functions of FileUtils.
func (r *reader) fileUtils(name string, c call) value {
	p := c.arg(0)
	switch name {
	case "rm_rf", "rm_r", "rmtree", "remove_entry", "remove_entry_secure", "remove_dir":
		r.op("delete", true, p)
	case "rm", "rm_f", "remove", "remove_file", "safe_unlink", "rmdir":
		r.op("delete", false, p)
	case "mv", "move":
		r.op("move", false, p, c.arg(1))
	case "cp", "copy", "cp_r", "copy_file", "copy_entry", "install", "ln", "ln_s", "ln_sf":
		r.op("copy", strings.HasSuffix(name, "_r"), p, c.arg(1))
	case "chmod", "chmod_R":
		r.op("chmod", name == "chmod_R", octal(p), c.arg(1))
	case "chown", "chown_R":
		r.op("chown", name == "chown_R", p, c.arg(2))
	case "mkdir", "mkdir_p", "mkpath", "makedirs":
		r.op("mkdir", false, p)
	case "touch":
		r.op("write", false, p)
	}
	return value{}
}

// rubyMethod are methods of what is not known by name.
func (r *reader) rubyMethod(c call) value {
	v := c.recv
	switch c.name {
	case "delete", "unlink", "rmtree", "rmdir":
		if v.kind == 't' && len(c.args) == 0 {
			// Pathname.new("x").delete
			r.op("delete", c.name == "rmtree", v)
		}
	case "pack":
		if v.kind == 'l' && len(v.list) > 0 {
			switch f := c.arg(0).text; {
			case strings.HasPrefix(f, "H"):
				return decodeHex(v.list[0])
			case strings.HasPrefix(f, "C"), strings.HasPrefix(f, "U"), strings.HasPrefix(f, "c"):
				return character(v.list...)
			}
		}
	case "unpack", "unpack1":
		if strings.HasPrefix(c.arg(0).text, "m") {
			out := decodeBase64(v)
			if c.name == "unpack" {
				return value{kind: 'l', list: []value{out}}
			}
			return out
		}
	case "first", "last":
		if v.kind == 'l' && len(v.list) == 1 {
			return v.list[0]
		}
	case "execute":
		r.shell(v)
	case "each", "map", "each_with_index", "each_entry", "select", "collect", "flat_map", "each_slice":
		r.block = element(v)
	}
	return value{}
}
