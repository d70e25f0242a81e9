package packages

import (
	"strings"

	"github.com/boathook/boathook/internal/effect/stage"
	"github.com/boathook/boathook/internal/effect/unit"
	"github.com/boathook/boathook/internal/shellcmd/word"
)

// isURL tells a package that comes from an address and not from a registry. short says that owner/name is one at GitHub.
func isURL(spec string, short bool) bool {
	for _, scheme := range [...]string{"github:", "gitlab:", "bitbucket:", "gist:", "git@", "git:", "jsr:http"} {
		if strings.HasPrefix(spec, scheme) {
			return true
		}
	}
	if i := strings.Index(spec, "://"); i >= 0 {
		return !strings.HasSuffix(spec[:i], "file") && !strings.HasPrefix(spec, "file:")
	}
	if i := strings.Index(spec, "@git"); i > 0 && (strings.HasPrefix(spec[i:], "@git+") || strings.HasPrefix(spec[i:], "@github:")) {
		return true
	}
	return short && !isFile(spec) && strings.Count(spec, "/") == 1 && spec[0] != '@' && spec[0] != '.' && spec[0] != '/' && spec[0] != '~' && !strings.HasSuffix(spec, "/")
}

// isFile tells one that is a path.
func isFile(spec string) bool {
	return spec == "." || strings.HasPrefix(spec, "./") || strings.HasPrefix(spec, "../") || strings.HasPrefix(spec, "/") || strings.HasPrefix(spec, "file:") ||
		!strings.Contains(spec, "://") && (strings.HasSuffix(spec, ".tgz") || strings.HasSuffix(spec, ".whl") || strings.HasSuffix(spec, ".tar.gz") ||
			strings.HasSuffix(spec, ".deb") || strings.HasSuffix(spec, ".rpm") || strings.HasSuffix(spec, ".vsix"))
}

// registry tells whether packages come from another registry than everyone's.
func registry(o unit.Opts, u unit.Unit) bool {
	for _, n := range [...]string{"registry", "index-url", "i", "extra-index-url", "index", "default-index", "find-links", "source", "trusted-host", "channel-url", "repository"} {
		for _, v := range o.Flags[n] {
			if strings.Contains(v.Text, "://") && !common(v.Text) || n == "trusted-host" && !common("://"+v.Text) {
				return true
			}
		}
	}
	for _, a := range u.Assigns {
		switch strings.ToLower(a.Name) {
		case "npm_config_registry", "pip_index_url", "pip_extra_index_url", "uv_index_url", "uv_extra_index_url", "uv_default_index", "goproxy",
			"yarn_npm_registry_server", "bundle_mirror__https://rubygems__org/":
			if v := a.Value.Text; strings.Contains(v, "://") && !common(v) {
				return true
			}
		case "goinsecure", "gonosumdb", "gonosumcheck":
			return true
		}
	}
	return false
}

// common tells the registries that everyone uses, and this machine's own.
func common(url string) bool {
	_, host, _ := strings.Cut(url, "://")
	if at := strings.IndexAny(host, "/:?"); at >= 0 {
		host = host[:at]
	}
	switch strings.ToLower(host) {
	case "pypi.org", "test.pypi.org", "pypi.python.org", "files.pythonhosted.org", "download.pytorch.org", "registry.npmjs.org", "registry.yarnpkg.com",
		"npm.pkg.github.com", "npm.jsr.io", "rubygems.org", "index.rubygems.org", "crates.io", "index.crates.io", "static.crates.io", "proxy.golang.org",
		"repo.packagist.org", "packagist.org", "api.nuget.org", "repo.maven.apache.org", "repo1.maven.org", "conda.anaconda.org", "repo.anaconda.com",
		"data.pyg.org", "pypi.nvidia.com", "storage.googleapis.com":
		return true
	}
	return stage.Loopback(host)
}

// critical tells whether the machine no longer works without one of these packages.
func critical(args []word.Arg) bool {
	for _, a := range args {
		name, _, _ := strings.Cut(a.Text, ":")
		switch name {
		case "sudo", "bash", "dash", "coreutils", "libc6", "libc-bin", "glibc", "systemd", "init", "openssh-server", "openssh", "dpkg", "apt", "rpm", "dnf", "yum",
			"pacman", "python3", "python3-minimal", "perl-base", "util-linux", "mount", "base-files", "network-manager", "grub-pc", "grub-efi-amd64",
			"ca-certificates", "busybox", "alpine-base", "base", "filesystem", "*", ".*", "zlib1g", "libssl3", "ubuntu-desktop", "login", "passwd":
			return true
		}
		if strings.HasPrefix(name, "linux-image") || strings.HasPrefix(name, "kernel") || strings.HasPrefix(name, "linux-modules") {
			return true
		}
	}
	return false
}
