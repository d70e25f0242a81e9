package schema

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"
)

type node = map[string]any

// validator is as much of JSON Schema 2020-12 as the schemas here use. A keyword that it does not know fails the test, so
// that no constraint goes unchecked.
type validator struct{ root node }

func load(t *testing.T, name string) validator {
	t.Helper()
	b, err := Get(name)
	if err != nil {
		t.Fatal(err)
	}
	var root node
	if err := json.Unmarshal(b, &root); err != nil {
		t.Fatal(err)
	}
	return validator{root}
}

// resolve follows a reference. A schema with an $id of its own is the root for the references within it.
func (v validator) resolve(s node) (validator, node) {
	ref, ok := s["$ref"].(string)
	if !ok || s["properties"] != nil {
		return v, s
	}
	return v.follow(ref)
}

func (v validator) follow(ref string) (validator, node) {
	at, _ := v.root["$defs"].(node)[strings.TrimPrefix(ref, "#/$defs/")].(node)
	if at == nil {
		panic("unresolved reference " + ref)
	}
	if at["$id"] != nil {
		return validator{at}, at
	}
	return v, at
}

type placed struct {
	validator
	node
}

// allProperties are those of the schema and of what it refers to.
func (v validator) allProperties(s node) map[string]placed {
	out := map[string]placed{}
	if ref, ok := s["$ref"].(string); ok {
		there, at := v.follow(ref)
		maps.Copy(out, there.allProperties(at))
	}
	props, _ := s["properties"].(node)
	for name, p := range props {
		out[name] = placed{v, p.(node)}
	}
	return out
}

func (v validator) allRequired(s node) []string {
	var out []string
	if ref, ok := s["$ref"].(string); ok {
		there, at := v.follow(ref)
		out = there.allRequired(at)
	}
	list, _ := s["required"].([]any)
	for _, name := range list {
		out = append(out, name.(string))
	}
	return out
}

// check returns what is wrong with a value.
func (v validator) check(s node, value any, at string) []string {
	var out []string
	for keyword, arg := range s {
		out = append(out, v.keyword(s, keyword, arg, value, at)...)
	}
	return out
}

func (v validator) keyword(s node, keyword string, arg, value any, at string) []string {
	text, isText := value.(string)
	number, isNumber := value.(float64)
	bad := func(wrong bool) []string {
		if wrong {
			return []string{fmt.Sprintf("%s: %v breaks %s %v", at, value, keyword, arg)}
		}
		return nil
	}
	switch keyword {
	case "$schema", "$id", "title", "description", "$defs":
		return nil
	case "$ref":
		there, target := v.follow(arg.(string))
		return there.check(target, value, at)
	case "type":
		return bad(!hasType(value, arg.(string)))
	case "const":
		return bad(!reflect.DeepEqual(arg, value))
	case "enum":
		return bad(!contains(arg.([]any), value))
	case "pattern":
		return bad(isText && !regexp.MustCompile(arg.(string)).MatchString(text))
	case "minLength":
		return bad(isText && float64(len(text)) < arg.(float64))
	case "minimum":
		return bad(isNumber && number < arg.(float64))
	case "format":
		_, err := time.Parse(time.RFC3339, text)
		return bad(arg != "date-time" || isText && err != nil)
	}
	return v.applicator(s, keyword, arg, value, at)
}

func (v validator) applicator(s node, keyword string, arg, value any, at string) (out []string) {
	object, _ := value.(node)
	switch keyword {
	case "required":
		for _, name := range arg.([]any) {
			if _, ok := object[name.(string)]; !ok && object != nil {
				out = append(out, fmt.Sprintf("%s: %s is missing", at, name))
			}
		}
	case "properties":
		for name, p := range arg.(node) {
			if field, ok := object[name]; ok {
				out = append(out, v.check(p.(node), field, at+"."+name)...)
			}
		}
	case "additionalProperties":
		props, _ := s["properties"].(node)
		for name, field := range object {
			if props[name] != nil {
				continue
			}
			if below, ok := arg.(node); ok {
				out = append(out, v.check(below, field, at+"."+name)...)
			} else if arg == false {
				out = append(out, fmt.Sprintf("%s: %s is no member", at, name))
			}
		}
	case "items":
		list, _ := value.([]any)
		for i, item := range list {
			out = append(out, v.check(arg.(node), item, fmt.Sprintf("%s[%d]", at, i))...)
		}
	default:
		out = append(out, fmt.Sprintf("%s: keyword %s is unknown to this validator", at, keyword))
	}
	return out
}

func contains(list []any, value any) bool {
	for _, item := range list {
		if reflect.DeepEqual(item, value) {
			return true
		}
	}
	return false
}

func hasType(value any, want string) bool {
	switch value := value.(type) {
	case string:
		return want == "string"
	case bool:
		return want == "boolean"
	case float64:
		return want == "number" || want == "integer" && value == math.Trunc(value)
	case []any:
		return want == "array"
	case node:
		return want == "object"
	}
	return want == "null"
}
