// Package plugin is the text of the small programs that boathook puts into agents which have no command hooks but run
// plugins: what install writes, and what it and those who look at installed hooks read back. It does no I/O.
//
// A plugin is one generated file without a dependency. Its head names the program, the config and the events; its tail is
// run.js, the same for every agent, which starts `boathook hook` as a child and never lets the agent feel a fault of it.
package plugin

import (
	"bytes"
	"embed"
	"encoding/json"
	"strings"
)

// Head is what a plugin's file says of itself.
type Head struct {
	// Mark is one line of JSON: whose the file is.
	Mark []byte
	// Program is started for each of the Events, with Config.
	Program, Config string
	Events          []string
}

//go:embed amp.ts opencode.js run.js
var sources embed.FS

// files are the sources by the agent's id; the extension is that of the installed file.
var files = map[string]string{"amp": "amp.ts", "opencode": "opencode.js"}

// The lines of the head begin so.
const (
	markStart    = "// boathook: "
	programStart = "const program = "
	configStart  = "const config = "
	eventsStart  = "const events = "
)

// Name is the name of an agent's plugin file.
func Name(agent string) string {
	_, ext, _ := strings.Cut(files[agent], ".")
	return "boathook." + ext
}

// Text is the file of an agent's plugin.
func Text(agent string, h Head) []byte {
	body, err := sources.ReadFile(files[agent])
	if err != nil {
		panic("no plugin for " + agent) // a test asks for every one there is
	}
	run, _ := sources.ReadFile("run.js") // it is embedded
	var b bytes.Buffer
	b.WriteString(markStart)
	b.Write(h.Mark)
	b.WriteString("\n// Written by 'boathook install " + agent + "', removed by 'boathook uninstall " + agent + "'.\n")
	b.WriteString("import { spawn } from \"node:child_process\"\n\n")
	b.WriteString("const agent = " + literal(agent) + "\n")
	b.WriteString(programStart + literal(h.Program) + "\n")
	b.WriteString(configStart + literal(h.Config) + "\n")
	b.WriteString(eventsStart + literal(h.Events) + "\n")
	b.WriteString("const unset = " + literal(Unset()) + "\n\n")
	b.Write(body)
	b.WriteString("\n")
	b.Write(run)
	return b.Bytes()
}

// literal is a value as JavaScript writes it: JSON, with the two characters escaped that end a line there (as Go does).
func literal(v any) string {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(v) // texts: it can't fail
	return strings.TrimSuffix(b.String(), "\n")
}

// Unset are the variables that a plugin keeps from the program it starts. They steer the Go runtime and what certificates it
// trusts, and a project's files may have set them. The last makes of Amp the program that runs plugins, and something of the
// kind of every program that is built the same way.
func Unset() []string {
	return []string{"GODEBUG", "GOGC", "GOMEMLIMIT", "GOMAXPROCS", "GOTRACEBACK", "SSL_CERT_FILE", "SSL_CERT_DIR", "BUN_BE_BUN"}
}

// Read takes the head of a file apart that Text wrote. It is false for any other.
func Read(text []byte) (h Head, ok bool) {
	found := 0
	for line := range bytes.Lines(text) {
		line = bytes.TrimRight(line, "\r\n")
		if mark, is := bytes.CutPrefix(line, []byte(markStart)); is && h.Mark == nil {
			h.Mark = mark
		}
		for start, into := range map[string]any{programStart: &h.Program, configStart: &h.Config, eventsStart: &h.Events} {
			if value, is := bytes.CutPrefix(line, []byte(start)); is && json.Unmarshal(value, into) == nil {
				found++
			}
		}
	}
	return h, h.Mark != nil && found == 3
}
