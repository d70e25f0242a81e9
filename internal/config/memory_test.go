package config

import (
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

const wholeMemory = `[memory]
enabled = true
provider = "postgres"
connectionStringEnv = "TEAM_DSN"
tenant = "ops"
inject = "review"
injectProjects = ["~/shop", "team-shop"]
noInjectProjects = ["/secret"]
sample = 50
exclude = ["~/private/*", "*.pem"]
projectIds = { "~/shop" = "shop" }
summary = "model"
redaction.enabled = false

[memory.retrieval]
topK = 3
maxContextTokens = 500
recentDays = 30
deadlineMs = 200
embedderMs = 80

[memory.embedding]
provider = "openai_compatible"
model = "bge-m3"
dimensions = 1024

[memory.retention]
rawDays = 30
summaryDays = 180
projects = { shop = 7, "~/shop" = "0" }
`

// TestMemorySettings: every key of memory reaches the program.
func TestMemorySettings(t *testing.T) {
	p := newPlace(t, map[string]string{configFile: wholeMemory, ownEnv: "TEAM_DSN=postgres://u:canary@db/ltm\n"}, nil)
	s := p.load(true)
	const day = 24 * time.Hour
	shop := filepath.Join(p.home, "shop")
	want := Memory{
		Enabled: true, Provider: "postgres", DSN: "postgres://u:canary@db/ltm", DSNEnv: "TEAM_DSN", DSNSource: filepath.Join(p.home, ownEnv) + " TEAM_DSN",
		Tenant: "ops", Inject: "review", InjectProjects: []string{shop, "team-shop"}, NoInjectProjects: []string{"/secret"}, Sample: 50,
		Exclude: []string{filepath.Join(p.home, "private/*"), "*.pem"}, ProjectIDs: map[string]string{shop: "shop"}, Summary: "model",
		TopK: 3, MaxContextTokens: 500, Recent: 30 * day, Deadline: 200 * time.Millisecond, EmbedderDeadline: 80 * time.Millisecond,
		Embedding: Embedding{Provider: "openai-compatible", Model: "bge-m3", Dimensions: 1024},
		Raw:       30 * day, Summaries: 180 * day, RetentionOf: map[string]time.Duration{"shop": 7 * day, shop: 0},
	}
	if diff := cmp.Diff(want, s.Memory); diff != "" || len(s.Problems) > 0 {
		t.Errorf("%s\nproblems %q", diff, s.Problems)
	}
	for _, v := range s.Values {
		if strings.Contains(v.Value, "canary") {
			t.Errorf("%+v", v)
		}
	}
}

func TestMemoryIsOffAndSilentByDefault(t *testing.T) {
	s := newPlace(t, map[string]string{configFile: ""}, nil).load(true)
	m := s.Memory
	if m.Enabled || m.Inject != "off" || m.Provider != "sqlite" || m.Embedding.Provider != "none" || !m.Redact || len(s.Problems) > 0 {
		t.Errorf("%+v, %q", m, s.Problems)
	}
	if m.Deadline != 250*time.Millisecond || m.EmbedderDeadline != 120*time.Millisecond || m.Raw != 90*24*time.Hour || m.Sample != 100 || m.DSNEnv != "BOATHOOK_MEMORY_DSN" {
		t.Errorf("%+v", m)
	}
}

// TestNamesOfThreeLevelsInAnyCase: as exact TOML, as TOML with slips of case, and as no TOML at all.
func TestNamesOfThreeLevelsInAnyCase(t *testing.T) {
	for name, tc := range map[string]struct {
		text     string
		problems int
	}{
		"a table":               {"[memory.retrieval]\ntopK = 3\nmaxContextTokens = 500\n", 0},
		"dotted below":          {"[memory]\nretrieval.topK = 3\nretrieval.maxContextTokens = 500\n", 0},
		"dotted":                {"memory.retrieval.topK = 3\nmemory.retrieval.maxContextTokens = 500\n", 0},
		"inline":                {"memory = { retrieval = { topK = 3, maxContextTokens = 500 } }\n", 0},
		"small letters":         {"[memory.retrieval]\ntopk = 3\nmaxcontexttokens = 500\n", 2},
		"other letters":         {"[Memory.Retrieval]\nTopK = 3\nMAXCONTEXTTOKENS = 500\n", 3},
		"no TOML":               {"?\n[memory.retrieval]\ntopK = 3\nmaxContextTokens = 500\n", 1},
		"no TOML, small":        {"?\n[memory.retrieval\ntopk = 3\nmaxcontexttokens = 500\n", 4},
		"no TOML, inline":       {"memory = { retrieval = { topK = 3, maxContextTokens = 500 }\n", 1},
		"no TOML, dotted below": {"?\n[memory]\nretrieval.topK = 3\nRetrieval.maxContextTokens = 500\n", 1},
		"a table twice":         {"[memory.retrieval]\ntopK = 3\n[memory.Retrieval]\nmaxContextTokens = 500\n", 1},
		"tables of tables":      {"[[memory.retrieval]]\ntopK = 3\nmaxContextTokens = 500\n", 1},
	} {
		s := loadText(t, tc.text)
		if s.Memory.TopK != 3 || s.Memory.MaxContextTokens != 500 {
			t.Errorf("%s: %+v", name, s.Memory)
		}
		if len(s.Problems) != tc.problems {
			t.Errorf("%s: problems %q, want %d", name, s.Problems, tc.problems)
		}
	}
	s := loadText(t, "[memory.retrieval]\ntopk = 3\nmemory = 1\n[memory.retreival]\n[memory]\ninjectProject = []\n")
	got := strings.Join(s.Problems, "\n")
	for _, want := range []string{
		":2: memory.retrieval.topK is not written as it should be", ":3: unknown key memory.retrieval.memory",
		":4: unknown key memory.retreival (did you mean memory.retrieval?)", ":6: unknown key memory.injectProject (did you mean memory.injectProjects?)",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in\n%s", want, got)
		}
	}
}

