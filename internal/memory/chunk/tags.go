package chunk

import (
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/boathook/boathook/internal/memory"
)

// maxTags is how many tags a chunk has at most.
const maxTags = 12

// callTags say what a call is about: by the programs of its command line, the families of the files that it names, and its kind.
func callTags(c memory.ToolCall) []string {
	set := map[string]bool{}
	for _, words := range commands(c.Command) {
		program := path.Base(words[0])
		for _, tag := range programs()[program] {
			set[tag] = true
		}
		if tests(program, words[1:]) {
			set["test"] = true
		}
	}
	for _, p := range c.Paths {
		fileTags(set, p)
	}
	switch c.Kind {
	case "mcp", "web", "agent":
		set[c.Kind] = true
	}
	return sorted(set)
}

func sorted(set map[string]bool) []string {
	var out []string
	for tag := range set {
		out = append(out, tag)
	}
	slices.Sort(out)
	return out[:min(len(out), maxTags)]
}

// before stand before the program that is meant.
func before() []string {
	return []string{"sudo", "env", "time", "nohup", "xargs", "exec", "command", "nice", "timeout", "watch", "then", "do", "else", "if", "!", "{", "("}
}

// commands are the words of each command of a line, as far as they can be told without a shell.
func commands(line string) [][]string {
	var out [][]string
	line = strings.NewReplacer("&&", "\n", "||", "\n", ";", "\n", "|", "\n", "$(", "\n", "`", "\n", "(", "\n").Replace(head(line, 4*maxCommand))
	for _, part := range strings.Split(line, "\n") {
		words := strings.Fields(part)
		for len(words) > 0 && passed(words[0]) {
			words = words[1:]
		}
		if len(words) > 0 {
			out = append(out, words)
		}
	}
	return out
}

// passed are words that are no program: those that stand before one, their flags and numbers, and assignments.
func passed(word string) bool {
	return slices.Contains(before(), word) || strings.HasPrefix(word, "-") || strings.Contains(word, "=") || strings.Trim(word, "0123456789smh.") == ""
}

var programs = sync.OnceValue(func() map[string][]string {
	out := map[string][]string{}
	for tag, names := range map[string]string{
		"git": "git gh glab", "github": "gh", "docker": "docker podman docker-compose buildah nerdctl", "k8s": "kubectl helm kustomize k9s minikube kind oc",
		"go": "go gofmt golangci-lint gotestsum dlv", "js": "npm npx yarn pnpm bun node deno tsc eslint vite jest vitest",
		"npm": "npm npx", "python": "python python3 pip pip3 pytest uv poetry ruff mypy tox conda", "rust": "cargo rustc rustup",
		"java": "mvn mvnw gradle gradlew java javac", "ruby": "ruby bundle rake gem rspec rails", "php": "php composer phpunit", "dotnet": "dotnet",
		"c": "gcc g++ clang clang++ cmake ctest ninja gdb", "make": "make just task", "sql": "psql mysql mariadb sqlite3 sqlcmd pg_dump pg_restore mysqldump",
		"redis": "redis-cli", "terraform": "terraform tofu terragrunt", "ansible": "ansible ansible-playbook", "aws": "aws", "gcp": "gcloud gsutil",
		"azure": "az", "http": "curl wget http httpie", "ssh": "ssh scp rsync sftp", "system": "systemctl journalctl service dmesg",
		"package": "apt apt-get dnf yum brew apk pacman", "search": "grep rg ag find fd", "test": "pytest jest vitest gotestsum rspec phpunit ctest tox",
		"network": "ping dig nslookup ss netstat ip nc traceroute", "process": "ps top kill pkill lsof",
	} {
		for _, name := range strings.Fields(names) {
			out[name] = append(out[name], tag)
		}
	}
	return out
})

// tests tells whether a program is told to run tests.
func tests(program string, args []string) bool {
	args = slices.DeleteFunc(slices.Clone(args), func(a string) bool { return strings.HasPrefix(a, "-") })
	if len(args) == 0 {
		return false
	}
	switch program {
	case "go", "cargo", "dotnet", "mvn", "mvnw", "gradle", "gradlew", "npm", "yarn", "pnpm", "bun", "deno", "make", "just", "task", "rake", "mix":
		return strings.HasPrefix(args[0], "test") || args[0] == "run" && len(args) > 1 && strings.HasPrefix(args[1], "test")
	}
	return false
}

var families = sync.OnceValue(func() map[string]string {
	out := map[string]string{}
	for tag, exts := range map[string]string{
		"go": ".go .mod .sum", "js": ".js .jsx .ts .tsx .mjs .cjs .vue .svelte", "python": ".py .pyi .ipynb", "rust": ".rs", "java": ".java .kt .kts .gradle",
		"ruby": ".rb .erb", "php": ".php", "dotnet": ".cs .csproj .fs", "c": ".c .h .cc .cpp .hpp .cxx", "swift": ".swift", "sql": ".sql",
		"shell": ".sh .bash .zsh .fish .ps1", "web": ".html .css .scss .less", "yaml": ".yml .yaml", "config": ".json .toml .ini .env .cfg .conf .properties",
		"docs": ".md .mdx .rst .adoc .txt", "terraform": ".tf .tfvars", "proto": ".proto", "log": ".log",
	} {
		for _, ext := range strings.Fields(exts) {
			out[ext] = tag
		}
	}
	return out
})

// fileTags are those of a file's name.
func fileTags(set map[string]bool, file string) {
	name := strings.ToLower(path.Base(strings.ReplaceAll(file, `\`, "/")))
	if tag := families()[path.Ext(name)]; tag != "" {
		set[tag] = true
	}
	switch {
	case strings.HasPrefix(name, "dockerfile"), strings.HasPrefix(name, "docker-compose"), strings.HasPrefix(name, "compose."):
		set["docker"] = true
	case name == "makefile", name == "justfile":
		set["make"] = true
	case name == "package.json", name == "package-lock.json":
		set["js"], set["npm"] = true, true
	}
	stem := strings.TrimSuffix(name, path.Ext(name))
	if strings.HasSuffix(stem, "_test") || strings.HasPrefix(stem, "test_") || strings.HasSuffix(stem, ".test") || strings.HasSuffix(stem, ".spec") {
		set["test"] = true
	}
}

// wordTags are those of a message: of names that mean nothing else.
func wordTags(text string) []string {
	set := map[string]bool{}
	words := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r == '-' || r == '_')
	})
	for _, w := range words {
		if tag := names()[w]; tag != "" {
			set[tag] = true
		}
	}
	return sorted(set)
}

var names = sync.OnceValue(func() map[string]string {
	out := map[string]string{}
	for tag, words := range map[string]string{
		"git": "git rebase cherry-pick", "github": "github", "docker": "docker dockerfile docker-compose podman", "k8s": "kubernetes kubectl k8s helm",
		"go": "golang goroutine", "js": "javascript typescript nodejs webpack eslint", "npm": "npm", "python": "python pytest pip", "rust": "rustc cargo",
		"sql": "sql postgres postgresql mysql sqlite psql", "redis": "redis", "terraform": "terraform", "aws": "aws", "gcp": "gcloud", "azure": "azure",
		"ssh": "ssh", "make": "makefile", "test": "pytest jest vitest unittest", "yaml": "yaml",
	} {
		for _, w := range strings.Fields(words) {
			out[w] = tag
		}
	}
	return out
})
