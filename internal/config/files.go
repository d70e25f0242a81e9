package config

import (
	"io/fs"
	"os"
	"time"
)

// File is a file that settings came from, or would have, as it was just before it was read.
type File struct {
	Path string
	// There says that it could be looked at; else the rest is zero.
	There     bool
	Size, Mod int64 // bytes; nanoseconds since 1970
	Mode      fs.FileMode
}

func look(path string) File {
	info, err := os.Stat(path)
	if err != nil {
		return File{Path: path}
	}
	if !info.Mode().IsRegular() { // it isn't read, whatever is in it
		return File{Path: path, There: true, Mode: info.Mode()}
	}
	return File{Path: path, There: true, Size: info.Size(), Mod: info.ModTime().UnixNano(), Mode: info.Mode()}
}

// read reads a settings file, and remembers how it was.
func (l *loader) read(path string) (text string, cut bool, err error) {
	l.s.Files = append(l.s.Files, look(path))
	return readText(path)
}

// Changed tells whether a file that the settings came from is another now, has gone or has come. It reads none.
func (s Settings) Changed() bool {
	for _, f := range s.Files {
		if look(f.Path) != f {
			return true
		}
	}
	return false
}

// Unsettled tells whether a file was written so lately that somebody may still be writing it.
func (s Settings) Unsettled(now time.Time, quiet time.Duration) bool {
	for _, f := range s.Files {
		age := now.Sub(time.Unix(0, f.Mod))
		if f.There && age >= 0 && age < quiet {
			return true
		}
	}
	return false
}
