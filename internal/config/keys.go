// Package config reads boathook's settings and remembers where each came from. It is on the hook path: loading never
// fails, a broken file loses only its broken lines, and every loss is listed in Settings.Problems.
// It must not import net/http or database/sql.
package config

import (
	"iter"
	"slices"
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
	// Numbers says that the values of a Map are whole numbers.
	Numbers bool
	// Foreign says that the variables are other programs' too: install does not take them over.
	Foreign bool
	Doc     string
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

// index finds keys by their dotted names, and tables by theirs.
type index struct {
	list   []Key
	keys   map[string]Key
	tables map[string]bool
	// cased has those names that are not all in small letters, by what they are so.
	cased map[string]string
}

// canonical is how the key or table of a name in any case is written; a name of none is in small letters.
func (x index) canonical(name string) string {
	if _, key := x.keys[name]; key || x.tables[name] {
		return name
	}
	lower := strings.ToLower(name)
	if as, ok := x.cased[lower]; ok {
		return as
	}
	return lower
}

func (x index) put(name string) {
	if lower := strings.ToLower(name); lower != name {
		x.cased[lower] = name
	}
}

var known = sync.OnceValue(newIndex)

func newIndex() index {
	list := Keys()
	x := index{list: list, keys: make(map[string]Key, len(list)), tables: map[string]bool{}, cased: map[string]string{}}
	for _, k := range list {
		x.keys[k.Name] = k
		x.put(k.Name)
		for table := range tablesOf(k.Name) {
			x.tables[table] = true
			x.put(table)
		}
	}
	return x
}

// tablesOf gives the tables that a key stands in, the outermost first.
func tablesOf(name string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for at := range len(name) {
			if name[at] == '.' && !yield(name[:at]) {
				return
			}
		}
	}
}

// byLast finds keys by the last part of their names, in small letters. Only broken files ask.
var byLast = sync.OnceValue(func() map[string][]Key {
	last := map[string][]Key{}
	for _, k := range known().list {
		name := strings.ToLower(k.Name[strings.LastIndexByte(k.Name, '.')+1:])
		last[name] = append(last[name], k)
	}
	return last
})

// Keys lists every setting, in the order of config.toml.
func Keys() []Key {
	return slices.Concat([]Key{
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
		{Name: "policy.mode", Type: Choice, Choices: []string{"enforce", "shadow", "off"}, Strict: "enforce", Doc: "what the local policy does: shadow only records what it would have said, off reads no policy"},
		{Name: "policy.file", Doc: "your own policy; empty means policy.toml beside this file"},
		{Name: "policy.interactive", Type: List, Doc: "agents that you only run with a person at the terminal, so that an ask cannot hang (gemini)"},
		{Name: "policy.allow_once_min", Type: Int, Default: "10", Doc: "minutes that a denied call which 'boathook allow-once' lifted may be made, once"},
		{Name: "telemetry.endpoint", Env: otlpEnv("GEMINI_PLUGIN_OPTION_ENDPOINT", "TRACES_ENDPOINT", "/v1/traces"), Doc: "OTLP/HTTP traces URL; empty means that nothing is sent"},
		{Name: "telemetry.headers", Env: env("GEMINI_PLUGIN_OPTION_HEADERS", "OTEL_EXPORTER_OTLP_TRACES_HEADERS", "OTEL_EXPORTER_OTLP_HEADERS"), Type: Map, Secret: true, Doc: "headers for the endpoint"},
		{Name: "telemetry.api_key", Env: env("GEMINI_PLUGIN_OPTION_API_KEY"), Secret: true, Doc: "sent as x-pinta-relay-token unless the headers have one"},
		{Name: "telemetry.protocol", Env: env("OTEL_EXPORTER_OTLP_TRACES_PROTOCOL", "OTEL_EXPORTER_OTLP_PROTOCOL"), Type: Choice, Choices: []string{"http/protobuf", "http/json"}, Doc: "encoding of what is sent"},
		{Name: "telemetry.compression", Env: env("OTEL_EXPORTER_OTLP_TRACES_COMPRESSION", "OTEL_EXPORTER_OTLP_COMPRESSION"), Type: Choice, Choices: []string{"gzip", "none"}, Doc: "compression of what is sent"},
		{Name: "telemetry.timeout_ms", Env: env("OTEL_EXPORTER_OTLP_TRACES_TIMEOUT", "OTEL_EXPORTER_OTLP_TIMEOUT"), Type: Int, Default: "5000", Doc: "milliseconds that one request may take; no hook waits for it"},
		{Name: "telemetry.certificate", Env: env("OTEL_EXPORTER_OTLP_TRACES_CERTIFICATE", "OTEL_EXPORTER_OTLP_CERTIFICATE"), Doc: "PEM file of the authorities that may sign the endpoint's certificate; empty means the system's"},
		{Name: "telemetry.client_certificate", Env: env("OTEL_EXPORTER_OTLP_TRACES_CLIENT_CERTIFICATE", "OTEL_EXPORTER_OTLP_CLIENT_CERTIFICATE"), Doc: "PEM file of the client's certificate"},
		{Name: "telemetry.client_key", Env: env("OTEL_EXPORTER_OTLP_TRACES_CLIENT_KEY", "OTEL_EXPORTER_OTLP_CLIENT_KEY"), Doc: "PEM file of the client's private key"},
		{Name: "telemetry.proxy", Doc: "proxy URL for the endpoint; the environment's proxies are used only with environment = \"trusted\""},
		{Name: "telemetry.event_spans", Type: Bool, Default: "true", Doc: "one span for each hook event, in the form that pinta backends know"},
		{Name: "telemetry.genai_spans", Type: Bool, Default: "true", Doc: "spans of turns and tool calls by OpenTelemetry's conventions for generative AI"},
		{Name: "telemetry.content", Type: Choice, Choices: []string{"redacted", "none"}, Strict: "none", Doc: "none sends no prompts, arguments, results or paths; redacted sends them masked"},
		{Name: "telemetry.resource", Env: env("OTEL_RESOURCE_ATTRIBUTES"), Type: Map, Doc: "further resource attributes on all that is sent"},
		{Name: "telemetry.metrics", Type: Bool, Default: "true", Doc: "metrics about hooks, guard and queue, sent where the spans go"},
		{Name: "telemetry.metrics_endpoint", Env: otlpEnv("", "METRICS_ENDPOINT", "/v1/metrics"), Doc: "OTLP/HTTP metrics URL; empty means beside the traces, where their URL ends in /v1/traces"},
		{Name: "telemetry.metrics_interval_s", Type: Int, Default: "60", Doc: "seconds between two exports of metrics"},
		{Name: "telemetry.abandon_min", Type: Int, Default: "30", Doc: "minutes without an event after which an open turn counts as abandoned"},
		{Name: "redact.allow", Type: List, Doc: "literal texts or anchored regular expressions that are never masked"},
		{Name: "redact.patterns", Type: Map, Doc: "further patterns to mask: type = \"regular expression\""},
	}, keepingKeys(), memoryKeys(), llmKeys())
}

