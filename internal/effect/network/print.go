package network

import (
	"strings"

	"github.com/boathook/boathook/internal/effect/secret"
	"github.com/boathook/boathook/internal/effect/unit"
	"github.com/boathook/boathook/internal/shellcmd/word"
	"github.com/boathook/boathook/policy"
)

// printer is a command that prints a secret: words must lead its operands (a|b is one of these), option, if any, be there.
type printer struct{ program, words, option, verb string }

// printers are static data: nothing is built at start-up.
var printers = [...]printer{
	{"security", "find-generic-password|find-internet-password", "w g", "keychain"},
	{"security", "dump-keychain|export", "", "keychain"},
	{"pass", "show", "", "keychain"},
	{"pass", "ls|list|find|grep|init|git|insert|generate|version|help|edit|rm|mv|cp|search", "", ""},
	{"pass", "*", "", "keychain"},
	{"gopass", "show|cat", "", "keychain"},
	{"op", "read", "", "keychain"},
	{"op", "item get", "reveal fields format", "keychain"},
	{"bw", "get password|totp|item|notes", "", "keychain"},
	{"lpass", "show|export", "", "keychain"},
	{"keepassxc-cli", "show|export|clip", "", "keychain"},
	{"secret-tool", "lookup|search", "", "keychain"},
	{"kwallet-query", "", "r", "keychain"},
	{"gpg", "", "export-secret-keys export-secret-subkeys", "keychain"},
	{"gpg2", "", "export-secret-keys export-secret-subkeys", "keychain"},
	{"aws", "configure export-credentials", "", "cloud-token"},
	{"aws", "configure get aws_secret_access_key|aws_session_token|aws_access_key_id", "", "cloud-token"},
	{"aws", "sts get-session-token|assume-role|get-federation-token", "", "cloud-token"},
	{"aws", "secretsmanager get-secret-value|batch-get-secret-value", "", "secret-store"},
	{"aws", "ssm get-parameter|get-parameters|get-parameters-by-path", "with-decryption", "secret-store"},
	{"aws", "ecr get-login-password", "", ""},
	{"gcloud", "auth print-access-token|print-identity-token", "", "cloud-token"},
	{"gcloud", "auth application-default print-access-token", "", "cloud-token"},
	{"gcloud", "secrets versions access", "", "secret-store"},
	{"az", "account get-access-token", "", "cloud-token"},
	{"az", "keyvault secret show|download", "", "secret-store"},
	{"gh", "auth token", "", "token"},
	{"gh", "auth status", "show-token t", "token"},
	{"glab", "auth status", "show-token t", "token"},
	{"glab", "config get token", "", "token"},
	{"kubectl", "get secret|secrets|secret/*|secrets/*", "o output template", "secret-store"},
	{"oc", "get secret|secrets|secret/*|secrets/*", "o output template", "secret-store"},
	{"oc", "whoami", "t show-token", "token"},
	{"kubectl", "config view", "raw", "cloud-token"},
	{"kubectl", "create token", "", "cloud-token"},
	{"vault", "kv get", "", "secret-store"},
	{"vault", "read", "", "secret-store"},
	{"vault", "print token", "", "token"},
	{"bao", "kv get", "", "secret-store"},
	{"doppler", "secrets", "", "secret-store"},
	{"infisical", "export|secrets", "", "secret-store"},
	{"sops", "", "d decrypt", "secret-store"},
	{"sops", "decrypt", "", "secret-store"},
	{"ansible-vault", "view|decrypt", "", "secret-store"},
	{"heroku", "config|config:get|auth:token", "", "secret-store"},
	{"railway", "variables", "", "secret-store"},
	{"fly", "auth token", "", "token"},
	{"flyctl", "auth token", "", "token"},
	{"vercel", "env pull", "", ""}, // into a file
	{"terraform", "output", "raw", "state-file"},
	{"terraform", "state pull", "", "state-file"}, // state show hides what is sensitive
	{"git", "credential fill", "", "token"},
	{"git", "credential-store|credential-osxkeychain|credential-cache get", "", "token"},
	{"ssh-keygen", "", "y", ""},
	{"mimikatz", "", "", "keychain"},
	{"secretsdump.py", "", "", "keychain"},
	{"impacket-secretsdump", "", "", "keychain"},
	{"pypykatz", "", "", "keychain"},
	{"lazagne", "", "", "keychain"},
	{"LaZagne", "", "", "keychain"},
	{"procdump", "", "", "keychain"},
	{"chainbreaker", "", "", "keychain"},
	{"unshadow", "", "", "system"},
	{"dscl", "* read|-read", "", ""},
	{"cmdkey", "", "list", "keychain"},
	{"vaultcmd", "", "", "keychain"},
	{"dotenv", "list|get", "", "env-file"},
	{"dotenvx", "get|decrypt", "", "env-file"},
}

const printValued = "n namespace o output profile region s a l r template query format name id vault-name secret project account key fields app jsonpath context chdir"

