package confedit

import (
	"encoding/json"
	"fmt"

	"github.com/tailscale/hujson"
)

// Append adds a value at the end of the array that path leads to: names of members, from the top. Objects and the array are
// made where they are missing; made is how many of the path's members that are, the innermost ones. A file without any
// value becomes an object. It refuses what SetMember refuses, and a member on the way that is no object or no array.
//
// What it did is undone to the byte by taking out, last first: the element by RemoveElement where nothing was made, else
// the outermost member that was made by RemoveAt.
func Append(src []byte, path []string, value []byte) (out []byte, made int, err error) {
	if !json.Valid(value) {
		return nil, 0, fmt.Errorf("append to %q: the value is not JSON", path)
	}
	mark, body := splitMark(src)
	if blank(body) {
		body = []byte("{}" + newlineOf(body))
	}
	in, found, err := descend(body, path)
	if err != nil {
		return nil, 0, err
	}
	if found == len(path) {
		return join(mark, in.insert(body, nil, value, layout.format)), 0, nil
	}
	value = append(append([]byte("["), value...), ']')
	for i := len(path) - 1; i > found; i-- {
		value = append(append([]byte("{"+quoted(path[i])+":"), value...), '}')
	}
	return join(mark, in.insert(body, []byte(quoted(path[found])), value, layout.format)), len(path) - found, nil
}

// Elements lists the elements of the array that path leads to as plain JSON. There are none where the path leads nowhere.
func Elements(src []byte, path []string) ([][]byte, error) {
	_, body := splitMark(src)
	if blank(body) {
		return nil, nil
	}
	in, found, err := descend(body, path)
	if err != nil || found < len(path) {
		return nil, err
	}
	var out [][]byte
	for _, it := range in.items {
		v, err := parse(body[it.value:it.end])
		if err != nil {
			return nil, err
		}
		out = append(out, plain(v))
	}
	return out, nil
}

// SetElement gives element i of the array that path leads to another value, laid out as the element was.
func SetElement(src []byte, path []string, i int, value []byte) ([]byte, error) {
	if !json.Valid(value) {
		return nil, fmt.Errorf("set element of %q: the value is not JSON", path)
	}
	mark, body, in, err := element(src, path, i)
	if err != nil {
		return nil, err
	}
	it := in.items[i]
	return join(mark, body[:it.value], layoutOf(body, in, i).format(value), body[it.end:]), nil
}

// RemoveElement takes element i of the array that path leads to out, with the comma and the white space that came with it.
func RemoveElement(src []byte, path []string, i int) ([]byte, error) {
	mark, body, in, err := element(src, path, i)
	if err != nil {
		return nil, err
	}
	return join(mark, in.remove(body, i)), nil
}

func element(src []byte, path []string, i int) (mark, body []byte, in list, err error) {
	mark, body = splitMark(src)
	in, found, err := descend(body, path)
	if err == nil && (found < len(path) || i < 0 || i >= len(in.items)) {
		err = fmt.Errorf("find element %d of %q: there is none", i, path)
	}
	return mark, body, in, err
}

// RemoveAt takes the member that path leads to out, as RemoveMember does at the top. Without such a member src comes back
// as it is.
func RemoveAt(src []byte, path []string) ([]byte, error) {
	mark, body := splitMark(src)
	if blank(body) {
		return src, nil
	}
	last := len(path) - 1
	in, found, err := walk(body, path[:last], false)
	if err != nil || found < last {
		return src, err
	}
	i := in.index(path[last])
	if i < 0 {
		return src, nil
	}
	return join(mark, in.remove(body, i)), nil
}

// Hollow tells that path leads to an object or an array with nothing in it, no comment either.
func Hollow(src []byte, path []string) bool {
	_, body := splitMark(src)
	if blank(body) {
		return false
	}
	last := len(path) - 1
	in, found, err := walk(body, path[:last], false)
	if err != nil || found < last {
		return false
	}
	i := in.index(path[last])
	if i < 0 {
		return false
	}
	text := body[in.items[i].value:in.items[i].end]
	return len(text) >= 2 && (text[0] == '{' || text[0] == '[') && blank(text[1:len(text)-1])
}

// descend goes down to the array at path, or as far as there are objects. found is how many names led on.
func descend(body []byte, path []string) (in list, found int, err error) {
	return walk(body, path, true)
}

// walk goes down a path whose last name stands for an array where array says so, and all others for objects.
func walk(body []byte, path []string, array bool) (in list, found int, err error) {
	v, err := parse(body)
	if err != nil {
		return list{}, 0, err
	}
	unit := ""
	for {
		obj, ok := v.Value.(*hujson.Object)
		if !ok {
			return list{}, 0, syntaxAt(body, v.StartOffset, wanted(found, path, "object"))
		}
		in = objectList(body, v, obj)
		in.nested, in.unit = found > 0, unit
		if err := in.distinct(body); err != nil {
			return list{}, 0, err
		}
		if found == 0 && len(in.items) > 0 {
			unit = in.step(body)
			in.unit = unit
		}
		if found == len(path) {
			return in, found, nil
		}
		i := in.index(path[found])
		if i < 0 {
			return in, found, nil
		}
		v = obj.Members[i].Value
		found++
		if found < len(path) || !array {
			continue
		}
		arr, ok := v.Value.(*hujson.Array)
		if !ok {
			return list{}, 0, syntaxAt(body, v.StartOffset, wanted(found, path, "array"))
		}
		in = arrayList(body, &v, arr)
		in.nested, in.unit = true, unit
		return in, found, nil
	}
}

func wanted(found int, path []string, kind string) string {
	if found == 0 {
		return "not a JSON object"
	}
	return fmt.Sprintf("the value of %q is no %s", path[found-1], kind)
}

// step is by how much a file indents its first level, and so the others.
func (l list) step(src []byte) string {
	for _, it := range l.items {
		if indent, ok := indentIn(src[it.extra:it.start]); ok && indent != "" {
			return indent
		}
	}
	return "  "
}

func quoted(name string) string {
	text, _ := json.Marshal(name) // a string: it can't fail
	return string(text)
}
