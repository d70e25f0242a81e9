package wrap

import (
	"strings"

	"github.com/boathook/boathook/internal/shellcmd/word"
)

// runners unwraps the runners of package managers and of environments: npx -c, uv run, poetry run, op run.
func runners(name string, c word.Command) ([]word.Inner, bool, bool) {
	args := c.Argv[1:]
	switch name {
	case "npx", "bunx", "pnpx":
		return npx(args), true, true
	case "npm", "pnpm", "yarn":
		return npm(args), true, true
	case "uv", "poetry", "pipenv", "pdm", "hatch", "rye", "pixi", "bundle", "bundler", "rbenv", "pyenv", "nodenv", "asdf", "mise", "rtx",
		"direnv", "doppler", "op", "aws-vault", "chamber", "infisical", "conda", "mamba", "micromamba", "devbox", "volta", "fnm", "nvm", "sdk",
		"composer", "dotnet", "opam", "stack", "cabal", "guix", "rustup", "teller", "envchain", "sops", "vault", "berglas", "granted",
		"aws-okta", "saml2aws", "spin", "flox", "proto", "jenv", "goenv", "plenv", "phpenv", "xcrun", "firebase", "supabase",
		"with", "dbt", "tox", "nox", "just", "cargo":
		return managerRun(name, args), true, true
	case "dotenv", "dotenvx":
		f := form{short: "e:f:v:c:p:q", long: "file env env-file convention"}
		rest := parse(args, f).rest
		if len(rest) > 1 && rest[0].Text == "run" {
			rest = parse(rest[1:], f).rest
		}
		return run(rest), true, true
	case "cross-env":
		assigns, rest := assignments(args)
		if len(rest) == 0 {
			return nil, true, true
		}
		return []word.Inner{{Argv: rest, Assigns: assigns}}, false, true
	case "concurrently", "npm-run-all":
		return concurrently(args), true, true
	case "nix-shell", "nix":
		return nix(name, args), true, true
	}
	return nil, false, false
}

// npx runs -c's text in a shell; packages by name are no text of this command.
func npx(args []word.Arg) []word.Inner {
	o := parse(args, form{short: "c:p:w:", long: "call package workspace shell cache"})
	if v, ok := o.value("c", "call"); ok {
		return []word.Inner{text("sh", v)}
	}
	return run(o.rest)
}

// npm's exec, and dlx of the others.
func npm(args []word.Arg) []word.Inner {
	o := parse(args, form{short: "C:w:F:", long: "prefix dir filter workspace cwd"})
	if len(o.rest) == 0 {
		return nil
	}
	switch o.rest[0].Text {
	case "exec", "x", "dlx":
		e := parse(o.rest[1:], form{short: "p:w:", long: "package workspace call", permute: false})
		if v, ok := e.value("call", "c"); ok {
			return []word.Inner{text("sh", v)}
		}
		if e.has("c") && len(e.rest) > 0 || e.has("shell-mode") && len(e.rest) > 0 {
			// pnpm's -c has the words joined for a shell; npm's -c has its text next.
			return []word.Inner{text("sh", joined(e.rest))}
		}
		return run(e.rest)
	}
	return nil
}

// managerRun finds the words after which a command stands.
func managerRun(name string, args []word.Arg) []word.Inner {
	verb := []string{"run"}
	f := form{
		short: "p:n:e:C:E:c:", long: "with python project package extra group env-file directory index index-url extra-index-url cache-dir config-file " +
			"manifest-path environment feature account name prefix env config project-name only-group no-group with-requirements with-editable",
	}
	switch name {
	case "bundle", "bundler", "rbenv", "pyenv", "nodenv", "asdf", "mise", "rtx", "direnv", "aws-vault", "chamber", "composer", "dotnet", "opam",
		"stack", "cabal", "fnm", "nvm", "aws-okta", "saml2aws", "jenv", "goenv", "plenv", "phpenv", "granted", "sops", "vault":
		verb = []string{"exec", "x", "exec-env"}
	case "cargo":
		if len(args) > 1 && args[0].Text == "watch" {
			return texts(watchTexts(args[1:]))
		}
		return nil
	case "just":
		for i, a := range args {
			if oneOf(a.Text, "--command", "-c") {
				return run(args[i+1:])
			}
		}
		return nil
	case "tox", "nox", "dbt", "firebase", "supabase", "spin", "sdk", "with", "proto", "guix":
		return nil
	case "xcrun":
		return run(parse(args, form{long: "sdk toolchain"}).rest)
	case "envchain":
		return after(args)
	}
	o := parse(args, f)
	if len(o.rest) == 0 || !oneOf(o.rest[0].Text, verb...) {
		return nil
	}
	rest := parse(o.rest[1:], f).rest
	switch name {
	case "direnv", "rustup", "opam-switch":
		return after(rest)
	case "asdf", "mise", "rtx":
		return run(afterDashes(rest))
	case "aws-vault", "chamber", "aws-okta", "saml2aws", "fnm", "nvm":
		// A profile or a version, then perhaps --, then the command.
		if d := afterDashes(o.rest[1:]); len(d) < len(o.rest)-1 {
			return run(d)
		}
		return after(rest)
	}
	return run(rest)
}

// oneOf tells whether a word is one of some.
func oneOf(s string, of ...string) bool {
	for _, o := range of {
		if s == o {
			return true
		}
	}
	return false
}

// after is the command after the first operand.
func after(args []word.Arg) []word.Inner {
	if len(args) < 2 {
		return nil
	}
	args = args[1:]
	if args[0].Text == "--" {
		args = args[1:]
	}
	return run(args)
}

// afterDashes is what follows --, or all.
func afterDashes(args []word.Arg) []word.Arg {
	for i, a := range args {
		if a.Text == "--" {
			return args[i+1:]
		}
	}
	return args
}

// concurrently's operands are command lines.
func concurrently(args []word.Arg) []word.Inner {
	o := parse(args, form{short: "n:c:l:p:m:s:", long: "names prefix-colors prefix max-processes success restart-tries restart-after kill-signal", permute: true})
	var out []word.Inner
	for i, a := range o.rest {
		if i <= most && strings.Contains(a.Text, " ") {
			out = append(out, text("sh", a))
		}
	}
	return out
}

// nix runs a shell's text (--run, --command), or the words of nix develop -c.
func nix(name string, args []word.Arg) []word.Inner {
	for i, a := range args {
		switch {
		case name == "nix-shell" && (a.Text == "--run" || a.Text == "--command") && i+1 < len(args):
			return []word.Inner{text("bash", args[i+1])}
		case name == "nix" && (a.Text == "-c" || a.Text == "--command"):
			return run(args[i+1:])
		}
	}
	return nil
}
