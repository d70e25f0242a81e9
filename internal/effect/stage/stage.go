// Package stage tells from names whether a database, a host or a cluster is one that people depend on.
package stage

import "strings"

// The stages that a name can tell.
const (
	Production = "production"
	Local      = "local"
)

// Of looks at names: hosts, URLs, databases, contexts, values of variables. One that says production outweighs any that says test;
// it is empty where none says either.
func Of(names ...string) string {
	local := false
	for _, n := range names {
		if len(n) > 4096 {
			n = n[:4096]
		}
		switch of(n) {
		case Production:
			return Production
		case Local:
			local = true
		}
	}
	if local {
		return Local
	}
	return ""
}

func of(name string) string {
	stage := ""
	for part := range strings.FieldsFuncSeq(strings.ToLower(name), func(r rune) bool {
		return !('a' <= r && r <= 'z' || '0' <= r && r <= '9')
	}) {
		switch strings.TrimRight(part, "0123456789") {
		case "prod", "production", "prd", "live":
			return Production
		case "test", "tests", "testing", "scratch", "sandbox", "tmp", "temp", "throwaway", "minikube", "kind", "kd", "dev", "development",
			"devel", "ci":
			stage = Local
		}
	}
	return stage
}

// Loopback tells whether a host is this machine.
func Loopback(host string) bool {
	host = strings.ToLower(strings.Trim(host, "[]"))
	switch host {
	case "localhost", "::1", "0.0.0.0", "0", "ip6-localhost", "host.docker.internal":
		return true
	}
	return strings.HasPrefix(host, "127.") || strings.HasSuffix(host, ".localhost")
}
