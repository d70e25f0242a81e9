package project

import (
	"net/url"
	"path"
	"strings"
)

// Remote is the one form of all addresses of a repository: host and path. It has no scheme, user, password, standard port and
// ".git"; the host is lower case. A path on this machine identifies nothing elsewhere: it has no such form, and neither has what
// is no address.
func Remote(address string) string {
	address = strings.TrimSpace(address)
	if address == "" || len(address) > maxPointer || strings.ContainsAny(address, "\x00\r\n\t ") {
		return ""
	}
	host, at, ok := split(address)
	if !ok {
		return ""
	}
	at = strings.TrimSuffix(strings.Trim(path.Clean("/"+at), "/"), ".git")
	host = strings.TrimSuffix(strings.ToLower(host), ".")
	if host == "" || at == "" || at == "." || strings.Trim(host, "abcdefghijklmnopqrstuvwxyz0123456789.-_:[]") != "" {
		return ""
	}
	return host + "/" + at
}

func split(address string) (host, at string, ok bool) {
	if strings.Contains(address, "://") {
		u, err := url.Parse(address)
		if err != nil || u.Scheme == "file" || u.Host == "" {
			return "", "", false
		}
		if port := u.Port(); port != "" && standard(strings.ToLower(u.Scheme), port) {
			return strings.TrimSuffix(u.Host, ":"+port), u.Path, true
		}
		return u.Host, u.Path, true
	}
	// user@host:path, as scp has it; what has a slash before the colon is a path, and so is a drive of Windows.
	host, at, ok = strings.Cut(address, ":")
	if !ok || strings.ContainsAny(host, `/\`) || len(host) == 1 {
		return "", "", false
	}
	if i := strings.LastIndexByte(host, '@'); i >= 0 {
		host = host[i+1:]
	}
	return host, at, true
}

func standard(scheme, port string) bool {
	switch scheme {
	case "ssh", "git+ssh", "ssh+git":
		return port == "22"
	case "https":
		return port == "443"
	case "http":
		return port == "80"
	case "git":
		return port == "9418"
	}
	return false
}
