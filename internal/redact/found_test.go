package redact

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Canaries of this file; put together like those of canaries.
const (
	akia   = "AKIA" + "Q3EGXAMPLE7ZKD5T"
	ghp    = "ghp_" + mixed36
	rrn    = "900101-" + "1234567"
	visa   = "4539148803436467"
	secret = "hunter2" + "hunter2"
)

// TestFoundTexts: forms that an earlier scan let through. «» is put round what
// has to go; the rest stays.
func TestFoundTexts(t *testing.T) {
	var r *Redactor
	uuidText := "123e4567-e89b-12d3-" + "a456-426614174000"
	for _, in := range []string{
		// glued tokens
		`\x00«` + akia + `»`, `\x1B«` + akia + `»`, `\0«` + akia + `»`, `\033«` + akia + `»`, `\e[0m«` + ghp + `»`, `^[[0m«` + akia + `» x`, `^[[0m«` + ghp + `»`,
		`[31m«` + ghp + `»`, `=3D«` + akia + `»`, `key«` + akia + `»`, `KEY«` + akia + `»`, `0«` + ghp + `»`, `token«` + ghp + `»`, `x9«` + fakeJWT() + `»`,
		`C:\«npm_` + mixed36 + `»`, `\u001b[1m«` + ghp + `»`, `a1«sk_live_` + mixed24 + `»`, "my«xoxb-" + "123456789012-" + mixed24 + "»",
		"«gh\u200bp_" + mixed36 + "»",
		// URLs
		"https://«" + mixed36 + "»@host.example.com/x", "https://bob:«" + strings.Repeat(mixed36, 90) + "»@host.example.com/x", "redis://u:«" + strings.Repeat(mixed36, 90) + "»@h/0",
		// command lines
		"curl -u b:«" + secret + "» https://h", "curl 'https://h/?a=1&b=2' -H 'X: y' -ub:«" + secret + "»", "curl " + strings.Repeat("-H 'Accept: text/html' ", 30) + "-u b:«" + secret + "»",
		"openssl rsa -passin pass:«" + secret + "» -in k", "openssl enc -k «" + secret + "» -in f", "zip -P «" + secret + "» a.zip b", "unzip -P«" + secret + "» a.zip",
		"7z x -p«" + secret + "» a.7z", "smbclient //h/s -U u%«" + secret + "»", "keytool -list -storepass «" + secret + "» -v", "sqlcmd -S h -P «" + secret + "»",
		"sqlplus scott/«tiger42»@db1", "sqlplus scott/«" + secret + "»@//h:1521/x", "connect app/«tigerTIGER»@//h/x", "jdbc:oracle:thin:scott/«" + secret + "»@h:1521:x",
		// named values
		"Server=h;Uid=sa;Pwd=«abcdefg»;Encrypt=1", "Server=h;Uid=sa;Pwd=«1»;", "Data Source=h;Password=«abcdefg»;", "password = «12345678»", "password: «" + uuidText + "»", "password: «12345678»", "{'password': «31415926»}",
		`password = "«correct horse battery staple»"`, `DB_PASSPHRASE = '«correct horse battery staple»'`, "Password: «swordfish»", "bob@h's password: «swordfish»",
		`<add key="DbPassword" value="«` + secret + `»"/>`, `<property name='db.password' value='«` + secret + `»'/>`, `<entry key="password">«` + secret + `»</entry>`,
		`{\"password \":\"«` + secret + `»\"}`, `"password[]": "«` + secret + `»"`, `"password:": "«` + secret + `»"`, "password[]=«" + secret + "»", "dbPass=«" + secret + "»",
		// headers
		"X-Vault-Token: «rootroot»", "curl -H 'X-Vault-Token: «rootroot»' h", "X-Acme-Key: «" + mixed24 + "»", "x-acme-secret: «abcdefgh»", "> X-Api-Key: «abcdefgh»",
		// Korean
		"비밀번호는 «" + secret + "» 입니다", "비밀번호는 «swordfish» 입니다.", "비밀번호는 «swordfish»입니다", "비밀번호: «swordfish»", "비번은 '«" + secret + "»' 이고", "암호는 «12345678»입니다", "비밀번호: «" + secret + "» 입니다",
		// numbers
		"«900101 " + "1234567»", "«900101 - " + "1234567»", "«900101\u00a0" + "1234567»", "«900101‐" + "1234567»", "«900101‑" + "1234567»", "«900101–" + "1234567»", "«900101—" + "1234567»",
		"«９００１０１－" + "１２３４５６７»", "«900101" + "−1234567»", "주민번호 «900101." + "1234567»", "«010–1234–" + "5678»", "«010 1234 " + "5678»", "«010.1234." + "5678»", "«010 - 1234 - " + "5678»", "«０１０-1234-" + "5678»",
		"«4539 1488 " + "0343 6467»", "«4539–1488–" + "0343–6467»", "«4539.1488." + "0343.6467»", "«4539\u00a01488\u00a0" + "0343\u00a06467»", "«" + visa + "».0", "«４５３９" + "148803436467»", "«4539 - 1488 - " + "0343 - 6467»",
	} {
		plain := strings.NewReplacer("«", "", "»", "").Replace(in)
		before, rest, _ := strings.Cut(in, "«")
		_, after, _ := strings.Cut(rest, "»")
		for _, text := range []string{plain, "x\n" + plain + "\nz"} {
			out := r.Text(text, true, Counts{})
			mid := strings.TrimSuffix(strings.TrimPrefix(out, "x\n"), "\nz")
			if !strings.HasPrefix(mid, before+markPrefix) || !strings.HasSuffix(mid, "]"+after) || strings.Count(mid, markPrefix) != 1 {
				t.Errorf("%.200q: got %.200q", text, out)
			}
			if again := r.Text(out, true, nil); again != out {
				t.Errorf("%.200q: twice %.200q", out, again)
			}
		}
	}
}

