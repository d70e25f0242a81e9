package policy

import "strings"

// program is the name that a command's first word runs, without directories and Windows' endings.
func program(word string) string {
	word = word[strings.LastIndexByte(word, '/')+1:]
	if i := strings.LastIndexByte(word, '\\'); i >= 0 && !strings.Contains(word, unknown) {
		word = word[i+1:]
	}
	if n := len(word) - 4; n > 0 && (strings.EqualFold(word[n:], ".exe") || strings.EqualFold(word[n:], ".cmd")) {
		word = word[:n]
	}
	return word
}

// command matches "git push": the program's name and the words after it that are no options.
func (m *matcher) command(patterns []string, c *Command) tri {
	if c.Op != "" || len(c.Argv) == 0 {
		return no
	}
	name := program(c.Argv[0])
	found, named, result := no, false, yes
	for _, p := range patterns {
		positive := p == "" || p[0] != '!'
		if !positive {
			p = p[1:]
		}
		got := m.words(p, name, c.Argv)
		switch {
		case positive:
			named, found = true, max(found, got)
		case got == yes:
			return no
		case got == maybe:
			result = maybe
		}
	}
	if !named {
		return result
	}
	return min(found, result)
}

// words matches one pattern; name is the program's.
func (m *matcher) words(pattern, name string, argv []string) tri {
	if source, ok := strings.CutPrefix(pattern, "re:"); ok {
		return m.regexp(source, line(argv))
	}
	first, rest, _ := strings.Cut(pattern, " ")
	if strings.IndexByte(first, '/') >= 0 {
		name = argv[0]
	}
	match := glob
	if m.fold {
		match = fold
	}
	result := match(m, first, name)
	if result == no || rest == "" {
		return result
	}
	next := leading{argv: argv, valued: valued(program(argv[0]))}
	for result != no && rest != "" {
		first, rest, _ = strings.Cut(rest, " ")
		word, ok := next.word()
		if !ok {
			return no
		}
		if strings.Contains(word, unknown) { // it may be several words, or an option
			return min(result, max(maybe, glob(m, first, word)))
		}
		result = min(result, glob(m, first, word))
	}
	return result
}

// line is a command's program and the words that are no options.
func line(argv []string) string {
	var b strings.Builder
	b.WriteString(program(argv[0]))
	next := leading{argv: argv, valued: valued(program(argv[0]))}
	for word, ok := next.word(); ok; word, ok = next.word() {
		b.WriteByte(' ')
		b.WriteString(word)
	}
	return b.String()
}

// leading gives the words of a command that are neither options nor their values.
type leading struct {
	argv   []string
	at     int
	valued string
	end    bool // after --
}

func (l *leading) word() (string, bool) {
	for l.at++; l.at < len(l.argv); l.at++ {
		word := l.argv[l.at]
		switch {
		case l.end || len(word) < 2 || word[0] != '-' && word[0] != '+':
			return word, true
		case word == "--":
			l.end = true
		case strings.Contains(l.valued, " "+word+" "):
			l.at++
		}
	}
	return "", false
}

// valued lists the options before a program's subcommand whose value is the next word.
func valued(program string) string {
	switch program {
	case "git":
		return " -C -c --git-dir --work-tree --namespace --config-env --exec-path "
	case "docker", "podman", "nerdctl":
		return " -H --host -c --context --config -l --log-level --tlscacert --tlscert --tlskey "
	case "kubectl", "oc":
		return " -n --namespace --context --kubeconfig --cluster --user -s --server --as --token "
	case "helm":
		return " -n --namespace --kube-context --kubeconfig "
	case "npm", "pnpm", "yarn", "bun":
		return " --prefix -C --cwd --dir -F --filter -w --workspace --registry "
	case "gh", "glab":
		return " -R --repo "
	case "aws":
		return " --profile --region --output --endpoint-url --query --ca-bundle --cli-read-timeout --cli-connect-timeout --color "
	case "gcloud", "gsutil", "az":
		return " --project --account --configuration --format --verbosity -o --output --subscription "
	case "cargo":
		return " --manifest-path --config -Z --color --target-dir "
	case "make", "gmake":
		return " -C -f -j --directory --file "
	case "systemctl":
		return " -H --host -M --machine -t --type "
	case "go":
		return " -C "
	}
	return ""
}

// argv tells whether each pattern matches one of the arguments, and no negated one does.
func (m *matcher) argv(patterns []string, c *Command) tri {
	if c.Op != "" || len(c.Argv) == 0 {
		return no
	}
	result := yes
	for _, p := range patterns {
		negated := p != "" && p[0] == '!'
		if negated {
			p = p[1:]
		}
		found := no
		for _, a := range c.Argv[1:] {
			if found = max(found, m.one(p, a, glob)); found == yes {
				break
			}
		}
		if negated {
			found = yes - found
		}
		if result = min(result, found); result == no {
			return no
		}
	}
	return result
}
