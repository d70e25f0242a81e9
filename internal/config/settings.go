package config

import (
	"strings"
	"time"

	"github.com/boathook/boathook/internal/paths"
)

// Settings are the values in force for one process. It is plain data.
type Settings struct {
	// Path is the config file that was asked for or found; Missing says that --config named one that is not there.
	Path    string
	Missing bool
	// Managed says that an administrator's settings are in force.
	Managed bool

	DataDir string
	// DataDirMoved is the data directory that the files say, where Settle found it on a network filesystem.
	DataDirMoved string
	Minimal      bool

	Guard     Guard
	Policy    Policy
	Telemetry Telemetry
	Redact    Redact
	Retention Retention
	Off       Off
	Audit     Audit
	Memory    Memory
	LLM       LLM
	// Hooks are the programs of [[hooks]], in the order in which their rewrites count.
	Hooks []Hook

	Deadline time.Duration
	// Flush is how long the hook of a session's end may wait for the worker; zero is not at all.
	Flush      time.Duration
	SpoolMax   int64 // bytes
	StoreMax   int64 // bytes; zero is no limit
	Fsync      bool
	WorkerIdle time.Duration

	// TrustEnv says that the process environment may decide where data goes (proxies and certificates included).
	TrustEnv bool
	// Values lists every key with its source, for people.
	Values []Value
	// Files are those that the settings came from, or would have come from.
	Files []File
	// Problems are the things wrong with the files read: file:line, key, what happened to it.
	Problems []string
}

// Guard is how the remote guard is asked.
type Guard struct {
	Endpoint   string
	Token      string
	Disabled   bool
	Timeout    time.Duration
	FailClosed bool
	ReviewAsks bool
	DenyOnFail bool // guard.on_error: a gate payload that cannot be decoded is denied
	Proxy      string
}

// Policy is what the local guard goes by.
type Policy struct {
	// Mode is enforce, shadow or off.
	Mode string
	// File is the user's policy, Organisation the administrator's; neither need be there. Fixed says that the administrator set
	// the mode.
	File, Organisation string
	Fixed              bool
	// Interactive are the agents whose sessions always have a person.
	Interactive []string
	// AllowOnce is how long a lifted call may be made.
	AllowOnce time.Duration
}

// Telemetry is where spans and metrics go, and what is in them.
type Telemetry struct {
	// Endpoint is empty when nothing is sent.
	Endpoint string
	Headers  map[string]string
	// JSON is OTLP's JSON encoding in place of protobuf.
	JSON    bool
	Gzip    bool
	Timeout time.Duration
	// CA, ClientCert and ClientKey are paths of PEM files, empty for the system's authorities and no certificate.
	CA, ClientCert, ClientKey string
	Proxy                     string

	EventSpans, GenAISpans bool
	// Content says that masked contents are sent, too.
	Content  bool
	Resource map[string]string

	Metrics         bool
	MetricsEndpoint string
	MetricsInterval time.Duration
	// Abandon is how long a turn may be silent.
	Abandon time.Duration
}

// Retention is how long what is kept; zero is for good.
type Retention struct {
	Body, Metadata time.Duration
}

// Off is where and whether hooks may be switched off.
type Off struct {
	Allowed  bool
	Projects []string
}

// Audit is the log of hook runs.
type Audit struct {
	Enabled  bool
	MaxBytes int64
}

// Redact is what the user adds to the built-in patterns.
type Redact struct {
	Allow    []string
	Patterns map[string]string
}

// Value is one key as it is in force.
type Value struct {
	Key    string `json:"key"`
	Value  string `json:"value"`
	Source string `json:"source"`
}

// bounds keeps numbers sane: the deadline and the guard's budget add up, and above Antigravity's 30 s together they would
// hand the decision to the host.
func bounds(key string) (lo, hi int64) {
	switch key {
	case "guard.timeout_ms":
		return 1, 15_000
	case "policy.allow_once_min":
		return 1, 1440
	case "hook.deadline_ms":
		return 100, 12_000
	case "spool.max_mb":
		return 1, 1 << 20
	case "store.max_mb":
		return 0, 1 << 20
	case "worker.idle_s":
		return 1, 86_400
	case "hook.flush_ms":
		return 0, 10_000
	case "retention.body_days", "retention.metadata_days":
		return 0, 36_500
	case "telemetry.timeout_ms":
		return 1, 120_000
	case "telemetry.metrics_interval_s":
		return 1, 86_400
	case "telemetry.abandon_min":
		return 1, 10_080
	case "audit.max_mb":
		return 1, 1 << 20
	}
	if lo, hi, ok := memoryBounds(key); ok {
		return lo, hi
	}
	return 0, 1 << 62
}

// Defaults tells whether a setting has the value that it has where nobody sets it, whoever said so. home is where the
// user's files are; the defaults of two keys are below it.
func (s Settings) Defaults(v Value, home string, env paths.Lookup) bool {
	k, ok := known().keys[v.Key]
	switch {
	case !ok:
		return false
	case v.Source == "default":
		return true
	case k.Secret:
		return v.Value == ""
	case v.Key == "data_dir":
		return s.DataDir == paths.DataDir(home, env)
	case v.Key == "env_files":
		return v.Value == strings.Join(DefaultEnvFiles(s.Path, home), ",")
	}
	usual, err := convert(k, k.fallback())
	return err == nil && v.Value == show(k, usual) || v.Value == ""
}
