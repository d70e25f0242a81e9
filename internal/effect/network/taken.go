package network

import (
	"slices"
	"strings"

	"github.com/boathook/boathook/internal/effect/stage"
	"github.com/boathook/boathook/internal/effect/unit"
	"github.com/boathook/boathook/internal/shellcmd/word"
)

// taken tells whether what this command prints is only taken by the shell, for a variable, or by a program that logs in with it, so
// that nobody sees it.
func (s *scan) taken(program string) bool {
	inside := slices.ContainsFunc(s.Via, func(v word.Via) bool { return v.Kind == "substitution" })
	if !inside && !s.Piped || s.tells() {
		return false
	}
	used := false
	flow := []int{s.I}
	for i := s.I + 1; i < min(len(s.All), s.I+maxOrigins); i++ {
		c := s.All[i]
		name := (unit.Unit{Command: c}).Program()
		fed := slices.ContainsFunc(c.Stdin.From, func(f int) bool { return slices.Contains(flow, f) })
		given := slices.ContainsFunc(c.Argv, func(a word.Arg) bool {
			return slices.ContainsFunc(a.By, func(f int) bool { return slices.Contains(flow, f) })
		})
		switch {
		case !fed && !given:
		case fed && filter(name, c):
			flow = append(flow, i)
			inside = inside || slices.ContainsFunc(c.Via, func(v word.Via) bool { return v.Kind == "substitution" })
		case fed && logsIn(c):
			used = true
		case fed, fetches(c) && !issuer(program, hostOf(urlOf(c))), !fetches(c) && !takes(name, c):
			return false
		default:
			used = true
		}
	}
	return used || inside
}

// takes tells of programs, and builtins of the shell, that are given passwords as arguments and do not show them.
func takes(name string, c word.Command) bool {
	switch name {
	case "export", "declare", "typeset", "local", "readonly", "test", "[", "[[", "docker", "podman", "helm", "skopeo", "crane", "psql", "pg_dump", "mysql",
		"redis-cli", "mongosh", "npm", "npx":
		return true
	case "git":
		return slices.ContainsFunc(c.Argv[1:], func(a word.Arg) bool {
			return a.Text == "clone" || a.Text == "fetch" || a.Text == "pull" || a.Text == "push" || a.Text == "ls-remote"
		})
	}
	return false
}

// tells tells whether the shell, or a later command, shows what variables hold.
func (s *scan) tells() bool {
	for i, c := range s.All[:min(len(s.All), s.I+maxOrigins)] {
		args := c.Argv[min(1, len(c.Argv)):]
		switch (unit.Unit{Command: c}).Program() {
		case "set":
			if slices.ContainsFunc(args, func(a word.Arg) bool {
				return len(a.Text) > 1 && a.Text[0] == '-' && strings.Contains(a.Text, "x") || a.Text == "xtrace"
			}) || i > s.I && len(args) == 0 {
				return true
			}
		case "env", "printenv":
			if i > s.I && (len(args) == 0 || args[0].Text == "-0") {
				return true
			}
		case "export", "declare", "typeset":
			if i > s.I && (len(args) == 0 || len(args) == 1 && strings.HasPrefix(args[0].Text, "-") && strings.Contains(args[0].Text, "p")) {
				return true
			}
		}
	}
	return false
}

// filter tells programs that print what they read, or a part of it.
func filter(name string, c word.Command) bool {
	switch name {
	case "grep", "egrep", "fgrep", "sed", "cut", "awk", "tr", "head", "tail", "sort", "uniq", "cat", "jq", "base64", "rev", "tac", "tee", "column", "nl":
		return true
	case "xargs":
		return !slices.ContainsFunc(c.Argv[1:], func(a word.Arg) bool { return !strings.HasPrefix(a.Text, "-") && len(a.Text) > 2 })
	}
	return false
}

// logsIn tells of programs that read a password from their input.
func logsIn(c word.Command) bool {
	return slices.ContainsFunc(c.Argv, func(a word.Arg) bool {
		return a.Text == "--password-stdin" || a.Text == "--with-token" || a.Text == "--token-stdin" || a.Text == "--stdin-password"
	}) && slices.ContainsFunc(c.Argv, func(a word.Arg) bool { return a.Text == "login" || a.Text == "auth" })
}

// issuer tells whether a host belongs to who has issued a program's tokens.
func issuer(program, host string) bool {
	if stage.Loopback(host) {
		return true
	}
	var of []string
	switch program {
	case "gh":
		of = []string{"github.com", "githubcopilot.com", "ghcr.io"}
	case "glab":
		of = []string{"gitlab.com"}
	case "gcloud":
		of = []string{"googleapis.com", "run.app", "cloudfunctions.net", "google.com", "gcr.io", "pkg.dev", "appspot.com"}
	case "az":
		of = []string{"azure.com", "microsoft.com", "windows.net", "azure.net", "azurewebsites.net", "visualstudio.com", "azurecr.io"}
	}
	return slices.ContainsFunc(of, func(d string) bool { return host == d || strings.HasSuffix(host, "."+d) })
}
