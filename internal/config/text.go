package config

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"os"
	"strings"
	"unicode/utf16"
)

// maxFile bounds what is read of one settings file: a device or a log put in its place must not stall a hook.
const maxFile = 1 << 20

// readText reads a settings file as UTF-8 with \n at the line ends. Of a file that is too long the last line is cut off
// whole.
func readText(path string) (text string, cut bool, err error) {
	f, err := stat(path)
	if err != nil {
		return "", false, err
	}
	return readFile(f)
}

// readFile reads a file that was looked at.
func readFile(at File) (text string, cut bool, err error) {
	if !at.Mode.IsRegular() {
		return "", false, errors.New("not a regular file")
	}
	f, err := os.Open(at.Path)
	if err != nil {
		return "", false, err
	}
	defer f.Close()
	b := bytes.NewBuffer(make([]byte, 0, min(at.Size, maxFile)+bytes.MinRead)) // so that it is read at once
	if _, err := b.ReadFrom(io.LimitReader(f, maxFile+1)); err != nil {
		return "", false, err
	}
	data := b.Bytes()
	if cut = len(data) > maxFile; cut {
		data = data[:maxFile]
	}
	text = decode(data)
	if cut {
		text = text[:strings.LastIndexByte(text, '\n')+1]
	}
	return text, cut, nil
}

// decode takes what editors and shells of other systems write: a byte order mark, UTF-16, the line ends \r\n and \r.
func decode(data []byte) string {
	if order := wide(data); order != nil {
		units := make([]uint16, 0, len(data)/2)
		for ; len(data) > 1; data = data[2:] {
			units = append(units, order.Uint16(data))
		}
		data = []byte(string(utf16.Decode(units)))
	}
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	if bytes.IndexByte(data, '\r') >= 0 {
		data = bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n"))
		data = bytes.ReplaceAll(data, []byte("\r"), []byte("\n"))
	}
	return string(data)
}

// wide is the byte order of UTF-16: by its mark, or by the NUL beside the first letter.
func wide(data []byte) binary.ByteOrder {
	switch {
	case len(data) < 2:
	case data[0] == 0xff && data[1] == 0xfe, data[0] != 0 && data[1] == 0:
		return binary.LittleEndian
	case data[0] == 0xfe && data[1] == 0xff, data[0] == 0 && data[1] != 0:
		return binary.BigEndian
	}
	return nil
}
