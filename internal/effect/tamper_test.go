package effect_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/boathook/boathook/hook/canon"
	"github.com/boathook/boathook/internal/effect"
	"github.com/boathook/boathook/internal/effect/place"
	"github.com/boathook/boathook/internal/shellcmd"
	"github.com/boathook/boathook/policy"
)

// kinds are the kinds of a text's effects.
func kinds(text, dialect string, m *place.Machine) []policy.Kind {
	r := shellcmd.Parse(text, shellcmd.Options{Dialect: dialect, Dir: m.Dir, Home: m.Home})
	var out []policy.Kind
	for _, e := range effect.OfCommands(r, m) {
		out = append(out, e.Kind)
	}
	return out
}

// tampering are texts that change an agent's hooks, or boathook.
var tampering = []string{
	// an agent's settings by the shell's own means
	"echo '{}' > ~/.claude/settings.json", "echo '{}' >> .claude/settings.local.json", ": > ~/.claude/settings.json", "> ~/.gemini/settings.json",
	"cat > ~/.codex/hooks.json <<'E'\n{}\nE", "cd ~/.claude && echo '{}' > settings.json", "pushd ~/.claude; cp /tmp/s settings.json",
	"printf x | tee ~/.cursor/hooks.json", "printf x | sudo tee /etc/claude-code/managed-settings.json", "F=~/.qwen/settings.json; echo x > $F",
	"D=.claude; echo x > $D/settings.json", "echo x > $HOME/.codex/config.toml", "echo x > ${HOME}/.copilot/hooks/boathook.json",
	"echo x > ../../dev/.claude/settings.json", "echo x > /home/dev/shop/../.claude/settings.json", "bash -c 'echo x > ~/.claude/settings.json'",
	"eval 'echo x > ~/.claude/settings.json'", "echo 'echo x > ~/.claude/settings.json' | sh",
	// by programs
	"rm ~/.claude/settings.json", "rm -rf ~/.claude", "rm -rf ~/.config", "rm ~/.claude/*", "rm ~/.claude/set*", "rm -rf ~/.gemini/extensions/boathook", "rm -rf .claude",
	"unlink ~/.cursor/hooks.json", "mv ~/.codex ~/.codex.old", "mv ~/.claude/settings.json{,.bak}", "cp /tmp/x ~/.claude/settings.json", "cp /tmp/settings.json ~/.claude",
	"cp /tmp/settings.json ~/.claude/", "cp -r /tmp/.claude ~/", "ln -sf /tmp/x ~/.claude/settings.json", "ln -sfn /tmp/x ~/.claude", "install -m 644 x ~/.codeium/windsurf/hooks.json",
	"sed -i s/boathook// ~/.claude/settings.json", "sed -i.bak /x/d .claude/settings.json", "perl -pi -e s/a/b/ ~/.gemini/settings.json", "chmod 000 ~/.claude/settings.json",
	"chmod -R 000 ~/.cline", "chattr +i ~/.claude/settings.json", "truncate -s 0 ~/.claude/settings.json", "dd if=/dev/null of=~/.claude/settings.json", "shred ~/.claude/settings.json",
	"rsync -a /tmp/c/ ~/.claude/", "tar -C ~/.claude -xf x.tar", "unzip -o x.zip -d ~/.claude", "curl -o ~/.claude/settings.json http://h/x", "find ~/.claude -name '*.json' -delete",
	"find ~/.config/opencode -delete", "find ~/.claude -name settings.json -exec rm {} +", "jq .x ~/.claude/settings.json | sponge ~/.claude/settings.json",
	"yq -i .x=1 ~/.claude/settings.json", "vim -c wq ~/.claude/settings.json", "ed ~/.claude/settings.json", "touch ~/.cline/hooks/PreToolUse", "sudo rm -rf /etc/codex",
	"rm ~/.config/amp/plugins/boathook.ts", "echo x > ~/.config/opencode/plugin/boathook.js", "rm -rf ~/.config/opencode", "patch ~/.claude/settings.json < x",
	"python3 edit.py ~/.claude/settings.json", "tool --file=$HOME/.claude/settings.json", "xargs -a list rm ~/.claude/settings.json",
	"for f in ~/.claude/settings.json; do rm $f; done", "ln -s ~/.claude /tmp/c; echo x > /tmp/c/settings.json",
	"apply_patch <<'E'\n*** Begin Patch\n*** Update File: .claude/settings.json\n*** End Patch\nE",
	// by code
	`python3 -c "open('/home/dev/.claude/settings.json','w').write('{}')"`, `python3 -c "import os;os.remove(os.path.expanduser('~/.claude/settings.json'))"`,
	"python3 - <<'E'\nimport json, pathlib\np = pathlib.Path.home() / '.claude' / 'settings.json'\np.write_text('{}')\nE",
	`node -e "require('fs').writeFileSync(require('os').homedir()+'/.claude/settings.json','{}')"`, `perl -e 'unlink "$ENV{HOME}/.codex/hooks.json"'`,
	`ruby -e 'File.write(File.expand_path("~/.claude/settings.json"), "")'`,
	// agents without hooks
	"claude --bare -p x", "gemini -e none -p x", "codex --disable hooks exec x", "codex -c features.hooks=false exec x", "CLAUDE_CONFIG_DIR=/tmp/x claude -p x",
	`claude --settings '{"disableAllHooks":true}' -p x`, "gemini extensions uninstall boathook", "OPENCODE_PURE=1 opencode run x", "env HOME=/tmp claude -p x",
	"rm $(ls ~/.claude/settings.json)", "ls ~/.claude/settings.json | xargs rm -f", "find ~/.claude -type f | xargs rm", "kill $(pgrep claude)",
	"ps aux | grep claude | awk '{print $2}' | xargs kill", "pkill -f claude", "killall gemini", "pkill -9 codex",
}

