package shellcmd

import (
	"path"

	"github.com/boathook/boathook/internal/shellcmd/word"
)

// settings tells whether a program prints settings for a shell that are meant to be evaluated.
func settings(c word.Command) bool {
	args := word.Texts(c.Argv)
	has := func(list ...string) bool {
		for _, want := range list {
			for _, a := range args[1:] {
				if a == want {
					return true
				}
			}
		}
		return false
	}
	if len(args) == 0 {
		return false
	}
	switch path.Base(args[0]) {
	case "ssh-agent", "dircolors", "gdircolors", "lesspipe", "lesspipe.sh", "keychain", "fzf", "thefuck", "register-python-argcomplete":
		return true
	case "hub":
		return has("alias")
	case "go":
		return len(args) == 2 && args[1] == "env"
	case "sccache", "devbox", "nix", "cargo", "guix", "tmux", "tsh", "poetry", "hatch":
		return has("--show-env", "shellenv", "print-dev-env", "show-env", "--search-paths", "show-environment", "env", "activate")
	case "perl":
		return len(args) > 1 && args[len(args)-1] == "-Mlocal::lib"
	case "direnv", "mise", "rtx", "asdf", "zoxide", "starship", "atuin", "mcfly", "navi", "oh-my-posh":
		return has("hook", "init", "activate", "export", "env", "hook-env")
	case "pyenv", "rbenv", "nodenv", "goenv", "jenv", "plenv", "phpenv", "luaenv":
		return has("init", "virtualenv-init", "sh-shell", "sh-rehash")
	case "brew":
		return has("shellenv")
	case "conda", "mamba", "micromamba":
		return has("shell.bash", "shell.zsh", "shell.posix", "shell", "activate")
	case "minikube", "podman", "docker-machine":
		return has("docker-env", "env", "podman-env")
	case "fnm", "nvm", "volta", "opam", "luarocks", "vcpkg", "gpg-agent", "aws", "vault":
		return has("env", "path", "--shell", "--path", "activate", "export-credentials", "--daemon")
	case "resize", "tset", "locale", "getopt", "pip", "pip3", "kubectl", "helm", "gh", "npm", "op", "ng", "rustup", "poe", "uv", "just", "task", "stack", "deno", "bw", "flux", "argocd", "kind", "k3d", "k9s", "istioctl", "cilium", "linkerd":
		return has("completion", "--completion", "completions", "generate-shell-completion") || args[0] == "resize" || args[0] == "tset" || args[0] == "locale" || args[0] == "getopt"
	}
	return false
}
