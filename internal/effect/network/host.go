package network

import (
	"strings"

	"github.com/boathook/boathook/internal/effect/stage"
	"github.com/boathook/boathook/internal/shellcmd/word"
)

// hostOf is the host of a URL, with or without its scheme.
func hostOf(url string) string {
	if _, rest, ok := strings.Cut(url, "://"); ok {
		url = rest
	}
	if end := strings.IndexAny(url, "/?#"); end >= 0 {
		url = url[:end]
	}
	if at := strings.LastIndexByte(url, '@'); at >= 0 {
		url = url[at+1:]
	}
	if strings.HasPrefix(url, "[") {
		if end := strings.IndexByte(url, ']'); end > 0 {
			return url[1:end]
		}
	}
	host, _, _ := strings.Cut(url, ":")
	return strings.ToLower(host)
}

// nearFlags tell a host of this machine (local) and one of a private network (private).
func nearFlags(host string) []string {
	switch {
	case stage.Loopback(host):
		return []string{"local"}
	case strings.HasPrefix(host, "10."), strings.HasPrefix(host, "192.168."), strings.HasSuffix(host, ".local"), strings.HasSuffix(host, ".internal") &&
		!strings.HasPrefix(host, "metadata."), strings.HasSuffix(host, ".test"), private172(host):
		return []string{"private"}
	case host == "", strings.Contains(host, word.Unknown):
		return []string{"unknown-host"}
	}
	return nil
}

func private172(host string) bool {
	rest, ok := strings.CutPrefix(host, "172.")
	if !ok {
		return false
	}
	second, _, _ := strings.Cut(rest, ".")
	return len(second) == 2 && (second >= "16" && second <= "31")
}

// metadata tells the addresses where clouds give a machine's credentials to who asks.
func metadata(host string) bool {
	switch host {
	case "169.254.169.254", "169.254.170.2", "metadata.google.internal", "fd00:ec2::254", "100.100.100.200":
		return true
	}
	return false
}
