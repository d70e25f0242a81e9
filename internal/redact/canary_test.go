package redact

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// canary is a made-up secret. before and after are the text round it that makes
// it one; both may survive. Secrets are put together here so that no scanner of
// repositories takes them for real ones.
type canary struct {
	typ           string
	before        string
	secret        string
	after         string
	shell, header bool // only in shell fields; a line of its own
}

const (
	mixed36 = "aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5"
	mixed24 = "q7Rt2Wx9Lm4Zp8Kd3Vn6Hs1B"
	hex40   = "3f9a1c7e5b2d8f406a9c1e3b5d7f9024681acebd"
)

func b64(s string) string { return base64.StdEncoding.EncodeToString([]byte(s)) }

func fakeJWT() string {
	return "eyJ" + "hbGciOiJIUzI1NiJ9" + ".eyJ" + "zdWIiOiIxMjM0NTY3ODkwIn0" + "." + mixed36
}

func fakePEM(kind string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "-----BEGIN %sPRIVATE KEY-----\n", kind)
	for i := range 14 {
		b.WriteString(b64(fmt.Sprintf("line %02d of a key that is none, %d%d", i, i*7919, i*104729))[:44] + mixed24[:20] + "\n")
	}
	fmt.Fprintf(&b, "9QtZ4w==\n-----END %sPRIVATE KEY-----", kind)
	return b.String()
}

func canaries() []canary {
	return append(append(append(tokenCanaries(), contextCanaries()...), shellCanaries()...), phraseCanaries()...)
}

func tokenCanaries() []canary {
	pemText := fakePEM("RSA ")
	return []canary{
		{typ: "aws_access_key", secret: "AKIA" + "Q3EGXAMPLE7ZKD5T"},
		{typ: "aws_access_key", secret: "ASIA" + "IOSFODNN7EXAMPLE"},
		{typ: "gcp_api_key", secret: "AIza" + "SyD" + mixed36[:32]},
		{typ: "gcp_oauth_secret", secret: "GOCSPX-" + mixed36[:28]},
		{typ: "github_token", secret: "ghp_" + mixed36},
		{typ: "github_token", secret: "gho_" + mixed36},
		{typ: "github_token", secret: "ghu_" + mixed36},
		{typ: "github_token", secret: "ghs_" + mixed36},
		{typ: "github_token", secret: "ghr_" + mixed36},
		{typ: "github_token", secret: "github_pat_" + mixed24[:22] + "_" + mixed36 + mixed24},
		{typ: "gitlab_token", secret: "glpat-" + mixed24[:20]},
		{typ: "slack_token", secret: "xoxb-" + "123456789012-1234567890123-" + mixed24},
		{typ: "slack_webhook", before: "https://hooks.slack.com/services/", secret: "T0ABCDEF1/B0ABCDEF2/" + mixed24},
		{typ: "stripe_key", secret: "sk_live_" + mixed24},
		{typ: "stripe_key", secret: "rk_live_" + mixed24},
		{typ: "stripe_key", secret: "sk_test_" + mixed24},
		{typ: "openai_key", secret: "sk-" + mixed36 + mixed24[:12]},
		{typ: "openai_key", secret: "sk-proj-" + mixed36 + "_" + mixed24 + "-" + mixed36},
		{typ: "anthropic_key", secret: "sk-ant-" + "api03-" + mixed36 + "-" + mixed36 + "AA"},
		{typ: "jwt", secret: fakeJWT()},
		{typ: "npm_token", secret: "npm_" + mixed36},
		{typ: "pypi_token", secret: "pypi-" + "AgEIcHlwaS5vcmcC" + mixed36 + mixed24},
		{typ: "huggingface_token", secret: "hf_" + mixed36[:34]},
		{typ: "sendgrid_key", secret: "SG." + mixed36[:22] + "." + mixed36 + mixed24[:7]},
		{typ: "digitalocean_token", secret: "dop_v1_" + hex40 + hex40[:24]},
		{typ: "twilio_key", secret: "SK" + hex40[:32]},
		{typ: "telegram_token", secret: "123456789:" + "AA" + mixed36[:33]},
		{typ: "azure_client_secret", secret: "aB1" + "8Q~" + mixed36[:34]},
		{typ: "private_key", secret: pemText},
		{typ: "private_key", secret: fakePEM("")},
		{typ: "private_key", secret: fakePEM("EC ")},
		{typ: "private_key", secret: fakePEM("OPENSSH ")},
		{typ: "private_key", secret: pemText[:500], header: true},
		{typ: "private_key", secret: strings.ReplaceAll(pemText, "\n", `\n`)},
		{typ: "private_key", secret: strings.ReplaceAll(pemText, "\n", `\\n`)},
		{typ: "kr_rrn", secret: "900101-" + "1234567"},
		{typ: "kr_rrn", secret: "9001011" + "234567"},
		{typ: "kr_mobile", secret: "010-1234-" + "5678"},
		{typ: "kr_mobile", secret: "0101234" + "5678"},
		{typ: "kr_mobile", before: "+", secret: "82-10-1234-" + "5678"},
		{typ: "kr_mobile", secret: "016-234-" + "5678"},
		{typ: "kr_business", secret: "120-81-" + "47521"},
		{typ: "card", secret: "4111 1111 " + "1111 1111"},
		{typ: "card", secret: "4111-1111-" + "1111-1111"},
		{typ: "card", secret: "55555555" + "55554444"},
		{typ: "card", secret: "3782 822463 " + "10005"},
	}
}

