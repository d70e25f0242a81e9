package policy

import "strings"

// path matches an absolute path: * and ? do not match a slash, ** does. ~ is the home, {project} the project's root; a pattern without
// a slash is a file's name wherever it is, and one that is relative is below the project.
func path(m *matcher, pattern, text string) tri {
	if text = slashes(text); m.fold {
		lower := matcher{home: strings.ToLower(m.home), project: strings.ToLower(m.project), steps: m.steps}
		got := path(&lower, strings.ToLower(pattern), strings.ToLower(text))
		m.steps = lower.steps
		return got
	}
	if m.project != "" && relative(text) { // where the working directory is not known
		text = trimmed(m.project) + "/" + text
	}
	base := ""
	switch {
	case pattern == "~" || strings.HasPrefix(pattern, "~/"):
		if m.home == "" {
			return maybe
		}
		base, pattern = m.home, pattern[1:]
	case strings.HasPrefix(pattern, "{project}"):
		if m.project == "" {
			return no
		}
		base, pattern = m.project, pattern[len("{project}"):]
	case !strings.Contains(pattern, "/"):
		if strings.Contains(text, unknown) {
			return possible(pattern, text)
		}
		return m.path(pattern, strings.TrimSuffix(text, "/"), strings.LastIndexByte(strings.TrimSuffix(text, "/"), '/')+1)
	case pattern[0] != '/' && pattern[0] != '*' && (len(pattern) < 2 || pattern[1] != ':'):
		if m.project == "" {
			return no
		}
		base, pattern = m.project, "/"+pattern
	}
	if base = trimmed(base); base != "" {
		if strings.Contains(text, unknown) && !strings.HasPrefix(text, base) {
			return possible(base+pattern, text)
		}
		if !strings.HasPrefix(text, base) {
			return no
		}
		text = text[len(base):]
	}
	return m.whole(pattern, text)
}

func relative(p string) bool {
	return p != "" && p[0] != '/' && (len(p) < 2 || p[1] != ':') && !strings.HasPrefix(p, unknown)
}

// trimmed is a folder as it is compared: with slashes, and none at its end.
func trimmed(dir string) string { return strings.TrimSuffix(slashes(dir), "/") }

// slashes makes a path of Windows one with slashes.
func slashes(p string) string {
	if len(p) > 2 && p[1] == ':' && strings.IndexByte(p, '\\') >= 0 || strings.HasPrefix(p, `\\`) {
		return strings.ReplaceAll(p, `\`, "/")
	}
	return p
}

// whole matches a path from its first byte on. A pattern that ends with /** also matches the directory itself.
func (m *matcher) whole(pattern, text string) tri {
	if strings.Contains(text, unknown) {
		if pattern == "**" || pattern == "/**" {
			return yes
		}
		return possible(pattern, text)
	}
	if len(text) > 1 {
		text = strings.TrimSuffix(text, "/")
	}
	if got := m.path(pattern, text, 0); got != no {
		return got
	}
	if dir, ok := strings.CutSuffix(pattern, "/**"); ok && dir != "" {
		return m.path(dir, text, 0)
	}
	return known(pattern == "" && text == "/")
}

// path matches the text from a byte on.
func (m *matcher) path(pattern, text string, t int) tri {
	for p := 0; ; {
		if m.steps--; m.steps < 0 {
			return maybe
		}
		if p == len(pattern) {
			return known(t == len(text))
		}
		switch {
		case strings.HasPrefix(pattern[p:], "**/"): // no directory, one, or several
			return m.later(pattern[p+3:], text, t, true)
		case strings.HasPrefix(pattern[p:], "**"):
			return m.later(pattern[p+2:], text, t, false)
		case pattern[p] == '*':
			for ; ; t++ {
				if got := m.path(pattern[p+1:], text, t); got != no {
					return got
				}
				if t == len(text) || text[t] == '/' {
					return no
				}
			}
		case t == len(text) || pattern[p] != text[t] && (pattern[p] != '?' || text[t] == '/'):
			return no
		}
		one := pattern[p] == '?'
		p, t = p+1, t+1
		for one && t < len(text) && text[t]&0xC0 == 0x80 {
			t++
		}
	}
}

// later matches the rest of a pattern from here on or further on; with dirs only where a name begins.
func (m *matcher) later(rest, text string, t int, dirs bool) tri {
	for from := t; from <= len(text); from++ {
		if m.steps--; m.steps < 0 {
			return maybe
		}
		if dirs && from > t && text[from-1] != '/' {
			continue
		}
		if got := m.path(rest, text, from); got != no {
			return got
		}
	}
	return no
}

// holds tells whether a directory holds paths that a pattern is about, by the pattern's fixed part.
func holds(m *matcher, pattern, dir string) bool {
	if i := strings.IndexAny(pattern, wildcards); i >= 0 {
		pattern = pattern[:i]
	}
	switch {
	case pattern == "~" || strings.HasPrefix(pattern, "~/"):
		pattern = trimmed(m.home) + pattern[1:]
	case strings.HasPrefix(pattern, "{project}"):
		pattern = trimmed(m.project) + pattern[len("{project}"):]
	case pattern == "" || pattern[0] != '/':
		return false
	}
	dir = trimmed(dir)
	return strings.HasPrefix(pattern, dir+"/") && len(pattern) > len(dir)+1
}

// url matches a URL or a host as it is written, and a pattern without a slash the host of a URL.
func url(m *matcher, pattern, text string) tri {
	got := fold(m, pattern, text)
	if got == yes || strings.Contains(pattern, "/") {
		return got
	}
	return max(got, fold(m, pattern, host(text)))
}

// host is that of a URL, or of what scp and git write for one.
func host(text string) string {
	if _, after, ok := strings.Cut(text, "://"); ok {
		text = after
	}
	if i := strings.IndexAny(text, "/?#"); i >= 0 {
		text = text[:i]
	}
	text = text[strings.LastIndexByte(text, '@')+1:]
	if strings.HasPrefix(text, "[") {
		inner, _, _ := strings.Cut(text[1:], "]")
		return inner
	}
	name, _, _ := strings.Cut(text, ":")
	return name
}
