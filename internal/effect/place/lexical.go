package place

import (
	"bytes"
	"strings"

	"github.com/boathook/boathook/internal/shellcmd/word"
)

// absolute tells whether a path with slashes begins at a root.
func absolute(path string) bool { return strings.HasPrefix(path, "/") || drive(path) != "" }

// drive is the drive that a path begins with: "C:".
func drive(path string) string {
	if len(path) >= 2 && path[1] == ':' && letter(path[0]) && (len(path) == 2 || path[2] == '/') {
		return path[:2]
	}
	return ""
}

func letter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

// last is the last part of a path.
func last(path string) string { return path[strings.LastIndexByte(path, '/')+1:] }

// lexical removes . and .. and doubled slashes from an absolute path.
func lexical(path string) string {
	p, _ := cleanWith(path, false, nil)
	return p
}

// clean does so as the system would: .. behind a symbolic link is what the link leads to. lost says that .. stands behind a part
// that is not known, so that nothing is.
func (m *Machine) clean(path, dir string) (clean string, lost bool) {
	var real func(string) string
	if strings.Contains(path, "..") && (m.Facts != nil || len(m.Links) > 0) {
		asked := 0
		real = func(at string) string {
			if asked++; asked > maxClimbs {
				return at
			}
			return m.real(at)
		}
	}
	path, lost = cleanWith(path, m.OS == "windows", real)
	return m.magic(path, dir), lost
}

// maxClimbs is how many .. of a path the disk is asked about.
const maxClimbs = 16

func cleanWith(path string, shares bool, real func(string) string) (clean string, lost bool) {
	head := ""
	if d := drive(path); d != "" {
		head, path = strings.ToUpper(d), path[2:]
	} else if shares && strings.HasPrefix(path, "//") { // //server/share
		head, path = "/", path[1:]
	}
	out := make([]byte, 0, len(path))
	for part := range strings.SplitSeq(path, "/") {
		switch part {
		case "", ".":
		case "..":
			at := len(out)
			if real != nil && at > 0 {
				out = append(out[:0], real(string(out))...)
			}
			cut := bytes.LastIndexByte(out, '/')
			if cut < 0 {
				cut = 0
			}
			lost = lost || bytes.Contains(out[cut:], []byte(word.Unknown))
			out = out[:cut]
		default:
			out = append(append(out, '/'), part...)
		}
	}
	if len(out) == 0 {
		out = append(out, '/')
	}
	return head + string(out), lost
}

// climbs tells whether a relative path leads above where it starts.
func climbs(path string) bool {
	depth := 0
	for part := range strings.SplitSeq(path, "/") {
		switch part {
		case "", ".":
		case "..":
			if depth--; depth < 0 {
				return true
			}
		default:
			depth++
			if strings.Contains(part, word.Unknown) {
				depth = 0 // it may be none
			}
		}
	}
	return false
}

// magic replaces the names by which the system has the working directory and the root once more.
func (m *Machine) magic(path, dir string) string {
	rest, ok := strings.CutPrefix(path, "/proc/")
	if !ok {
		return path
	}
	who, rest, _ := strings.Cut(rest, "/")
	if who == "thread-self" || strings.HasPrefix(rest, "task/") {
		if t, ok := strings.CutPrefix(rest, "task/"); ok {
			_, rest, _ = strings.Cut(t, "/")
		}
	}
	what, rest, _ := strings.Cut(rest, "/")
	switch what {
	case "root":
		return lexical("/" + rest)
	case "cwd":
		if who == "self" || who == "thread-self" || strings.Contains(who, word.Unknown) {
			return lexical(dir + "/" + rest)
		}
	}
	return path
}

// below gives the part of a path below a directory; empty for the directory itself.
func (m *Machine) below(path, dir string) (rest string, ok bool) {
	if dir == "" || len(path) < len(dir) {
		return "", false
	}
	dir = strings.TrimSuffix(dir, "/")
	head := path[:len(dir)]
	if head != dir && (!m.folds() || !strings.EqualFold(head, dir)) {
		return "", false
	}
	if len(path) == len(dir) {
		return "", true
	}
	if path[len(dir)] != '/' {
		return "", false
	}
	return path[len(dir)+1:], true
}

// folds tells whether names that differ in case are the same file.
func (m *Machine) folds() bool { return m.OS == "darwin" || m.OS == "windows" }
