package main

import "syscall"

// maxRSS is in bytes, as macOS counts.
func maxRSS(u *syscall.Rusage) int64 { return u.Maxrss }
