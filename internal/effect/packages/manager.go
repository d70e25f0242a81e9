package packages

import (
	"strings"

	"github.com/boathook/boathook/internal/effect/unit"
	"github.com/boathook/boathook/internal/shellcmd/word"
)

// manager is one family of package managers that speak alike.
type manager struct {
	names string
	// always is the verb where the program has no subcommands: npx.
	always string
	// The subcommands, separated by blanks, by what they do.
	install, run, remove, publish, unpublish, upgrade, repository string
	// valued are the options with a value; from those of them that name what is installed.
	valued, from string
	// bare says that without a subcommand it installs: yarn, bundle.
	bare bool
	// short says that owner/name is a package at GitHub; git that --git and --path name a source; global that it installs for
	// the user, system for the machine.
	short, git, global, system bool
	// letters are the operations of pacman and dpkg by options: i install, r remove.
	installOption, removeOption string
}

const nodeValued = "registry prefix w workspace C cwd dir userconfig tag omit include filter F p package c call location access otp"

const pipValued = "r requirement c constraint e editable i index-url extra-index-url f find-links t target prefix trusted-host platform python-version " +
	"only-binary no-binary root src index default-index python p group extra with from"

// managers are static data: nothing is built at start-up.
var managers = [...]manager{
	{names: "npm cnpm", install: "install i in ins inst insta instal isnt isnta isntal isntall add ci clean-install install-clean ic it install-test link ln",
		run: "exec x create init innit", remove: "uninstall remove rm r un unlink", publish: "publish", unpublish: "unpublish deprecate",
		upgrade: "update up upgrade udpate", valued: nodeValued, short: true},
	{names: "pnpm", install: "install i add ci link ln", run: "dlx create", remove: "remove rm uninstall un", publish: "publish",
		upgrade: "update up upgrade", valued: nodeValued, short: true},
	{names: "yarn", install: "install add link", run: "dlx create", remove: "remove", publish: "publish", upgrade: "upgrade up", valued: nodeValued, bare: true, short: true},
	{names: "yarn-global", install: "add", remove: "remove", upgrade: "upgrade", valued: nodeValued, short: true},
	{names: "bun", install: "install i add a link", run: "x create", remove: "remove rm", publish: "publish", upgrade: "update", valued: nodeValued, short: true},
	{names: "npx bunx pnpx pnpx", always: "run", valued: "p package c call registry w workspace", short: true},
	{names: "uvx", always: "run", valued: pipValued, from: "from with"},
	{names: "deno", install: "install i add", remove: "uninstall remove", publish: "publish", valued: "n name c config"},
	{names: "pip", install: "install", remove: "uninstall", valued: pipValued, from: "r requirement e editable"},
	{names: "pipx", install: "install inject", run: "run", remove: "uninstall uninstall-all", upgrade: "upgrade upgrade-all", valued: pipValued + " spec pip-args", from: "spec", global: true},
	{names: "uv", install: "add sync", remove: "remove", publish: "publish", valued: pipValued, from: "r requirement editable"},
	{names: "uv-tool", install: "install", run: "run", remove: "uninstall", upgrade: "upgrade", valued: pipValued, from: "from with"},
	{names: "poetry pdm rye hatch", install: "add install sync", remove: "remove", publish: "publish", upgrade: "update", valued: "source group G extras E python p"},
	{names: "pipenv", install: "install sync", remove: "uninstall", upgrade: "update", valued: pipValued, from: "r e"},
	{names: "easy_install", always: "install", valued: "i index-url f find-links"},
	{names: "conda mamba micromamba", install: "install create", remove: "remove uninstall", upgrade: "update upgrade", valued: "n name p prefix c channel f file"},
	{names: "twine flit", publish: "upload publish", valued: "r repository repository-url u p config-file"},
	{names: "cargo", install: "install add binstall", remove: "uninstall remove rm", publish: "publish", unpublish: "yank", upgrade: "update",
		valued: "git branch tag rev path version vers registry index p package F features root target-dir j", from: "git", git: true},
	{names: "go", install: "install get", valued: "C o p tags ldflags mod modfile"},
	{names: "gem", install: "install i", remove: "uninstall", publish: "push", unpublish: "yank", upgrade: "update", valued: "v version s source i install-dir n bindir P"},
	{names: "bundle bundler", install: "install add", remove: "remove", upgrade: "update", valued: "git github path source v version group g gemfile", bare: true, git: true},
	{names: "composer composer-global", install: "require req install i create-project", remove: "remove", upgrade: "update u upgrade", valued: "d working-dir repository"},
	{names: "dotnet", install: "add", publish: "", valued: "v version s source f framework project"},
	{names: "dotnet-tool", install: "install", remove: "uninstall", upgrade: "update", valued: "version add-source source tool-path"},
	{names: "dotnet-nuget nuget", install: "install", publish: "push", unpublish: "delete", valued: "s source k api-key Source ApiKey"},
	{names: "luarocks opam cabal stack nimble shards raco cpan cpanm ppm", install: "install", remove: "remove uninstall", publish: "upload publish", valued: "server from"},
	{names: "pod", install: "install", publish: "", upgrade: "update", valued: ""},
	{names: "flutter dart", publish: "publish", valued: ""},
	{names: "vsce ovsx", publish: "publish", unpublish: "unpublish", valued: "p pat i packagePath"},
	{names: "apt apt-get aptitude nala", install: "install reinstall build-dep", remove: "remove purge autoremove autopurge", upgrade: "upgrade full-upgrade dist-upgrade",
		valued: "o t c target-release", system: true},
	{names: "dnf yum microdnf dnf5 tdnf zypper", install: "install in localinstall reinstall groupinstall", remove: "remove rm erase autoremove groupremove",
		upgrade: "upgrade up update dup distro-sync", repository: "addrepo ar", valued: "c enablerepo disablerepo repo x exclude releasever installroot", system: true},
	{names: "apk", install: "add", remove: "del", upgrade: "upgrade", valued: "X repository p root t virtual", system: true},
	{names: "pkg pkgin pkg_add emerge xbps-install eopkg", install: "install", remove: "delete remove", upgrade: "upgrade", system: true},
	{names: "pacman yay paru pamac", installOption: "S U", removeOption: "R", system: true},
	{names: "dpkg", installOption: "i install", removeOption: "r remove P purge", system: true},
	{names: "rpm", installOption: "i install U upgrade F", removeOption: "e erase", system: true},
	{names: "brew", install: "install reinstall", remove: "uninstall remove rm zap", upgrade: "upgrade", repository: "tap", global: true, short: false},
	{names: "port", install: "install", remove: "uninstall", upgrade: "upgrade", system: true},
	{names: "snap flatpak", install: "install", remove: "remove uninstall", upgrade: "refresh update", repository: "remote-add", system: true},
	{names: "choco winget scoop", install: "install add import", remove: "uninstall remove", upgrade: "upgrade update", repository: "source bucket", valued: "s source id version", system: true},
	{names: "nix-env", installOption: "i install iA", removeOption: "e uninstall", global: true},
	{names: "add-apt-repository apt-add-repository yum-config-manager apt-key", always: "add-repository", system: true},
	{names: "code cursor codium windsurf code-insiders", installOption: "install-extension", removeOption: "uninstall-extension", valued: "profile"},
}

