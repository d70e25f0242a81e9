package netfs

import "golang.org/x/sys/unix"

func probe(dir string) bool {
	var st unix.Statfs_t
	err := unix.Statfs(existing(dir), &st)
	return err == nil && st.Flags&unix.MNT_LOCAL == 0
}