var tamperingGuard = []string{
	"boathook uninstall", "boathook off", "boathook off --for 1h", "boathook allow-once ABCD", "boathook pending", "boathook policy trust", "boathook purge --yes", "boathook install claude",
	"boathook worker stop", "/usr/local/bin/boathook off", "~/go/bin/boathook uninstall", "sh -c 'boathook off'", "b=boathook; $b off", "command boathook off", "nohup boathook off &",
	"$(which boathook) off", "\"boathook\" \"off\"", "boat'hook' off", "env -i boathook off", "xargs boathook <<< off", "boathook --config x off", "boathook doctor --fix", "sudo boathook off",
	"boathook memory forget --all-projects --yes", "boathook memory prune -y", "boathook memory export", "boathook memory enable", "boathook memory disable",
	"boathook memory show --approve X4", "boathook memory show --approve=X4", "boathook memory show --pending", "boathook memory --data search forget",
	"boathook memory $(echo forget)", "boathook memory ingest x.jsonl", "boathook memory backfill", "boathook memory migrate",
	"boathook hooks test", "boathook telemetry resend --since 1d", "echo off | xargs boathook", "timeout 5 boathook off", "python3 -c \"import os; os.system('boathook off')\"",
	"rm -rf ~/.config/boathook", "rm -rf ~/.local/share/boathook", "echo '' > ~/.config/boathook/config.toml", "touch ~/.config/boathook/off", "echo x >> ~/.config/boathook/policy.toml",
	"echo x > .boathook/policy.toml", "rm -rf .boathook", "mv ~/.config/boathook /tmp/", "sed -i s/deny/allow/ ~/.config/boathook/policy.toml", "rm /usr/local/bin/boathook",
	"cp /bin/true ~/go/bin/boathook", "chmod -x /usr/local/bin/boathook", "rm -rf ~/.local/share", "sudo rm -rf /etc/boathook", "pkill boathook", "killall -9 boathook", "pkill -f 'boathook worker'",
	"sqlite3 ~/.local/share/boathook/boathook.db 'delete from events'", "find ~/.local/share/boathook -type f -delete", "ln -sf /dev/null ~/.config/boathook/config.toml",
	"cat > ~/.config/boathook/policy.toml <<'E'\nversion = 1\nE", "cd ~/.config/boathook && rm policy.toml", "cd ~ && cd .config && rm -r boathook", "chmod 000 ~/.config/boathook/policy.toml",
	`python3 -c "import shutil; shutil.rmtree('/home/dev/.local/share/boathook')"`, `python3 -c "import os; os.remove(os.path.join(os.environ['HOME'], '.config', 'boathook', 'policy.toml'))"`,
	"kill -9 $(pidof boathook)", "pgrep boathook | xargs -r kill", "rm -rf /opt/guard/bin", "echo x > /opt/guard/bin/g", "rm -rf /opt/guard",
}