// TestInjectionThatCannotBeReadIsOff: who wrote it wanted something else than everything.
func TestInjectionThatCannotBeReadIsOff(t *testing.T) {
	for _, text := range []string{"[memory]\ninject = \"yes\"\n", "[memory]\ninject =\n", "[mem\x01ory]\ninject = \"on\"\n"} {
		if s := loadText(t, text); s.Memory.Inject != "off" || len(s.Problems) == 0 {
			t.Errorf("%q: %+v, %q", text, s.Memory, s.Problems)
		}
	}
}

// TestWhereTheConnectionStringComesFrom: with --config out of env files alone, unless the environment is trusted.
func TestWhereTheConnectionStringComesFrom(t *testing.T) {
	files := func(config string) map[string]string {
		return map[string]string{configFile: config, ownEnv: "BOATHOOK_MEMORY_DSN=postgres://file\n"}
	}
	vars := map[string]string{"BOATHOOK_MEMORY_DSN": "postgres://environment", "OTHER": "postgres://other"}
	for name, tc := range map[string]struct {
		config string
		wired  bool
		want   string
	}{
		"wired":                   {"", true, "postgres://file"},
		"wired, trusted":          {"environment = \"trusted\"\n", true, "postgres://environment"},
		"wired, another variable": {"memory.connectionStringEnv = \"OTHER\"\n", true, ""},
		"trusted, another":        {"environment = \"trusted\"\nmemory.connectionStringEnv = \"OTHER\"\n", true, "postgres://other"},
		"a user's own wiring":     {"", false, "postgres://environment"},
	} {
		if s := newPlace(t, files(tc.config), vars).load(tc.wired); s.Memory.DSN != tc.want || len(s.Problems) > 0 {
			t.Errorf("%s: %q, %q", name, s.Memory.DSN, s.Problems)
		}
	}
	s := loadText(t, "memory.connectionStringEnv = \"postgres://u:s3cr3t@db/x\"\n")
	if s.Memory.DSNEnv != "BOATHOOK_MEMORY_DSN" || len(s.Problems) != 1 || strings.Contains(s.Problems[0], "s3cr3t") {
		t.Errorf("%+v, %q", s.Memory, s.Problems)
	}
}

// TestModelsOfTheEnvironment: the names of multi-provider configurations, by the rule of all keys.
func TestModelsOfTheEnvironment(t *testing.T) {
	vars := map[string]string{
		"ENABLE_MULTI_PROVIDER": "true", "LLM_PROVIDER": "openai_compatible", "LLM_MODEL": "Qwen/Qwen2.5-7B-Instruct", "LLM_BASE_URL": "http://localhost:8000/v1",
		"LLM_API_KEY": "k1", "LLM_API_KEY_HEADER": "X-API-Key", "LLM_CUSTOM_HEADERS": `{"X-Tenant":"dev"}`, "GOOGLE_API_KEY": "g",
		"ANTHROPIC_API_KEY": "a", "OPENAI_API_KEY": "o", "DIDIM_API_KEY": "d",
	}
	want := LLM{
		Multi: true, Provider: "openai-compatible", Model: "Qwen/Qwen2.5-7B-Instruct", BaseURL: "http://localhost:8000/v1", APIKey: "k1",
		APIKeyHeader: "X-API-Key", Headers: map[string]string{"X-Tenant": "dev"}, GeminiKey: "g", AnthropicKey: "a", OpenAIKey: "o", DidimKey: "d",
	}
	p := newPlace(t, map[string]string{configFile: ""}, vars)
	if diff := cmp.Diff(want, p.load(false).LLM); diff != "" {
		t.Error(diff)
	}
	if s := p.load(true); !reflect.DeepEqual(s.LLM, LLM{}) {
		t.Errorf("a project's .env chose %+v", s.LLM)
	}
	var lines []string
	for name, value := range vars {
		lines = append(lines, name+"="+value)
	}
	p = newPlace(t, map[string]string{configFile: "", ownEnv: strings.Join(lines, "\n")}, nil)
	if diff := cmp.Diff(want, p.load(true).LLM); diff != "" {
		t.Error(diff)
	}
	vars["GEMINI_API_KEY"] = "first"
	if s := newPlace(t, map[string]string{configFile: ""}, vars).load(false); s.LLM.GeminiKey != "first" {
		t.Errorf("%q", s.LLM.GeminiKey)
	}
}

