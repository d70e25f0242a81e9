package netfs

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// probe asks the filesystem itself. Behind FUSE may be anything, so that the mount's name decides.
func probe(dir string) kind {
	var st unix.Statfs_t
	at := existing(dir)
	if err := unix.Statfs(at, &st); err != nil {
		return here
	}
	// The magic numbers are of statfs(2); those that x/sys does not name are of the kernel's own headers.
	switch uint32(st.Type) {
	case unix.NFS_SUPER_MAGIC, unix.SMB_SUPER_MAGIC, unix.CIFS_SUPER_MAGIC, unix.SMB2_SUPER_MAGIC, unix.AFS_FS_MAGIC,
		unix.AFS_SUPER_MAGIC, unix.CODA_SUPER_MAGIC, unix.CEPH_SUPER_MAGIC, unix.V9FS_MAGIC, 0x0bd00bd0 /* Lustre */, 0x47504653, /* GPFS */
		0x19830326 /* BeeGFS */, 0xaad7aaea /* PanFS */, 0x013111a8 /* IBRIX */, 0x01161970 /* GFS2 */, 0x7461636f /* OCFS2 */ :
		return remote
	case unix.FUSE_SUPER_MAGIC:
		return unsure
	}
	return here
}

// kinds are filesystems of the mount table whose files are another machine's. virtiofs and 9p are those of a virtual
// machine's host.
func kinds() []string {
	return []string{
		"nfs", "nfs3", "nfs4", "cifs", "smb3", "smbfs", "afs", "coda", "ceph", "9p", "lustre", "gpfs", "beegfs", "panfs", "gfs2", "ocfs2",
		"davfs", "fuse.davfs", "fuse.davfs2", "fuse.sshfs", "fuse.ceph", "fuse.ceph-fuse", "fuse.glusterfs", "fuse.s3fs", "fuse.rclone",
		"fuse.gcsfuse", "fuse.goofys", "fuse.juicefs", "fuse.mfs", "fuse.moosefs", "fuse.lizardfs", "fuse.beegfs", "fuse.curlftpfs",
		"fuse.smbnetfs", "fuse.afpfs", "fuse.blobfuse", "fuse.blobfuse2", "fuse.hdfs", "fuse.nfs", "fuse.xrootdfs", "virtiofs",
	}
}

// mountedFromAfar asks the mount table.
func mountedFromAfar(dir string) bool {
	table, err := os.ReadFile("/proc/self/mountinfo")
	return err == nil && slices.Contains(kinds(), mountKind(string(table), filepath.Clean(dir)))
}

// mountKind finds the filesystem that a path is on: that of the longest mount point above it, of two the later.
func mountKind(table, path string) string {
	best, kind := -1, ""
	for line := range strings.Lines(table) {
		before, after, ok := strings.Cut(line, " - ")
		f, behind := strings.Fields(before), strings.Fields(after)
		if !ok || len(f) < 5 || len(behind) < 1 {
			continue
		}
		point := unescape(f[4])
		if point != "/" && path != point && !strings.HasPrefix(path, point+"/") || len(point) < best {
			continue
		}
		best, kind = len(point), behind[0]
	}
	return kind
}

// unescape reads the octal escapes in which the table writes blanks and line breaks (proc(5)).
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
