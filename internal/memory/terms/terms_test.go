package terms_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/boathook/boathook/internal/memory/terms"
)

func TestOf(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"english", "Deployments were failing; the deployed service has failed", "deploy fail deploy servic fail"},
		{"apostrophes", "It's the server's fault, don't restart O'Brien’s box", "server fault restart brien obrien box"},
		{"camel case", "parseHTTPRequest getUserByID IPv6Address URLs gRPC", "pars http request parsehttprequest get user id getuserbyid " +
			"ipv6 address ipv6address url rpc grpc"},
		{"snake and kebab case are one", "http_server http-server HttpServer", "http server httpserver http server httpserver http server httpserver"},
		{"a path", "internal/memory/rank.go:42", "intern memori rank go rankgo memoryrankgo internalmemoryrankgo 42"},
		{"a path of Windows", `C:\Users\kim\app.log`, "user kim app log applog kimapplog userskimapplog"},
		{"a dotted name", "java.lang.NullPointerException", "java lang null pointer except nullpointerexcept javalangnullpointerexcept"},
		{"a name of C++", "std::vector in C++ and C#", "std vector stdvector cpp csharp"},
		{"flags", "rm -rf x --dry-run --no-verify=true a-b", "rm rf ˑrf dri run dryrun ˑdryrun verifi noverifi ˑnoverify true ab"},
		{"versions", "v1.2.3 17.2, 10.0.0.5", "1 1ˑ2 1ˑ2ˑ3 17 17ˑ2 10 10ˑ0 10ˑ0ˑ0ˑ5"},
		{"error codes", "E0308 TS2345 ERR_MODULE_NOT_FOUND 0x80070005 ECONNREFUSED SQLSTATE 42P01",
			"e0308 ts2345 err modul found errmodulenotfound 0x80070005 econnrefus sqlstate 42p01"},
		{"a commit", "fac1cbc9912abcdef", "fac1cbc fac1cbc9912abcdef"},
		{"korean", "배포가 실패했다", "배 배포 포가 실 실패 패했 했다"},
		{"a particle behind a name", "redis를 nginx에서 재시작", "redi nginx 재 재시 시작"},
		{"korean letters one by one", "\u1107\u1162\u1111\u1169", "배 배포"},
		{"laughter", "ㅋㅋㅋ 됐다 ㅠㅠ", "됐 됐다"},
		{"japanese", "データ移行 \u304b\u3099", "デー ータ タ移 移行 が"},
		{"chinese", "数据库", "数据 据库"},
		{"russian", "Ёлка Мой", "елка мои"},
		{"marks", "cafe\u0301 CAFÉ Straße", "cafe cafe strase"},
		{"full width", "ＥＲＲＯＲ　１２", "error 12"},
		{"nothing", " \t.,;:!? — \x00\xff\u202e", ""},
		{"letters alone", "a b c 7", "7"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := strings.Join(terms.Of(c.text), " "); got != c.want {
				t.Errorf("%q\n got %s\nwant %s", c.text, got, c.want)
			}
		})
	}
}

func TestQuery(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"a question", "How did we fix the ECONNREFUSED error last time?", "fix econnrefus error"},
		{"each once", "retry the retries of retry", "retri"},
		{"korean", "지난번에 배포를 어떻게 해결했더라?", "배 배포 해 해결"},
		{"mixed", "redis를 재시작했더니 timeout이 났던 원인이 뭐였지", "redi 재 재시 시작 timeout 원 원인"},
		{"a filler among others", "continue with the migration", "continu migrat"},
		{"go on", "continue", ""},
		{"thanks", "Thanks, great!", ""},
		{"yes", "yes, go ahead", ""},
		{"a choice", "2", ""},
		{"a status", "502", "502"},
		{"go on in korean", "네, 계속 진행해줘", ""},
		{"thanks in korean", "고마워요 수고했어", ""},
		{"only a question", "what did we do then?", ""},
		{"nothing", "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := strings.Join(terms.Query(c.text), " "); got != c.want {
				t.Errorf("%q\n got %s\nwant %s", c.text, got, c.want)
			}
		})
	}
}

// TestFormsMeet: who asks in another form, spelling or case finds what was said.
func TestFormsMeet(t *testing.T) {
	for _, c := range [][2]string{
		{"the migrations were rolled back", "migration rollback rolling"},
		{"UserService.createOrder threw", "user_service"},
		{"docker-compose up --build", "dockerCompose"},
		{"인덱스를 재구성했다", "인덱스 재구성"},
		{"캐시가 만료되어서", "캐시 만료된 거"},
		{"src/api/handlers/orders.ts", "orders.ts"},
		{"PostgreSQL", "postgresql"},
		{"upgrade to v3.14.1", "3.14"},
	} {
		stored := terms.Of(c[0])
		asked := terms.Query(c[1])
		if !slices.ContainsFunc(asked, func(term string) bool { return slices.Contains(stored, term) }) {
			t.Errorf("%q %q and %q %q share nothing", c[0], stored, c[1], asked)
		}
	}
}

// TestBounds: no text costs more than its length, or makes more than it should.
func TestBounds(t *testing.T) {
	for name, text := range map[string]string{
		"a line":             strings.Repeat("word ", 200_000),
		"a token":            strings.Repeat("x", 10_000),
		"a token of two":     strings.Repeat("xY", 500_000),
		"syllables":          strings.Repeat("가", 10_000),
		"characters":         strings.Repeat("漢", 400_000),
		"a path":             strings.Repeat("a1/", 300_000),
		"a dotted name":      strings.Repeat("a1.", 300_000),
		"dashes":             strings.Repeat("-", 1_000_000),
		"a version":          strings.Repeat("1.", 300_000),
		"marks":              "e" + strings.Repeat("\u0301", 300_000),
		"marks of syllables": strings.Repeat("\u1107\u1162\u11ab", 100_000),
		"no text":            strings.Repeat("\xff", 1_000_000),
	} {
		all := terms.Of(text)
		if len(all) > terms.MaxTerms {
			t.Errorf("%s: %d terms", name, len(all))
		}
		for _, term := range all {
			if !wellFormed(term) {
				t.Errorf("%s: the term %q", name, term)
				break
			}
		}
		if n := len(terms.Query(text)); n > terms.MaxQuery {
			t.Errorf("%s: a question of %d terms", name, n)
		}
	}
	var b strings.Builder
	for n := range 1000 {
		b.WriteString(" word" + strings.Repeat("b", n%40) + string(rune('a'+n%26)) + strings.Repeat("c", n/40))
	}
	asked := terms.Query(b.String() + " theLastError")
	if len(asked) != terms.MaxQuery || asked[len(asked)-1] != "thelasterror" {
		t.Errorf("a long question has %d terms, the last %q", len(asked), asked[len(asked)-1])
	}
}
