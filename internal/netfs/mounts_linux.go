package netfs

import (
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// ReadMounts asks the kernel, which asks no server.
func ReadMounts() Mounts {
	fd, err := unix.Open("/proc/self/mountinfo", unix.O_RDONLY|unix.O_CLOEXEC, 0)
	if err != nil {
		return Mounts{}
	}
	defer func() { _ = unix.Close(fd) }()
	table := make([]byte, 0, 4<<10) // the kernel gives a page at a time; package os would begin with less, and ask the poller
	for {
		table = slices.Grow(table, 1<<10)
		n, err := unix.Read(fd, table[len(table):cap(table)])
		switch {
		case err == unix.EINTR:
		case err != nil:
			return Mounts{}
		case n == 0:
			return Mounts{string(table)}
		default:
			table = table[:len(table)+n]
		}
	}
}

// hosts are the filesystems of a virtual machine's or a container's host, whose files are not this machine's. They hang with
// the whole machine alone.
func hosts() []string {
	return []string{"9p", "virtiofs", "vboxsf", "fakeowner", "fuse.grpcfuse", "fuse.osxfs", "fuse.vmhgfs-fuse"}
}

// patient are network filesystems of the kernel that end the wait of a process which is killed.
func patient() []string { return []string{"nfs", "nfs3", "nfs4", "cifs", "smb3", "smbfs", "ceph"} }

// others are the kernel's that may not.
func others() []string {
	return []string{"afs", "coda", "lustre", "gpfs", "beegfs", "panfs", "gfs2", "ocfs2", "davfs"}
}

// nearby are the programs behind FUSE that are known to need this machine alone: disks, and layers over them. Some encrypt:
// what is there must not come to lie elsewhere.
func nearby() []string {
	return []string{
		"apfs", "bindfs", "ciopfs", "cryfs", "cryptomator", "encfs", "exfat", "exfat-fuse", "ext2", "ext4", "fuse-overlayfs", "fuse2fs",
		"gocryptfs", "lxcfs", "mergerfs", "mhddfs", "ntfs", "ntfs-3g", "overlayfs", "portal", "securefs", "shfs", "snapfuse", "squashfuse",
		"unionfs", "unionfs-fuse", "veracrypt", "zfs", "zfs-fuse",
	}
}

// stuck tells whether whoever waits for a kind of mount may wait for ever, not even killed: what a program behind FUSE has
// taken on, the kernel waits out.
func stuck(kind string) bool {
	if slices.Contains(hosts(), kind) {
		return false
	}
	if program, is := strings.CutPrefix(kind, "fuse."); is {
		return !slices.Contains(nearby(), program)
	}
	return kind == "fuse" || slices.Contains(others(), kind)
}

// Far tells whether a path is, by its name alone, on a filesystem of another machine, or of a program that may be.
func (m Mounts) Far(path string) bool {
	kinds := m.kinds(path)
	if len(kinds) == 0 {
		return false
	}
	kind := kinds[len(kinds)-1]
	return stuck(kind) || slices.Contains(patient(), kind) || slices.Contains(hosts(), kind)
}

// Stuck names the filesystem at whose hands whoever looks at a path may be left waiting for ever, not even killed; empty is
// none. The way to a path counts too.
func (m Mounts) Stuck(path string) string {
	for _, kind := range m.kinds(path) {
		if stuck(kind) {
			return kind
		}
	}
	return ""
}

// kinds are the filesystems on the way to a path, its own last. Of two mounts at one place the later hides the other.
func (m Mounts) kinds(path string) []string {
	path = filepath.Clean(path)
	var points, kinds []string
	for line := range strings.Lines(m.table) {
		point, kind, ok := mount(line)
		if !ok || point != "/" && path != point && !strings.HasPrefix(path, point+"/") {
			continue
		}
		at, same := slices.BinarySearch(points, point) // each begins with the one before
		if same {
			kinds[at] = kind
			continue
		}
		points, kinds = slices.Insert(points, at, point), slices.Insert(kinds, at, kind)
	}
	return kinds
}

// mount reads a line of the table (proc(5)): where, and of what kind.
func mount(line string) (point, kind string, ok bool) {
	before, after, ok := strings.Cut(line, " - ")
	if !ok {
		return "", "", false
	}
	for range 4 { // id, parent, device, root
		if _, before, ok = strings.Cut(before, " "); !ok {
			return "", "", false
		}
	}
	point, _, _ = strings.Cut(before, " ")
	kind, _, _ = strings.Cut(after, " ")
	if point == "" || kind == "" {
		return "", "", false
	}
	return unescape(point), strings.TrimSpace(kind), true
}

// unescape reads the octal escapes in which the table writes blanks and line breaks.
func unescape(s string) string {
	head, rest, ok := strings.Cut(s, `\`)
	if !ok || len(rest) < 3 {
		return s
	}
	n, err := strconv.ParseUint(rest[:3], 8, 8)
	if err != nil {
		return head + `\` + unescape(rest)
	}
	return head + string([]byte{byte(n)}) + unescape(rest[3:])
}