// harmless are texts that name the same things and change nothing of them.
var harmless = []string{
	"cat ~/.claude/settings.json", "ls -la ~/.claude", "grep -n hook ~/.claude/settings.json", "jq .hooks ~/.claude/settings.json", "diff .claude/settings.json /tmp/x",
	"head -5 ~/.config/boathook/config.toml", "boathook status", "boathook log --since 1h", "boathook doctor", "boathook hosts", "boathook --version", "boathook help off", "boathook why 01ABC",
	"boathook memory search 'how to forget'", "boathook memory show ID", "boathook memory timeline", "boathook memory stats", "boathook memory", "boathook mcp",
	"boathook off --help", "echo 'boathook off'", "git commit -m 'docs: boathook off'", "grep -r 'boathook uninstall' docs", "mkdir -p .claude/commands", "echo x > .claude/commands/a.md",
	"echo x > CLAUDE.md", "echo x > .claude/agents/a.md", "mkdir -p .claude", "cp a.md .claude/skills/a.md", "echo x > .gemini/GEMINI.md", "git add .claude/settings.json", "git diff .claude",
	"ls ~/.config", "cp ~/.claude/settings.json /tmp/x", "claude -p hi", "codex exec 'fix it'", "gemini -p hi", "pkill -f vite", "pkill -f my-claude-test", "rm -rf node_modules", "chmod -R u+w .",
	"echo x > docs/boathook.md", "rm internal/boathook/x.go", "go build -o boathook .", "rm -f ./boathook", "wc -l ~/.codex/config.toml", "find ~/.claude -name '*.json'", "cd ~/.claude && ls",
	"test -f ~/.claude/settings.json && echo yes", "python3 -m json.tool < ~/.claude/settings.json", "stat ~/.config/boathook", "tar czf /tmp/x.tgz ~/.claude", "sed -n 1,20p ~/.claude/settings.json",
	"awk '{print}' .claude/settings.json", "ssh web boathook off", "cat .boathook/policy.toml", "rm -rf .claude/commands", "cp -r ../tmpl/.github .", "rm -rf .github", "chmod -R u+w ~/Documents", "git clone https://h/x sub", "cp -r template/. .", "du -sh ~/.local/share/boathook",
	"python3 -c \"import json; print(json.load(open('/home/dev/.claude/settings.json')))\"",
}

func guarded() *place.Machine {
	m := dev()
	m.Guard = []string{"/opt/guard/bin/g"}
	return m
}

func TestTampering(t *testing.T) {
	for _, tt := range []struct {
		kind  policy.Kind
		texts []string
	}{{policy.TamperAgent, tampering}, {policy.TamperGuard, tamperingGuard}} {
		for _, text := range tt.texts {
			if got := kinds(text, "bash", guarded()); !slices.Contains(got, tt.kind) {
				t.Errorf("%s: no %s in %v", text, tt.kind, got)
			}
		}
	}
	for _, text := range harmless {
		if got := kinds(text, "bash", guarded()); slices.Contains(got, policy.TamperAgent) || slices.Contains(got, policy.TamperGuard) {
			t.Errorf("%s: %v", text, got)
		}
	}
}

