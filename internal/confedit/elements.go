package confedit

import (
	"bytes"

	"github.com/tailscale/hujson"
)

// RemoveElements takes out every array element, at any depth, that drop says so of; inner ones are asked about before the
// arrays around them. drop gets the element as plain JSON.
func RemoveElements(src []byte, drop func(value []byte) bool) ([]byte, error) {
	mark, body := splitMark(src)
	if blank(body) {
		return src, nil
	}
	for {
		v, err := parse(body)
		if err != nil {
			return nil, err
		}
		l, i := findElement(body, &v, drop)
		if i < 0 {
			return join(mark, body), nil
		}
		body = l.remove(body, i)
	}
}

// Plain is src as plain JSON, without comments and trailing commas.
func Plain(src []byte) ([]byte, error) {
	_, body := splitMark(src)
	v, err := parse(body)
	if err != nil {
		return nil, err
	}
	return plain(v), nil
}

func plain(v hujson.Value) []byte {
	v = v.Clone()
	v.Standardize()
	return bytes.TrimSpace(v.Pack())
}

func findElement(src []byte, root *hujson.Value, drop func([]byte) bool) (list, int) {
	var in list
	at := -1
	for v := range root.All() {
		arr, ok := v.Value.(*hujson.Array)
		if !ok {
			continue
		}
		for i, e := range arr.Elements {
			if drop(plain(e)) {
				in, at = arrayList(src, v, arr), i // the last one found is the innermost, or behind it
			}
		}
	}
	return in, at
}

func arrayList(src []byte, v *hujson.Value, arr *hujson.Array) list {
	out := list{open: v.StartOffset + 1, close: v.EndOffset - 1}
	for _, e := range arr.Elements {
		out.items = append(out.items, span(src, e, e))
	}
	return out
}