// TestFoundClean are near misses of the same kinds.
func TestFoundClean(t *testing.T) {
	var r *Redactor
	for _, in := range []string{
		"curl -u 'b:$X' h", "https://user@host.example.com/x", "git@github.com:a/b.git", "https://registry.example.com/@scope/name@1.2.3", "npm i @types/node@20.1.0 user/repo@v4",
		"uses: actions/checkout@v4", "import x from 'a/b@//c'", "openssl rsa -passin env:PW -in k", "zip -r a.zip b", "unzip -p a.zip b", "smbclient -L h -U guest", "password = 1", "password: string", "password: null",
		`password = "Enter your password"`, `password: "must be 8 characters"`, "비밀번호는 필수입니다", "비밀번호는 12자 이상입니다", "비밀번호는 SHA256 입니다", "비밀번호: 필수", "비밀번호는 환경 변수 DB_PASSWORD 에서 읽습니다",
		"X-Request-Id: " + mixed24, "X-Idempotency-Key: abcdefgh", "X-Api-Key: required", "bypass=abc1234", "render_passes = 3", "900101 1234567 1234567", "1.900101 1234567", "0.4539148803436467", "v4539.1488",
		`<add key="PasswordMinLength" value="12345678"/>`, `<add key="Theme" value="dark1234"/>`, "Password:", "Password: ", "  Password: cfgPassword", "max_tokens=12345678", "[0m AKIA", "AKIA" + "Q3EGXAMPLE7ZKD5TT1", "risk-" + mixed36,
		"pages 2010–2015, 10:30–11:45", "x=1;pwd=$(pwd);cd /tmp", "passwords: 12345", "10.10.10.10 - - [10/Oct/2020]", "010.010.010.010",
	} {
		if out := r.Text(in, true, nil); out != in {
			t.Errorf("%q: got %q", in, out)
		}
	}
}

