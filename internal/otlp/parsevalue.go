package otlp

import (
	"encoding/base64"
	"errors"
	"strconv"
)

// maxDepth is how deep values may be within values.
const maxDepth = 32

var errDeep = errors.New("values nested too deeply")

// anyValue is an AnyValue as it was received: plain (nil, string, bool, int64, float64 or []byte), an array, or a map.
type anyValue struct {
	plain          any
	isArray, isMap bool
	keys           []string
	elements       []anyValue
}

// attr is the value as an Attr has it.
func (v anyValue) attr() any {
	switch {
	case v.isMap:
		return string(v.appendJSON(nil))
	case v.isArray:
		texts := make([]string, 0, len(v.elements))
		for _, e := range v.elements {
			s, ok := e.plain.(string)
			if !ok {
				return string(v.appendJSON(nil))
			}
			texts = append(texts, s)
		}
		return texts
	}
	if b, ok := v.plain.([]byte); ok {
		return base64.StdEncoding.EncodeToString(b)
	}
	return v.plain
}

func (v anyValue) appendJSON(b []byte) []byte {
	switch {
	case v.isMap:
		b = append(b, '{')
		for i, e := range v.elements {
			b = append(stringJSON(comma(b), v.keys[i]), ':')
			b = e.appendJSON(b)
		}
		return append(b, '}')
	case v.isArray:
		b = append(b, '[')
		for _, e := range v.elements {
			b = e.appendJSON(comma(b))
		}
		return append(b, ']')
	}
	switch p := v.plain.(type) {
	case string:
		return stringJSON(b, p)
	case []byte:
		return stringJSON(b, base64.StdEncoding.EncodeToString(p))
	case bool:
		return strconv.AppendBool(b, p)
	case float64:
		return floatJSON(b, p)
	case int64:
		return strconv.AppendInt(b, p, 10)
	}
	return append(b, "null"...)
}