func TestTools(t *testing.T) {
	for _, tt := range []struct {
		name, kind, mcp, input string
		paths, urls            []string
		want                   string
	}{
		{name: "write_file", paths: []string{"src/a.go"}, want: "overwrite edit %/src/a.go inside"},
		{name: "write_file", paths: []string{"/etc/hosts"}, want: "overwrite /etc/hosts system"},
		{name: "write_file", paths: []string{"~/.bashrc"}, want: "overwrite ~/.bashrc user; persist shell ~/.bashrc user"},
		{name: "edit_file", paths: []string{".claude/settings.json"}, want: "overwrite edit %/.claude/settings.json inside; tamper_agent settings %/.claude/settings.json inside"},
		{name: "edit_file", paths: []string{"/home/dev/.config/boathook/policy.toml"}, want: "overwrite edit ~/.config/boathook/policy.toml user; tamper_guard config ~/.config/boathook/policy.toml user"},
		{name: "edit_file", paths: []string{"a"}, input: `{"input":"*** Begin Patch\n*** Delete File: a\n*** End Patch"}`, want: "delete %/a inside"},
		{name: "delete_file", paths: []string{"src"}, want: "delete %/src inside recursive"},
		{name: "move_file", paths: []string{"a", "../b"}, want: "move %/a inside recursive; overwrite ~/b user"},
		{name: "create_dir", paths: []string{"x"}, want: "write mkdir %/x inside"},
		{name: "read_file", paths: []string{"a"}, want: "read %/a inside"},
		{name: "read_file", paths: []string{".env"}, want: "read %/.env inside; read_secret env-file %/.env inside"},
		{name: "read_file", paths: []string{"/home/dev/.ssh/id_rsa"}, want: "read ~/.ssh/id_rsa user; read_secret ssh-key ~/.ssh/id_rsa user"},
		{name: "web_fetch", urls: []string{"https://h/x"}, want: "fetch https://h/x"},
		{name: "web_fetch", urls: []string{"file:///etc/passwd"}, want: "read /etc/passwd system"},
		{name: "mcp", kind: "mcp", mcp: "delete_file", paths: []string{"/home/dev/x"}, want: "delete ~/x user recursive"},
		{name: "mcp", kind: "mcp", mcp: "removeDirectory", paths: []string{"x"}, want: "delete %/x inside recursive"},
		{name: "mcp", kind: "mcp", mcp: "write_file", paths: []string{"/home/dev/.claude/settings.json"}, want: "overwrite edit ~/.claude/settings.json user; tamper_agent settings ~/.claude/settings.json user"},
		{name: "mcp", kind: "mcp", mcp: "move_file", paths: []string{"a", "b"}, want: "move %/a inside recursive; overwrite edit %/b inside"},
		{name: "mcp", kind: "mcp", mcp: "create_directory", paths: []string{"a"}, want: "write mkdir %/a inside"},
		{name: "mcp", kind: "mcp", mcp: "frobnicate", paths: []string{"/home/dev/.claude/settings.json"}, want: "read ~/.claude/settings.json user; tamper_agent settings ~/.claude/settings.json user"},
		{name: "bash", kind: "shell", paths: []string{"/etc"}},
		{name: "glob", paths: []string{"**/*"}},
	} {
		tool := canon.Tool{Name: tt.name, Kind: tt.kind, Paths: tt.paths, URLs: tt.urls, Input: []byte(tt.input)}
		if tt.mcp != "" {
			tool.MCP = &canon.MCP{Server: "fs", Tool: tt.mcp}
		}
		got := effect.OfTool(tool, dev())
		for _, e := range got {
			if e.Command != -1 {
				t.Errorf("%s: of command %d", tt.name, e.Command)
			}
		}
		text := strings.Join(lines(got), "; ")
		if tt.want == "" && text != "" || !strings.HasPrefix(strings.ReplaceAll(text, "overwrite edit ~", "overwrite ~"), strings.ReplaceAll(tt.want, "overwrite edit ~", "overwrite ~")) {
			t.Errorf("%s %s %v: %s, want %s", tt.name, tt.mcp, tt.paths, text, tt.want)
		}
	}
}
