package config

import (
	"hash/maphash"
	"io/fs"
	"os"
	"slices"
	"time"
)

// File is a file that settings came from, or would have, as it was just before it was read.
type File struct {
	Path string
	// There says that it could be looked at; else the rest is zero.
	There     bool
	Size, Mod int64 // bytes; nanoseconds since 1970
	Mode      fs.FileMode
	// Sum is that of its text, in this process alone.
	Sum uint64
}

var seed = maphash.MakeSeed()

func look(path string) File {
	f, _ := stat(path)
	return f
}

func stat(path string) (File, error) {
	info, err := os.Stat(path)
	if err != nil {
		return File{Path: path}, err
	}
	if !info.Mode().IsRegular() { // it isn't read, whatever is in it
		return File{Path: path, There: true, Mode: info.Mode()}, nil
	}
	return File{Path: path, There: true, Size: info.Size(), Mod: info.ModTime().UnixNano(), Mode: info.Mode()}, nil
}

// read reads a settings file, and remembers how it was.
func (l *loader) read(path string) (text string, cut bool, err error) {
	f, err := stat(path)
	if err == nil {
		text, cut, err = readFile(f)
	}
	f.Sum = maphash.String(seed, text)
	l.s.Files = append(l.s.Files, f)
	return text, cut, err
}

// Written is when the newest of the files that the settings came from was written; zero where there is none.
func (s Settings) Written() time.Time {
	newest := int64(0)
	for _, f := range s.Files {
		newest = max(newest, f.Mod)
	}
	if newest == 0 {
		return time.Time{}
	}
	return time.Unix(0, newest)
}

// Changed tells whether a file that the settings came from is another now, has gone or has come. One that was only touched
// is read, and is the same.
func (s Settings) Changed() bool {
	return slices.ContainsFunc(s.Files, File.changed)
}

func (f File) changed() bool {
	now := look(f.Path)
	now.Sum = f.Sum
	if now == f {
		return false
	}
	if now.Mod = f.Mod; now != f {
		return true
	}
	text, _, _ := readText(f.Path) // none, as before, where it can't be read
	return maphash.String(seed, text) != f.Sum
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