// verb is what a subcommand does.
func (m *manager) verb(sub string, o unit.Opts) string {
	if m.installOption != "" {
		return m.byOption(o)
	}
	if sub == "" {
		if m.bare && !o.Has("v", "version", "h") {
			return "install"
		}
		return ""
	}
	for _, k := range [...]struct{ list, verb string }{
		{m.install, "install"}, {m.run, "run"}, {m.remove, "remove"}, {m.publish, "publish"}, {m.unpublish, "unpublish"}, {m.upgrade, "upgrade"},
		{m.repository, "add-repository"},
	} {
		if word.Listed(k.list, sub) {
			if k.verb == "run" && sub != "x" && sub != "dlx" && sub != "run" && sub != "exec" && len(o.Operands) < 2 {
				return "" // npm init asks
			}
			return k.verb
		}
	}
	return ""
}

func (m *manager) byOption(o unit.Opts) string {
	if m.names[0] == 'p' && o.Has("S") && (o.Has("s") || o.Has("i") || o.Has("l") || o.Has("g") || o.Has("p") || len(o.Operands) == 0 && !o.Has("u")) {
		return "" // pacman -Ss searches
	}
	if m.names == "rpm" && o.Has("q") {
		return ""
	}
	for n := range strings.FieldsSeq(m.installOption) {
		if o.Has(n) {
			return "install"
		}
	}
	for n := range strings.FieldsSeq(m.removeOption) {
		if o.Has(n) {
			return "remove"
		}
	}
	return ""
}
