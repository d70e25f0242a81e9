package netfs

// Remote tells whether a directory is on a network filesystem, for those who only want to say so.
func Remote(dir string) bool { return network(dir) }
