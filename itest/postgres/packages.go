package postgres

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
)

// release is the release of Debian that has a version of PostgreSQL.
var release = map[int]string{15: "bookworm", 17: "trixie"}

// Programs is the folder of a version's programs: those that the system has, where nothing else is wanted, or those of Debian's
// packages, unpacked once per machine into a cache. Nothing is installed.
func programs(o Options) (string, error) {
	if !o.Vector && !o.pooler {
		dir := fmt.Sprintf("/usr/lib/postgresql/%d/bin", o.Version)
		if _, err := os.Stat(filepath.Join(dir, "initdb")); err == nil {
			return dir, nil
		}
	}
	root, err := unpacked(o.Version)
	if err != nil {
		return "", fmt.Errorf("find PostgreSQL %d: %w", o.Version, err)
	}
	return filepath.Join(root, "usr/lib/postgresql", fmt.Sprint(o.Version), "bin"), nil
}

var unpacking sync.Map // version → func() (string, error)

func unpacked(version int) (string, error) {
	once, _ := unpacking.LoadOrStore(version, sync.OnceValues(func() (string, error) { return unpack(version) }))
	return once.(func() (string, error))()
}

// layout changes with what unpack makes of the packages.
const layout = "1"

func unpack(version int) (string, error) {
	suite, known := release[version]
	if !known {
		return "", errors.New("no release of Debian is known to have it")
	}
	cache, err := cacheDir()
	if err != nil {
		return "", err
	}
	unlock, err := lockFile(filepath.Join(cache, "postgres.lock"))
	if err != nil {
		return "", err
	}
	defer unlock()
	root := filepath.Join(cache, fmt.Sprintf("postgres-%d-%s", version, layout))
	if _, err := os.Stat(root); err == nil {
		return root, nil
	}
	work, err := os.MkdirTemp(cache, "postgres-build-")
	if err != nil {
		return "", fmt.Errorf("make a folder to unpack in: %w", err)
	}
	defer func() { _ = os.RemoveAll(work) }() // in a cache: what stays there does no harm
	if err := fetch(work, suite, version); err != nil {
		return "", err
	}
	if err := wrapAll(filepath.Join(work, "root"), root, version); err != nil {
		return "", err
	}
	if err := os.Chmod(filepath.Join(work, "root"), 0o755); err != nil {
		return "", err
	}
	return root, os.Rename(filepath.Join(work, "root"), root)
}

// fetch gets the packages of a release through the machine's own apt, from the mirror that it uses, and unpacks them.
func fetch(work, suite string, version int) error {
	mirror, err := debianMirror()
	if err != nil {
		return err
	}
	for _, dir := range []string{"lists/partial", "cache/archives/partial", "debs", "root"} {
		if err := os.MkdirAll(filepath.Join(work, dir), 0o755); err != nil {
			return err
		}
	}
	files := map[string]string{
		"status":       "",
		"sources.list": fmt.Sprintf("deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] %s %s main\n", mirror, suite),
		"apt.conf": fmt.Sprintf("Dir::State %[1]q; Dir::State::lists \"%[1]s/lists\"; Dir::State::status \"%[1]s/status\";\n"+
			"Dir::Cache \"%[1]s/cache\"; Dir::Etc::sourcelist \"%[1]s/sources.list\"; Dir::Etc::sourceparts \"-\";\n"+
			"Acquire::Languages \"none\"; Acquire::Retries \"3\"; APT::Sandbox::User \"\";\n", work),
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(work, name), []byte(text), 0o644); err != nil {
			return err
		}
	}
	if _, err := apt(work, "update"); err != nil {
		return err
	}
	names, err := needed(work, version)
	if err != nil {
		return err
	}
	if _, err := apt(work, append([]string{"download"}, names...)...); err != nil {
		return err
	}
	return extract(work)
}

// needed are the packages of the server, pgvector and the pooler with their libraries, without what none of them uses here.
func needed(work string, version int) ([]string, error) {
	ask := []string{"--print-uris", "-y", "--no-install-recommends", "install", fmt.Sprintf("postgresql-%d", version), "pgbouncer"}
	if version >= 17 {
		ask = append(ask, fmt.Sprintf("postgresql-%d-pgvector", version))
	}
	out, err := apt(work, ask...)
	if err != nil {
		return nil, err
	}
	wanted := regexp.MustCompile(`^(lib|zlib|pgbouncer$|postgresql-\d+)`)
	without := regexp.MustCompile(`^lib(llvm|z3-|perl|pam-|c-|debconf|db5|gdbm|proc|sem|sep|.*-perl$)|-dev$`)
	var names []string
	for line := range strings.Lines(out) {
		fields := strings.Fields(line) // 'address' file size sum
		if len(fields) < 3 || !strings.HasPrefix(line, "'") {
			continue
		}
		if name, _, _ := strings.Cut(fields[1], "_"); wanted.MatchString(name) && !without.MatchString(name) {
			names = append(names, name)
		}
	}
	return names, nil
}

func apt(work string, args ...string) (string, error) {
	cmd := exec.Command("apt-get", append([]string{"-q", "-c", filepath.Join(work, "apt.conf")}, args...)...)
	cmd.Dir = filepath.Join(work, "debs")
	cmd.Env = append(os.Environ(), "LC_ALL=C", "DEBIAN_FRONTEND=noninteractive")
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("apt-get %s: %w\n%s", args[0], err, stderr.String())
	}
	return string(out), nil
}

func extract(work string) error {
	debs, err := filepath.Glob(filepath.Join(work, "debs", "*.deb"))
	if err != nil || len(debs) == 0 {
		return fmt.Errorf("find the packages that apt-get loaded: %w", err)
	}
	for _, deb := range debs {
		if out, err := exec.Command("dpkg-deb", "-x", deb, filepath.Join(work, "root")).CombinedOutput(); err != nil {
			return fmt.Errorf("unpack %s: %w\n%s", filepath.Base(deb), err, out)
		}
	}
	return nil
}

// debianMirror is the address from which the machine's apt takes Debian's packages.
func debianMirror() (string, error) {
	files, err := filepath.Glob("/etc/apt/sources.list.d/*")
	if err != nil {
		return "", err
	}
	address := regexp.MustCompile(`(?m)^(?:URIs:|deb(?:\s+\[[^\]]*\])?)\s+(\S+/debian)/?(?:\s|$)`)
	for _, file := range append([]string{"/etc/apt/sources.list"}, files...) {
		b, err := os.ReadFile(file)
		if err != nil {
			continue
		}
		if found := address.FindSubmatch(b); found != nil {
			return string(found[1]), nil
		}
	}
	return "", errors.New("apt has no mirror of Debian here: set BOATHOOK_TEST_POSTGRES_DSN to a server's, or install PostgreSQL")
}

// cacheDir is where the packages stay. Where tests run as root it is one that the server's own user can reach.
func cacheDir() (string, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("find the cache folder: %w", err)
	}
	if os.Getuid() == 0 {
		cache = "/var/cache"
	}
	dir := filepath.Join(cache, "boathook-itest")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", fmt.Errorf("make the cache folder: %w", err)
	}
	return dir, nil
}

// lockFile holds an advisory lock, so that test binaries that run side by side unpack once.
func lockFile(path string) (unlock func(), err error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, fmt.Errorf("open lock: %w", err)
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX); err != nil {
		return nil, errors.Join(fmt.Errorf("lock %s: %w", path, err), f.Close())
	}
	return func() { _ = f.Close() }, nil // closing releases the lock
}
