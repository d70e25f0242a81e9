package cli

import (
	"os"

	"golang.org/x/sys/windows"
)

// terminal tells whether a file is a console that understands escape sequences, and its width in columns.
func terminal(f *os.File) (int, bool) {
	h := windows.Handle(f.Fd())
	var mode uint32
	if windows.GetConsoleMode(h, &mode) != nil {
		return 0, false
	}
	if windows.SetConsoleMode(h, mode|windows.ENABLE_VIRTUAL_TERMINAL_PROCESSING) != nil {
		return 0, false
	}
	var info windows.ConsoleScreenBufferInfo
	if windows.GetConsoleScreenBufferInfo(h, &info) != nil {
		return 0, true
	}
	return int(info.Window.Right-info.Window.Left) + 1, true
}

// foreground tells whether this process has a console to type at.
func foreground() bool {
	_, is := terminal(os.Stdin)
	return is
}
