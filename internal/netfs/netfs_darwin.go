package netfs

import "golang.org/x/sys/unix"

func probe(dir string) kind {
	var st unix.Statfs_t
	if err := unix.Statfs(existing(dir), &st); err != nil || st.Flags&unix.MNT_LOCAL != 0 {
		return here
	}
	return remote
}

// mountedFromAfar is asked where the filesystem does not answer. What this system keeps of the mounts would have to be
// looked up by path, which hangs too.
func mountedFromAfar(string) bool { return false }
