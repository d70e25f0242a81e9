package otlp

import (
	"strings"

	wire "github.com/boathook/boathook/internal/otlp"
	"github.com/boathook/boathook/internal/redact"
)

// maxSpan bounds the attributes of one span, in bytes.
const maxSpan = 1 << 20

// attrs collects attributes in their order, and cuts what doesn't fit.
type attrs struct {
	list []wire.Attr
	used int
}

// text adds a text, unless it is empty.
func (a *attrs) text(key, value string) {
	if value == "" {
		return
	}
	a.whole(key, value)
}

// whole adds a text, also an empty one.
func (a *attrs) whole(key, value string) {
	value = redact.Truncate(value, min(redact.MaxString, max(maxSpan-a.used, 0)))
	a.add(key, value, len(value))
}

// json adds a text that must stay JSON, and leaves it out where it doesn't fit.
func (a *attrs) json(key, value string) {
	if value != "" && a.used+len(value) <= maxSpan {
		a.add(key, value, len(value))
	}
}

// list of texts, unless it is empty; it isn't longer than maxList.
func (a *attrs) texts(key string, values []string) {
	if len(values) == 0 {
		return
	}
	const maxList, maxText = 64, 1 << 10
	size := 0
	out := make([]string, 0, len(values))
	for _, v := range values[:min(len(values), maxList)] {
		v = redact.Truncate(strings.ToValidUTF8(v, "\uFFFD"), maxText)
		out = append(out, v)
		size += len(v) + 4
	}
	a.add(key, out, size)
}

func (a *attrs) int(key string, value int64)     { a.add(key, value, 8) }
func (a *attrs) float(key string, value float64) { a.add(key, value, 8) }
func (a *attrs) bool(key string, value bool)     { a.add(key, value, 1) }

// positive adds a number, unless it is zero.
func (a *attrs) positive(key string, value int64) {
	if value > 0 {
		a.int(key, value)
	}
}

func (a *attrs) add(key string, value any, size int) {
	a.list = append(a.list, wire.Attr{Key: key, Value: value})
	a.used += len(key) + size + 12 // and what stands around them on the wire
}
