package netfs

import "golang.org/x/sys/unix"

// probe asks the filesystem itself, where the path does not say it: a link may lead to the network. What is behind FUSE says
// nothing.
func probe(dir string) bool {
	var st unix.Statfs_t
	if err := unix.Statfs(existing(dir), &st); err != nil {
		return false
	}
	// The magic numbers are of statfs(2); those that x/sys does not name are of the kernel's own headers.
	switch uint32(st.Type) {
	case unix.NFS_SUPER_MAGIC, unix.SMB_SUPER_MAGIC, unix.CIFS_SUPER_MAGIC, unix.SMB2_SUPER_MAGIC, unix.AFS_FS_MAGIC,
		unix.AFS_SUPER_MAGIC, unix.CODA_SUPER_MAGIC, unix.CEPH_SUPER_MAGIC, unix.V9FS_MAGIC, 0x0bd00bd0 /* Lustre */, 0x47504653, /* GPFS */
		0x19830326 /* BeeGFS */, 0xaad7aaea /* PanFS */, 0x013111a8 /* IBRIX */, 0x01161970 /* GFS2 */, 0x7461636f /* OCFS2 */ :
		return true
	}
	return false
}
