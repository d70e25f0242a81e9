package main

import "syscall"

// maxRSS is in bytes; Linux counts in KiB.
func maxRSS(u *syscall.Rusage) int64 { return u.Maxrss * 1024 }