// TestFoundMembers are leaks that the structure of a payload hid.
func TestFoundMembers(t *testing.T) {
	long := "spring.datasource.hikari.connections.for.the.reporting.cluster.reader.password"
	m := "[REDACTED:"
	for in, want := range map[string]string{
		`{"` + long + `":"x y"}`: `{"` + long + `":"` + m + `field_secret]"}`,
		`{"passwords":["a1","b2"],"dbPass":"q","password ":"y","password:":"z","password[]":"w","'password'":"v"}`:                                                                                                                         `{"passwords":["` + m + `field_secret]","` + m + `field_secret]"],"dbPass":"` + m + `field_secret]","password ":"` + m + `field_secret]","password:":"` + m + `field_secret]","password[]":"` + m + `field_secret]","'password'":"` + m + `field_secret]"}`,
		`{"password":31415926,"secret":[31415926,27182818],"pwd":31415926,"n":31415926}`:                                                                                                                                                   `{"password":"` + m + `field_secret]","secret":["` + m + `field_secret]","` + m + `field_secret]"],"pwd":"` + m + `field_secret]","n":31415926}`,
		`{"password":true,"secret":1,"passwords":12,"max_tokens":4096,"password_id":12345678}`:                                                                                                                                             ``,
		`[["DB_PASSWORD","x1b2"],["DB_PASSWORD","correcthorse"],["password","hunter2"],["DB_PASSWORD",31415926]]`:                                                                                                                          `[["DB_PASSWORD","` + m + `field_secret]"],["DB_PASSWORD","` + m + `field_secret]"],["password","` + m + `field_secret]"],["DB_PASSWORD","` + m + `field_secret]"]]`,
		`[["password","email"],["password","address1","x"],["DB_PASSWORD","API_TOKEN"],["DB_PASSWORD","Password of the database"],["token","string"]]`:                                                                                     ``,
		`{"env":[{"key":"DB_PASSWORD","value":"q"},{"value":31415926,"name":"DB_PASSWORD"},{"id":"DB_PASSWORD","value":{"stringValue":"q"}},{"name":"DB_PASSWORD","value":["q"]}]}`:                                                        `{"env":[{"key":"DB_PASSWORD","value":"` + m + `field_secret]"},{"value":"` + m + `field_secret]","name":"DB_PASSWORD"},{"id":"DB_PASSWORD","value":{"stringValue":"` + m + `field_secret]"}},{"name":"DB_PASSWORD","value":["` + m + `field_secret]"]}]}`,
		`{"fields":[{"name":"Password field","type":"textbox","value":"q"},{"name":"User","value":"x"}]}`:                                                                                                                                  `{"fields":[{"name":"Password field","type":"textbox","value":"` + m + `field_secret]"},{"name":"User","value":"x"}]}`,
		`{"tool_input":{"argv":[["mysql","-p` + secret + `"],["sudo","/usr/bin/curl","-u","b:` + secret + `"],["--password","` + secret + `"],["smbclient","-Uu%` + secret + `"],["zip","-P","` + secret + `","a"],["ssh","-p","2222"]]}}`: `{"tool_input":{"argv":[["mysql","-p` + m + `cli_password]"],["sudo","/usr/bin/curl","-u","b:` + m + `cli_password]"],["--password","` + m + `field_secret]"],["smbclient","-Uu%` + m + `cli_password]"],["zip","-P","` + m + `cli_password]","a"],["ssh","-p","2222"]]}}`,
		`{"tool_input":{"command":"mysql","args":["-p` + secret + `","app"]}}`:                                                                                                                                                             `{"tool_input":{"command":"mysql","args":["-p` + m + `cli_password]","app"]}}`,
		`{"n":[-` + visa + `,` + visa + `.0,4.539148803436467e15,4.539148803436467E+15,45391488034364670e-1,-1.5,4.2e15,4.539148803436467,1e400]}`:                                                                                         `{"n":["` + m + `card]","` + m + `card]","` + m + `card]","` + m + `card]","` + m + `card]",-1.5,4.2e15,4.539148803436467,1e400]}`,
		`{"password":{"value":"q","type":"string"},"token":{"value":"abc"}}`:                                                                                                                                                               `{"password":{"value":"` + m + `field_secret]","type":"string"},"token":{"value":"abc"}}`,
		`{"X-Acme-Token":"` + mixed24 + `","X-Foo-Key":"` + mixed24 + `","X-Cache-Key":"` + mixed24 + `"}`:                                                                                                                                 `{"X-Acme-Token":"` + m + `field_secret]","X-Foo-Key":"` + m + `field_secret]","X-Cache-Key":"` + mixed24 + `"}`,
	} {
		if want == "" {
			want = in
		}
		var r *Redactor
		out := string(r.JSON([]byte(in), nil))
		if diff := cmp.Diff(want, out); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
		if again := string(r.JSON([]byte(out), nil)); again != out {
			t.Errorf("twice: %s", again)
		}
	}
}

