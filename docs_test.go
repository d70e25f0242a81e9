package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// documents gives every document of the repository, by its path.
func documents(t *testing.T) map[string]string {
	t.Helper()
	docs := map[string]string{}
	add := func(path string, _ fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".md" {
			return err
		}
		docs[path] = readText(t, path)
		return nil
	}
	for _, root := range []string{"docs", "README.md", "AGENTS.md"} {
		if err := filepath.WalkDir(root, add); err != nil {
			t.Fatal(err)
		}
	}
	return docs
}

func readText(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestDocsNameTestsThatExist: every `prefix.TestName` and `script/name` in a document is there. The prefixes that are not
// the name of a package below internal are listed in docs/hosts/gemini.md, and those of one document in it.
func TestDocsNameTestsThatExist(t *testing.T) {
	docs := documents(t)
	listed := prefixes(docs["docs/hosts/gemini.md"])
	named := regexp.MustCompile("`(?:(\\w+)\\.(Test\\w+)|script/(\\w+))`")
	n := 0
	for path, text := range docs {
		own := prefixes(text)
		for _, m := range named.FindAllStringSubmatch(text, -1) {
			n++
			if m[3] != "" {
				if _, err := os.Stat("testdata/script/" + m[3] + ".txtar"); err != nil {
					t.Errorf("%s: %s: %v", path, m[0], err)
				}
				continue
			}
			dir := "internal/" + m[1]
			if _, err := os.Stat(dir); err != nil {
				dir = m[1] // a public package
			}
			for _, dirs := range []map[string]string{listed, own} {
				if d, ok := dirs[m[1]]; ok {
					dir = d
				}
			}
			if !slices.Contains(testsIn(t, dir), m[2]) {
				t.Errorf("%s: %s: no such test in %s", path, m[0], dir)
			}
		}
	}
	if n < 200 {
		t.Errorf("%d names of tests were found", n)
	}
}

// prefixes reads "`real.` is `itest/gemini`" out of a text, or the same in two cells of a table.
func prefixes(text string) map[string]string {
	dirs := map[string]string{}
	for _, m := range regexp.MustCompile("`(\\w+)\\.`(?:\\s+is)?[\\s|]+`((?:internal|itest)/[\\w/]+)`").FindAllStringSubmatch(text, -1) {
		dirs[m[1]] = m[2]
	}
	return dirs
}

func testsIn(t *testing.T, dir string) (names []string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		for _, m := range regexp.MustCompile(`(?m)^func (Test\w+)\(t \*testing\.T\)`).FindAllStringSubmatch(readText(t, file), -1) {
			names = append(names, m[1])
		}
	}
	return names
}

// TestDocsLinkToWhatIsThere: every link within the repository leads to a file, and to a headline of it.
func TestDocsLinkToWhatIsThere(t *testing.T) {
	docs := documents(t)
	for path, text := range docs {
		for _, m := range regexp.MustCompile(`\]\(([^)#]*)(?:#([^)]*))?\)`).FindAllStringSubmatch(text, -1) {
			if strings.Contains(m[1], "://") {
				continue
			}
			target := path
			if m[1] != "" {
				target = filepath.ToSlash(filepath.Join(filepath.Dir(path), m[1]))
			}
			if _, err := os.Stat(target); err != nil {
				t.Errorf("%s: %v", path, err)
			}
			if m[2] != "" && !slices.Contains(headlines(docs[target]), m[2]) {
				t.Errorf("%s: %s has no headline #%s", path, target, m[2])
			}
		}
	}
}

// headlines are those of a document, as links name them.
func headlines(text string) (names []string) {
	for _, m := range regexp.MustCompile(`(?m)^#+ (.*)$`).FindAllStringSubmatch(text, -1) {
		name := regexp.MustCompile(`[^\w\- ]`).ReplaceAllString(strings.ToLower(m[1]), "")
		names = append(names, strings.ReplaceAll(name, " ", "-"))
	}
	return names
}

// TestDocsShowEveryRule: in the tables of the SPEC each rule has a test, a note, or the document that has it; none waits.
func TestDocsShowEveryRule(t *testing.T) {
	shown := regexp.MustCompile("`(\\w+\\.Test\\w+|script/\\w+)`|[¹²³⁴⁵⁶⁷⁸⁹]|gemini\\.md|antigravity\\.md|\\*\\*not shown\\*\\*")
	for _, path := range []string{"docs/hosts/gemini.md", "docs/hosts/antigravity.md"} {
		_, table, ok := strings.Cut(readText(t, path), "\n## The SPEC, rule by rule\n")
		if !ok {
			t.Fatalf("%s has no table of the SPEC", path)
		}
		if strings.Contains(strings.ToLower(table), "not yet") {
			t.Errorf("%s: something is not yet there", path)
		}
		rules, rule := map[string]string{}, ""
		for line := range strings.Lines(table) {
			cells := strings.Split(strings.Trim(line, "| \n"), "|")
			switch {
			case !strings.HasPrefix(line, "|"):
				rule = ""
			case regexp.MustCompile(`^\| (\d[\d.]*) \|`).MatchString(line):
				rule = cells[0] + "|" + cells[1]
				rules[rule] += line
			case rule != "" && strings.HasPrefix(line, "| |"):
				rules[rule] += line
			}
		}
		if len(rules) < 40 {
			t.Errorf("%s: %d rules", path, len(rules))
		}
		for rule, lines := range rules {
			if !shown.MatchString(lines) {
				t.Errorf("%s: §%s: nothing shows it", path, rule)
			}
		}
	}
}
