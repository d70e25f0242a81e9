// Package confedit changes single members of a user's JSON or JSONC file by splicing text: every other byte, comments and
// line ends included, stays as it is, and RemoveMember undoes SetMember to the byte. Append does the same for elements of
// lists further down. internal/install calls it. It must not import the rest of boathook.
package confedit

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/tailscale/hujson"
)

// byteOrderMark is what some editors put before the first character. It is kept.
var byteOrderMark = []byte("\xef\xbb\xbf")

// SetMember gives the top-level object's member key a value, replacing the old one or adding a member at the end. The
// value is JSON, and is laid out as the rest of the file is. A file without any value becomes an object. It refuses what
// is not JSONC, is no object, or has one key twice.
func SetMember(src []byte, key string, value []byte) ([]byte, error) {
	if !json.Valid(value) {
		return nil, fmt.Errorf("set member %q: the value is not JSON", key)
	}
	return set(src, key, value, layout.format)
}

// SetRaw is SetMember with a value that is JSONC and is written as given.
func SetRaw(src []byte, key string, value []byte) ([]byte, error) {
	if _, err := parse(value); err != nil {
		return nil, fmt.Errorf("set member %q: the value is not JSONC: %w", key, err)
	}
	return set(src, key, value, func(_ layout, value []byte) []byte { return value })
}

func set(src []byte, key string, value []byte, format func(layout, []byte) []byte) ([]byte, error) {
	mark, body := splitMark(src)
	if blank(body) {
		body = []byte("{}" + newlineOf(body))
	}
	obj, err := parseObject(body)
	if err != nil {
		return nil, err
	}
	if i := obj.index(key); i >= 0 {
		it := obj.items[i]
		value = format(layoutOf(body, obj, i), value)
		return join(mark, body[:it.value], value, body[it.end:]), nil
	}
	return join(mark, obj.insert(body, hujson.String(key), value, format)), nil
}

// RemoveMember takes the member key out, with the comma and the white space that came with it. Without such a member src
// comes back as it is. RemoveMember(SetMember(src, key, v), key) is src, if src is an object that has no such member.
func RemoveMember(src []byte, key string) ([]byte, error) {
	mark, body, obj, err := open(src)
	if err != nil {
		return nil, err
	}
	i := obj.index(key)
	if i < 0 {
		return src, nil
	}
	return join(mark, obj.remove(body, i)), nil
}

// Member finds the text of a member's value; it is nil when there is no such member.
func Member(src []byte, key string) ([]byte, error) {
	_, body, obj, err := open(src)
	if err != nil {
		return nil, err
	}
	i := obj.index(key)
	if i < 0 {
		return nil, nil
	}
	return bytes.Clone(body[obj.items[i].value:obj.items[i].end]), nil
}

// Names lists the keys of the top-level object in the order of the file.
func Names(src []byte) ([]string, error) {
	_, _, obj, err := open(src)
	if err != nil {
		return nil, err
	}
	var out []string
	for _, it := range obj.items {
		out = append(out, it.name)
	}
	return out, nil
}

// open takes a file apart. A blank one is an object without members.
func open(src []byte) (mark, body []byte, obj list, err error) {
	mark, body = splitMark(src)
	if blank(body) {
		return mark, body, list{}, nil
	}
	obj, err = parseObject(body)
	return mark, body, obj, err
}

func splitMark(src []byte) (mark, body []byte) {
	if bytes.HasPrefix(src, byteOrderMark) {
		return src[:len(byteOrderMark)], src[len(byteOrderMark):]
	}
	return nil, src
}

func join(parts ...[]byte) []byte {
	out := bytes.Join(parts, nil)
	if out == nil {
		return []byte{}
	}
	return out
}

func blank(b []byte) bool {
	return len(bytes.Trim(b, " \t\r\n")) == 0
}