// TestScatteredKeys: the lines of a private key, however they are taken apart.
func TestScatteredKeys(t *testing.T) {
	var r *Redactor
	pemText := fakePEM("RSA ")
	lines := strings.Split(pemText, "\n")
	ppk := "PuTTY-User-Key-File-3: ssh-rsa\nEncryption: none\nPublic-Lines: 1\nAAAAB3NzaC1yc2E=\nPrivate-Lines: 14\n" + strings.Join(lines[1:len(lines)-1], "\n") + "\nPrivate-MAC: 00ff"
	ssh2 := "---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ----\nComment: \"rsa key\"\n" + strings.Join(lines[1:len(lines)-1], "\n") + "\n---- END SSH2 ENCRYPTED PRIVATE KEY ----"
	withoutEnd := strings.Join(lines[:len(lines)-1], "\n")
	lead := func(text, lead string) string { return lead + strings.ReplaceAll(text, "\n", "\n"+lead) }
	objects := func(text string) any {
		var list []any
		for i, line := range strings.Split(text, "\n") {
			list = append(list, map[string]any{"type": "text", "line": i, "text": line})
		}
		return list
	}
	chunks := []string{pemText[:100], pemText[100:333], pemText[333:700], pemText[700:]}
	encoded := func(v any) string { b, _ := json.Marshal(v); return string(b) }
	texts := map[string]any{
		"list": lines, "objects": objects(pemText), "without end": strings.Split(withoutEnd, "\n"), "chunks": chunks, "list of ssh2": strings.Split(ssh2, "\n"), "list of ppk": strings.Split(ppk, "\n"),
		"grep": lead(withoutEnd, "id_rsa:"), "grep -n": lead(withoutEnd, "12:"), "grep -rn": lead(withoutEnd, "keys/id_rsa:12:"), "diff": lead(withoutEnd, "+"), "cat -n": lead(withoutEnd, "    12\t"),
		"grep -A":   strings.ReplaceAll(lead(withoutEnd, "id_rsa-"), "id_rsa------BEGIN", "id_rsa:-----BEGIN"),
		"grep list": strings.Split(lead(withoutEnd, "id_rsa:12:"), "\n"), "ppk": ppk, "ppk escaped": strings.ReplaceAll(ppk, "\n", `\n`), "ssh2": ssh2, "ssh2 cut": ssh2[:len(ssh2)-50],
		"tail": strings.Join(lines[3:], "\n"), "JSON in text": "x " + encoded(objects(withoutEnd)), "list in text": "x " + encoded(strings.Split(withoutEnd, "\n")), "JSON in JSON": encoded(objects(pemText)),
		"PGP": "-----BEGIN PGP PRIVATE KEY BLOCK-----\nVersion: GnuPG v2\n\n" + strings.Join(lines[1:5], "\n"),
	}
	for name, v := range texts {
		src := encoded(map[string]any{"tool_response": map[string]any{"content": v}, "after": "kept as it is"})
		out := string(r.JSON([]byte(src), Counts{}))
		for _, line := range lines[1 : len(lines)-1] {
			for i := 0; i+8 <= len(line); i++ {
				if strings.Contains(out, line[i:i+8]) {
					t.Errorf("%s: %q is left in %s", name, line[i:i+8], out)
					break
				}
			}
		}
		if !strings.Contains(out, `"kept as it is"`) || !json.Valid([]byte(out)) {
			t.Errorf("%s: too much is gone: %s", name, out)
		}
		if again := string(r.JSON([]byte(out), nil)); again != out {
			t.Errorf("%s: twice\n%s\n%s", name, out, again)
		}
	}
	for _, clean := range []string{
		`{"a":["-----BEGIN RSA PRIVATE KEY-----","-----BEGIN EC PRIVATE KEY-----","a list of markers that a scanner looks for","3f9a1c7e5b2d8f406a9c1e3b5d7f9024681acebd"]}`,
		`{"a":"if s == \"-----BEGIN PRIVATE KEY-----\" {\n\treturn\n}\nparse(s)"}`,
	} {
		if out := string(r.JSON([]byte(clean), nil)); out != clean {
			t.Errorf("got %s", out)
		}
	}
}
