package ownfile

// Acting has no meaning here: files get the owner that the directory's access list says.
func Acting(...string) int { return 0 }

// Yield does nothing: an administrator's files can be removed by the directory's owner.
func Yield(...string) error { return nil }
