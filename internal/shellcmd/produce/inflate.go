package produce

import (
	"compress/gzip"
	"io"
)

// inflate decompresses up to the limit.
func inflate(r io.Reader) (string, bool) {
	z, err := gzip.NewReader(r)
	if err != nil {
		return "", false
	}
	out, err := io.ReadAll(io.LimitReader(z, limit+1))
	return string(out), err == nil
}
