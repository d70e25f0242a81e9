// Package config reads boathook's settings and remembers where each came from. It is on the hook path: loading never
// fails, a broken file loses only its broken lines, and every loss is listed in Settings.Problems.
// It must not import net/http or database/sql.
package config

import (
	"strings"
	"sync"
)

// Key is one setting: its name in config.toml, the variables that carry it, and what it means.
type Key struct {
	Name string
	Env  []EnvName
	Type Type
	// Choices are the values that a Choice may have; the first is the default.
	Choices []string
	Default string
	// Strict is the choice that stands for a value that is none: somebody who writes fail = "close" does not want open.
	Strict string
	// Secret values are never printed.
	Secret bool
	Doc    string
}

// EnvName is one variable for a key. Suffix is appended to its value (the OTLP base endpoint lacks the signal's path).
type EnvName struct{ Name, Suffix string }

// Type is how a value is written.
type Type int

// The types. A List and a Map come from TOML; a Map may also be written as OTLP writes headers: k=v,k=v.
const (
	String Type = iota
	Bool
	Int
	Choice
	List
	Map
)

// index finds keys by their dotted names, tables by theirs, and keys by the last part of their names.
type index struct {
	keys   map[string]Key
	tables map[string]bool
	last   map[string][]Key
}

var known = sync.OnceValue(func() index {
	x := index{keys: map[string]Key{}, tables: map[string]bool{}, last: map[string][]Key{}}
	for _, k := range Keys() {
		x.keys[k.Name] = k
		table, name, dotted := strings.Cut(k.Name, ".")
		if dotted {
			x.tables[table] = true
		} else {
			name = k.Name
		}
		x.last[name] = append(x.last[name], k)
	}
	return x
})

// Keys lists every setting, in the order of config.toml.
func Keys() []Key {
	return []Key{
		{Name: "data_dir", Env: env("GEMINI_PLUGIN_DATA"), Doc: "where the spool, the store and the machine's key are kept; absolute, or ~/…"},
		{Name: "privacy", Type: Choice, Choices: []string{"standard", "minimal"}, Strict: "minimal", Doc: "minimal keeps only keyed hashes and normalized metadata"},
		{Name: "environment", Type: Choice, Choices: []string{"ignored", "trusted"}, Doc: "trusted lets the process environment override this file (for CI images)"},
		{Name: "env_files", Type: List, Doc: "files of KEY=value lines, read for what is not set here"},
		{Name: "guard.endpoint", Env: env("PINTA_GUARD_ENDPOINT"), Doc: "URL of the remote guard; empty means that none is asked"},
		{Name: "guard.token", Env: env("PINTA_RELAY_TOKEN"), Secret: true, Doc: "sent to the guard as x-pinta-relay-token"},
		{Name: "guard.disabled", Env: env("PINTA_GUARD_DISABLED"), Type: Bool, Default: "false", Doc: "true asks no guard"},
		{Name: "guard.timeout_ms", Env: env("PINTA_GUARD_TIMEOUT_MS"), Type: Int, Default: "50", Doc: "milliseconds from dial to the last byte of the verdict"},
		{Name: "guard.fail", Type: Choice, Choices: []string{"open", "closed"}, Strict: "closed", Doc: "closed denies when the guard gives no verdict, or none is set"},
		{Name: "guard.review", Type: Choice, Choices: []string{"allow", "ask"}, Strict: "ask", Doc: "what a REVIEW verdict becomes; ask is a deny where the agent cannot ask safely"},
		{Name: "guard.on_error", Type: Choice, Choices: []string{"allow", "deny"}, Strict: "deny", Doc: "what a tool call becomes whose payload, or whose arguments in it, cannot be read"},
		{Name: "guard.proxy", Doc: "proxy URL for the guard; the environment's proxies are used only with environment = \"trusted\""},
		{Name: "telemetry.endpoint", Env: []EnvName{{Name: "GEMINI_PLUGIN_OPTION_ENDPOINT"}, {Name: "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"}, {Name: "OTEL_EXPORTER_OTLP_ENDPOINT", Suffix: "/v1/traces"}}, Doc: "OTLP/HTTP traces URL; kept for the exporter, which this version does not have yet"},
		{Name: "telemetry.headers", Env: env("GEMINI_PLUGIN_OPTION_HEADERS", "OTEL_EXPORTER_OTLP_TRACES_HEADERS", "OTEL_EXPORTER_OTLP_HEADERS"), Type: Map, Secret: true, Doc: "headers for the endpoint"},
		{Name: "telemetry.api_key", Env: env("GEMINI_PLUGIN_OPTION_API_KEY"), Secret: true, Doc: "sent as x-pinta-relay-token unless the headers have one"},
		{Name: "redact.allow", Type: List, Doc: "literal texts or anchored regular expressions that are never masked"},
		{Name: "redact.patterns", Type: Map, Doc: "further patterns to mask: type = \"regular expression\""},
		{Name: "hook.deadline_ms", Type: Int, Default: "5000", Doc: "milliseconds after which a hook answers with what it has"},
		{Name: "spool.max_mb", Type: Int, Default: "512", Doc: "MiB the spool may take; beyond it the oldest events are dropped and counted"},
		{Name: "spool.durability", Type: Choice, Choices: []string{"none", "fsync"}, Doc: "fsync survives a power loss, at milliseconds a hook"},
		{Name: "worker.idle_s", Type: Int, Default: "30", Doc: "seconds without events after which the worker ends"},
	}
}

func env(names ...string) []EnvName {
	out := make([]EnvName, len(names))
	for i, n := range names {
		out[i] = EnvName{Name: n}
	}
	return out
}

func (k Key) fallback() string {
	if k.Type == Choice {
		return k.Choices[0]
	}
	return k.Default
}