func contextCanaries() []canary {
	return []canary{
		{typ: "aws_secret_key", before: "aws_secret_access_key = ", secret: "wJalrXUtnFEMI/K7MDENG/bPxRfiCY" + "EXAMPLEKEY"},
		{typ: "aws_secret_key", before: `"SecretAccessKey": "`, secret: "wJalrXUtnFEMI/K7MDENG+bPxRfiCY" + "EXAMPLEKEY", after: `"`},
		{typ: "azure_key", before: "DefaultEndpointsProtocol=https;AccountName=x;AccountKey=", secret: b64(mixed36 + mixed24), after: ";EndpointSuffix=core"},
		{typ: "azure_sas", before: "https://x.blob.core.windows.net/c/b?sv=2023-01-03&sr=b&sig=", secret: mixed36 + "%2B" + mixed24[:5] + "%3D"},
		{typ: "db_url", before: "postgres://app:", secret: "s3cr3t-Pa55w0rd", after: "@db.internal:5432/app"},
		{typ: "db_url", before: "mongodb+srv://app:", secret: "s3cr3t/Pa55#w0rd", after: "@cluster0.example.net/app"},
		{typ: "db_url", before: "redis://:", secret: "hunter2hunter2", after: "@cache:6379/0"},
		{typ: "db_url", before: "amqp://svc:", secret: "p%40ss%2Fw0rdXYZ", after: "@mq:5672/vhost"},
		{typ: "db_url", before: "mysql://root:", secret: "Tr0ub4dor&3x", after: "@localhost/app"},
		{typ: "basic_auth", before: "https://bob:", secret: "hunter2hunter2", after: "@host.example.com/x"},
		{typ: "bearer", before: "Authorization: Bearer ", secret: mixed36, header: true},
		{typ: "basic_auth", before: "Authorization: Basic ", secret: b64("bob:correct horse"), header: true},
		{typ: "bearer", before: "authorization: token ", secret: hex40, header: true},
		{typ: "cookie", before: "Cookie: ", secret: "session=" + mixed24 + "; theme=" + mixed36[:9], header: true},
		{typ: "cookie", before: "Set-Cookie: ", secret: "sid=" + mixed24 + "; Path=/; HttpOnly", header: true},
		{typ: "field_secret", before: `{"user":"bob","password":"`, secret: "hunter2hunter2", after: `"}`},
		{typ: "field_secret", before: `{\"user\":\"bob\",\"password\":\"`, secret: "hunter2hunter2", after: `\"}`},
		{typ: "field_secret", before: `{\\\"password\\\":\\\"`, secret: "hunter2hunter2", after: `\\\"}`},
		{typ: "field_secret", before: "https://api.example.com/v1?access_token=", secret: mixed24, after: "&page=2"},
		{typ: "field_secret", before: "grant_type=password&client_secret=", secret: mixed24, after: "&scope=all"},
	}
}