// prints finds commands that print secrets of programs, and variables.
func (s *scan) prints(name string, args []word.Arg) {
	switch name {
	case "env", "printenv", "set", "export", "declare", "typeset", "Get-ChildItem", "dir", "gci":
		s.variables(name, args)
	case "echo", "printf":
		s.echoes(args)
	case "ps":
		// ps auxe shows what other processes have been given
		if len(args) == 1 && !strings.HasPrefix(args[0].Text, "-") && strings.Contains(args[0].Text, "e") && strings.Trim(args[0].Text, "auxewlf") == "" {
			s.add(policy.ReadSecret, "process-environment", "ps")
		}
	case "rundll32":
		for _, a := range args {
			if strings.Contains(strings.ToLower(a.Text), "comsvcs") {
				s.add(policy.ReadSecret, "keychain", "lsass")
			}
		}
	case "reg":
		if len(args) > 1 && strings.EqualFold(args[0].Text, "save") {
			s.add(policy.ReadSecret, "system", args[1].Text)
		}
	default:
		s.printers(name, args)
	}
}

// printers looks the command up among those that print secrets.
func (s *scan) printers(name string, args []word.Arg) {
	read := false
	var o unit.Opts
	for i := range printers {
		p := &printers[i]
		if p.program != name {
			continue
		}
		if !read {
			if read = true; name == "terraform" {
				args = single(args)
			}
			o = unit.Options(args, printValued)
		}
		if !leads(p.words, o.Operands) || p.option != "" && !anyOf(o, p.option) {
			continue
		}
		if p.verb != "" && !(strings.HasPrefix(p.words, "get secret") && tabular(o)) && !plainValue(name, o.Operands) {
			target := strings.Join(word.Texts(o.Operands[:min(len(o.Operands), 6)]), " ")
			var flags []string
			if s.inHeader(name) {
				flags = []string{"header"}
			} else if (p.verb == "token" || p.verb == "cloud-token") && !s.probe && s.taken(name) {
				flags = []string{"sourced"}
			}
			s.add(policy.ReadSecret, p.verb, strings.TrimSpace(name+" "+target), flags...)
		}
		return
	}
}

// plainValue tells of a value that is asked for by a name which is none of a secret's.
func plainValue(program string, operands []word.Arg) bool {
	switch {
	case len(operands) != 2, program == "terraform" && operands[0].Text != "output", program == "heroku" && operands[0].Text != "config:get",
		program != "terraform" && program != "heroku":
		return false
	}
	name := strings.ToUpper(operands[1].Text)
	return operands[1].Known() && !secret.Name(name) && !strings.Contains(name, "KEY") && !strings.Contains(name, "CONFIG") && !strings.Contains(name, "CONN") &&
		(!strings.HasSuffix(name, "_URL") || program == "terraform")
}

// tabular tells outputs that have the names alone.
func tabular(o unit.Opts) bool {
	v, _ := o.Value("o", "output")
	return v.Text == "name" || v.Text == "wide"
}

// variables are the commands that print variables.
func (s *scan) variables(name string, args []word.Arg) {
	all := len(args) == 0
	switch name {
	case "set":
		all = all && s.Piped
	case "printenv":
		for _, a := range args {
			if secret.Name(a.Text) {
				s.add(policy.ReadSecret, "variable", a.Text)
			}
		}
	case "env":
		for _, a := range args {
			all = a.Text == "-0" || a.Text == "--null"
		}
		all = all || len(args) == 0
	case "export", "declare", "typeset":
		all = len(args) == 1 && (args[0].Text == "-p" || args[0].Text == "-x" || args[0].Text == "-px" || args[0].Text == "-xp") || len(args) == 0
	case "Get-ChildItem", "dir", "gci":
		all = len(args) == 1 && strings.EqualFold(strings.TrimRight(args[0].Text, `:\/`), "env")
	}
	if all {
		s.add(policy.ReadSecret, "environment", name)
	}
}

// echoes finds variables with secrets that are shown: not those that go on into another command or a file.
func (s *scan) echoes(args []word.Arg) {
	if !s.probe {
		if s.Piped {
			return
		}
		for _, r := range s.Redirects {
			if r.FD != "2" && r.Op != "<" {
				return
			}
		}
		for _, v := range s.Via {
			if v.Kind == "substitution" {
				return
			}
		}
	}
	for _, a := range args {
		if name := s.variable(a); name != "" && !a.Known() {
			s.add(policy.ReadSecret, "variable", name)
		}
	}
}

// inHeader tells whether a command's output only becomes a header that authorizes a request to who has issued it.
func (s *scan) inHeader(program string) bool {
	used := false
	for i := s.I; i < min(len(s.All), s.I+maxOrigins); i++ {
		c := s.All[i]
		for _, f := range c.Stdin.From {
			if f == s.I {
				return false
			}
		}
		for j, a := range c.Argv {
			for _, by := range a.By {
				if by != s.I {
					continue
				}
				if !authorizes(a.Text) || j == 0 || c.Argv[j-1].Text != "-H" && c.Argv[j-1].Text != "--header" || !issuer(program, hostOf(urlOf(c))) {
					return false
				}
				used = true
			}
		}
	}
	return used
}

// leads tells whether operands begin with words: * is any one, a|b one of these, a/* what begins with a/.
func leads(words string, operands []word.Arg) bool {
	i := 0
	for w := range strings.FieldsSeq(words) {
		if i >= len(operands) || !one(w, operands[i].Text) {
			return false
		}
		i++
	}
	return true
}

func one(pattern, s string) bool {
	for p := range strings.SplitSeq(pattern, "|") {
		if head, ok := strings.CutSuffix(p, "*"); p == s || ok && strings.HasPrefix(s, head) {
			return true
		}
	}
	return false
}