// keepingKeys are those of the hooks, and of what is kept for how long.
func keepingKeys() []Key {
	return []Key{
		{Name: "hook.deadline_ms", Type: Int, Default: "5000", Doc: "milliseconds after which a hook answers with what it has"},
		{Name: "hook.flush_ms", Type: Int, Default: "0", Doc: "milliseconds that a session's last hook may wait until all is stored and sent (machines that end with the job)"},
		{Name: "spool.max_mb", Type: Int, Default: "512", Doc: "MiB the spool may take; beyond it the oldest events are dropped and counted"},
		{Name: "spool.durability", Type: Choice, Choices: []string{"none", "fsync"}, Doc: "fsync survives a power loss, at milliseconds a hook"},
		{Name: "store.max_mb", Type: Int, Default: "4096", Doc: "MiB the store may take; beyond it the oldest events are removed and counted, sent or not; 0 is no limit"},
		{Name: "worker.idle_s", Type: Int, Default: "30", Doc: "seconds without events after which the worker ends"},
		{Name: "retention.body_days", Type: Int, Default: "14", Doc: "days that contents are kept (prompts, arguments, results); 0 keeps them for good"},
		{Name: "retention.metadata_days", Type: Int, Default: "90", Doc: "days that events are kept at all; 0 keeps them for good"},
		{Name: "off.switch", Type: Choice, Choices: []string{"allowed", "refused"}, Strict: "refused", Doc: "refused makes 'boathook off' have no effect"},
		{Name: "off.projects", Type: List, Doc: "projects, by their directories, in which hooks neither judge nor record; absolute, or ~/…"},
		{Name: "audit.enabled", Env: env("PINTA_GEMINI_DEBUG"), Type: Bool, Default: "false", Doc: "write each hook run, masked, to invocations.jsonl in the data directory: payload, event, guard, decision, times"},
		{Name: "audit.max_mb", Type: Int, Default: "16", Doc: "MiB that invocations.jsonl may take; then it becomes invocations.jsonl.old"},
	}
}

func env(names ...string) []EnvName {
	out := make([]EnvName, len(names))
	for i, n := range names {
		out[i] = EnvName{Name: n}
	}
	return out
}

// otlpEnv names the variables of an endpoint: a name that comes first, the signal's own, and the base for all signals.
func otlpEnv(first, signal, path string) []EnvName {
	out := []EnvName{{Name: "OTEL_EXPORTER_OTLP_" + signal}, {Name: "OTEL_EXPORTER_OTLP_ENDPOINT", Suffix: path}}
	if first == "" {
		return out
	}
	return append([]EnvName{{Name: first}}, out...)
}

func (k Key) fallback() string {
	if k.Type == Choice {
		return k.Choices[0]
	}
	return k.Default
}