func shellCanaries() []canary {
	list := []canary{
		{typ: "cli_password", before: "tool --password ", secret: "hunter2hunter2", after: " --verbose"},
		{typ: "cli_password", before: "tool --password=", secret: "hunter2hunter2", after: " --verbose"},
		{typ: "cli_password", before: "tool --password='", secret: "hunter2 hunter2", after: "' -v"},
		{typ: "cli_password", before: "tool --api-key ", secret: "abcdefghijkl", after: ""},
		{typ: "cli_password", before: "mysql -u root -p'", secret: "hunter2hunter2", after: "' app"},
		{typ: "cli_password", before: "mysqldump -uroot -p", secret: "hunter2hunter2", after: " app"},
		{typ: "cli_password", before: "sshpass -p ", secret: "hunter2hunter2", after: " ssh bob@host"},
		{typ: "cli_password", before: "curl -s -u bob:", secret: "hunter2hunter2", after: " https://host/x"},
		{typ: "cli_password", before: "curl --user \"bob:", secret: "hunter2hunter2", after: "\" https://host/x"},
		{typ: "env_secret", before: "PGPASSWORD=", secret: "hunter2hunter2", after: " psql -h db"},
		{typ: "env_secret", before: "export API_TOKEN=", secret: "abcdefabcdef", after: ""},
		{typ: "env_secret", before: "export API_TOKEN=\"", secret: "abc def abc def", after: "\""},
		{typ: "env_secret", before: "DB_PASSWORD='", secret: "hunter2hunter2", after: "' ./run"},
		{typ: "env_secret", before: "db.password=", secret: "hunter2hunter2", after: ""},
		{typ: "env_secret", before: "password = \"", secret: "hunter2hunter2", after: "\""},
		{typ: "field_secret", before: "password: ", secret: "hunter2hunter2", after: "", header: true},
		{typ: "cli_password", before: "java -password ", secret: "hunter2hunter2", after: " -v"},
		{typ: "cli_password", before: "redis-cli -a ", secret: "hunter2hunter2", after: " ping"},
		{typ: "cli_password", before: "docker login -u me -p ", secret: "hunter2hunter2", after: " host"},
		{typ: "cookie", before: "curl -b '", secret: "sid=hunter2hunter2", after: "' https://host"},
		{typ: "env_secret", before: "Server=db;User Id=sa;Password=", secret: "hunter2hunter2", after: ";Encrypt=yes"},
		{typ: "env_secret", before: "export PASSWORD=$'", secret: "hunter2hunter2", after: "'"},
		{typ: "env_secret", before: "export STORAGE_KEY=", secret: mixed24},
		{typ: "env_secret", before: "os.environ[\"DB_PASSWORD\"] = \"", secret: "hunter2hunter2", after: "\""},
		{typ: "env_secret", before: "password: str = \"", secret: "hunter2hunter2", after: "\""},
		{typ: "env_secret", before: "'password' => '", secret: "hunter2hunter2", after: "',"},
		{typ: "env_secret", before: "ENV API_KEY ", secret: "hunter2hunter2", header: true},
		{typ: "aws_secret_key", before: "aws configure set aws_secret_access_key ", secret: "wJalrXUtnFEMI/K7MDENG/bPxRfiCY" + "EXAMPLEKEY"},
		{typ: "field_secret", before: "machine host login bob password ", secret: "hunter2hunter2", header: true},
		{typ: "field_secret", before: "<password>", secret: "hunter2hunter2", after: "</password>"},
		{typ: "field_secret", before: "my password is ", secret: "hunter2hunter2", after: ", use it"},
		{typ: "field_secret", before: "비밀번호: ", secret: "hunter2hunter2", after: "", header: true},
	}
	for i := range list {
		list[i].shell = true
	}
	return list
}

// placeIn puts a text somewhere in a payload.
type placeIn struct {
	name  string
	shell bool
	build func(text string) any
}

func places() []placeIn {
	type m = map[string]any
	type l = []any
	return []placeIn{
		{"prompt", true, func(s string) any { return m{"prompt": "please use\n" + s + "\nand go on"} }},
		{"command", true, func(s string) any { return m{"tool_input": m{"command": s}} }},
		{"response", true, func(s string) any { return m{"tool_response": m{"llmContent": l{m{"text": "out:\n" + s}}}} }},
		{"mcp args", true, func(s string) any { return m{"toolCall": m{"args": m{"a": l{l{m{"b": s}}}}}} }},
		{"other", false, func(s string) any { return m{"llm_request": m{"x": l{s, "y"}}} }},
		{"key", false, func(s string) any { return m{"other": m{s: 1}} }},
		{"json in string", true, func(s string) any {
			inner, _ := json.Marshal(m{"deep": m{"text": s}})
			return m{"tool_response": string(inner)}
		}},
		{"cut json in string", true, func(s string) any {
			inner, _ := json.Marshal(m{"deep": m{"text": s}})
			return m{"tool_response": string(inner)[1:]}
		}},
	}
}

// TestCanaries puts each secret into each place and looks for what is left of it.
func TestCanaries(t *testing.T) {
	r, _ := New(Options{})
	for i, c := range canaries() {
		for _, p := range places() {
			if c.shell && !p.shell || c.header && (p.name == "key" || p.name == "cut json in string" && c.typ == "private_key") {
				continue
			}
			t.Run(fmt.Sprintf("%s/%d/%s", c.typ, i, p.name), func(t *testing.T) {
				src, err := json.Marshal(p.build(c.before + c.secret + c.after))
				if err != nil {
					t.Fatal(err)
				}
				counts := Counts{}
				out := r.JSON(src, counts)
				requireGone(t, out, c)
				if counts[c.typ] == 0 {
					t.Errorf("counted %v, want a %s in %s", counts, c.typ, out)
				}
				if again := r.JSON(out, nil); string(again) != string(out) {
					t.Errorf("masking twice gives\n%s\nonce gave\n%s", again, out)
				}
			})
		}
	}
}

// requireGone fails if out, in any encoding, still holds eight bytes of the secret.
func requireGone(t *testing.T, out []byte, c canary) {
	t.Helper()
	if !json.Valid(out) {
		t.Fatalf("output is not JSON: %s", out)
	}
	if !strings.Contains(string(out), markPrefix+c.typ+"]") {
		t.Errorf("no mark of type %s in %s", c.typ, out)
	}
	for _, line := range strings.FieldsFunc(c.secret, func(r rune) bool { return r == '\n' || r == '\\' }) {
		if strings.HasPrefix(line, "-----") {
			continue
		}
		for i := 0; i+8 <= len(line); i++ {
			if strings.Contains(string(out), line[i:i+8]) {
				t.Fatalf("%q of the secret is left in %s", line[i:i+8], out)
			}
		}
	}
}