func TestProvidersThatAreNone(t *testing.T) {
	for text, want := range map[string]string{
		"llm.provider = \"bedrock\"\n":                            "llm.provider is none of gemini, claude, openai, openai-compatible, didim",
		"memory.embedding.provider = \"anthropic\"\n":             "claude has no embeddings",
		"memory.embedding.provider = \"Didim\"\n":                 "didim has no embeddings",
		"memory.embedding.provider = \"word2vec\"\n":              "is none of none, auto, openai",
		"memory.provider = \"mysql\"\n":                           "memory.provider is none of sqlite, postgres",
		"llm.baseUrl = \"localhost:8000/v1\"\n":                   "write http://HOST:8000/v1, or https",
		"memory.projectIds = { \"shop\" = \"x\" }\n":              "memory.projectIds wants \"/directory\" = \"id\"",
		"memory.retention.projects = { shop = \"s3cr3t\" }\n":     "memory.retention.projects wants whole numbers between 0 and 36500",
		"memory.retention.projects = { shop = -1 }\n":             "memory.retention.projects wants whole numbers between 0 and 36500",
		"memory.exclude = [\"/a/[\"]\n":                           "memory.exclude has a pattern that is not closed",
		"memory.sample = 101\n":                                   "memory.sample is not between 0 and 100",
		"llm.certificate = \"ca.pem\"\n":                          "llm.certificate is not an absolute path",
		"[memory.redaction]\nenabled = \"maybe\"\n":               "memory.redaction.enabled is neither true nor false",
		"[llm]\ncustomHeaders = { \"X-A\" = 1 }\n":                "llm.customHeaders wants texts, and has a number",
		"[memory]\nprovider = \"sqlite\"\nretrieval = \"fast\"\n": "memory.retrieval wants a table",
	} {
		s := loadText(t, text)
		if len(s.Problems) != 1 || !strings.Contains(s.Problems[0], want) || strings.Contains(s.Problems[0], "s3cr3t") {
			t.Errorf("%q: %q", text, s.Problems)
		}
		if !s.Memory.Redact || s.Memory.Embedding.Provider != "none" || s.LLM.Provider != "" || len(s.Memory.RetentionOf)+len(s.Memory.ProjectIDs) > 0 {
			t.Errorf("%q: %+v, %+v", text, s.Memory, s.LLM)
		}
	}
}

// TestSecretsOfSettings: whoever prints texts of others asks for them.
func TestSecretsOfSettings(t *testing.T) {
	for dsn, password := range map[string]string{
		"postgres://u:canary1@db/ltm": "canary1", "host=db user=u password=canary2 dbname=ltm": "canary2", "password = 'canary 3' host=db": "canary 3",
		"host=db user=password": "", "postgres://db/ltm": "",
	} {
		if got := dsnPassword(dsn); got != password {
			t.Errorf("%s: %q, want %q", dsn, got, password)
		}
	}
	s := newPlace(t, map[string]string{
		configFile: "[guard]\ntoken = \"canary1\"\n[telemetry]\nheaders = { a = \"canary2\" }\n[llm]\napiKey = \"canary3\"\ncustomHeaders = { b = \"canary4\" }\ngeminiKey = \"canary5\"\n",
		ownEnv:     "BOATHOOK_MEMORY_DSN=postgres://u:canary6@db/x\nOPENAI_API_KEY=canary7\nANTHROPIC_API_KEY=canary8\nDIDIM_API_KEY=canary9\n",
	}, nil).load(true)
	all := strings.Join(s.Secrets(), "\n")
	for n := range 9 {
		if want := "canary" + string(rune('1'+n)); !strings.Contains(all, want) {
			t.Errorf("%s is not among them", want)
		}
	}
	for _, v := range s.Values {
		if strings.Contains(v.Value, "canary") {
			t.Errorf("%+v", v)
		}
	}
}
