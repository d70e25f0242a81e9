package schema

import (
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/boathook/boathook/hook/canon"
	"github.com/boathook/boathook/internal/record"
)

func TestSchemasMatchTheStructs(t *testing.T) {
	tests := []struct {
		name string
		of   any
	}{{"event", canon.Event{}}, {"decision", canon.Decision{}}, {"record", record.Record{}}}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			v := load(t, tt.name)
			matchStruct(t, v, v.root, reflect.TypeOf(tt.of), tt.name)
		})
	}
}

// matchStruct compares the properties of a schema with the JSON fields of a struct, in both directions and downwards.
func matchStruct(t *testing.T, v validator, s node, typ reflect.Type, at string) {
	t.Helper()
	props := v.allProperties(s)
	required := v.allRequired(s)
	for name, field := range jsonFields(typ) {
		prop, ok := props[name]
		if !ok {
			t.Errorf("%s.%s: a field of the struct that the schema lacks", at, name)
			continue
		}
		delete(props, name)
		if always := !field.omitempty; always != slices.Contains(required, name) {
			t.Errorf("%s.%s: always written is %t, required says otherwise", at, name, always)
		}
		matchType(t, prop.validator, prop.node, field.typ, at+"."+name)
	}
	for name := range props {
		t.Errorf("%s.%s: a property that the struct lacks", at, name)
	}
}

func matchType(t *testing.T, v validator, s node, typ reflect.Type, at string) {
	t.Helper()
	v, s = v.resolve(s)
	if typ.Kind() == reflect.Pointer {
		typ = typ.Elem()
	}
	want := jsonType(typ)
	if c, ok := s["const"]; ok {
		if _, number := c.(float64); number != (want == "integer") {
			t.Errorf("%s: const %v for a Go %s", at, c, typ)
		}
		return
	}
	if got, _ := s["type"].(string); want != "" && got != want {
		t.Errorf("%s: type %q, the struct's is %q", at, got, want)
	}
	switch {
	case typ == reflect.TypeFor[time.Time](), typ == reflect.TypeFor[json.RawMessage]():
	case typ.Kind() == reflect.Struct:
		matchStruct(t, v, s, typ, at)
	case typ.Kind() == reflect.Slice:
		items, _ := s["items"].(node)
		matchType(t, v, items, typ.Elem(), at+"[]")
	case typ.Kind() == reflect.Map:
		items, _ := s["additionalProperties"].(node)
		matchType(t, v, items, typ.Elem(), at+"{}")
	}
}

func jsonType(typ reflect.Type) string {
	switch {
	case typ == reflect.TypeFor[time.Time]():
		return "string"
	case typ == reflect.TypeFor[json.RawMessage]():
		return "" // any value, or an object: the description says which
	}
	switch typ.Kind() {
	case reflect.String:
		return "string"
	case reflect.Int, reflect.Int64:
		return "integer"
	case reflect.Float64:
		return "number"
	case reflect.Bool:
		return "boolean"
	case reflect.Slice:
		return "array"
	}
	return "object"
}

type jsonField struct {
	typ       reflect.Type
	omitempty bool
}

// jsonFields flattens embedded structs by their JSON names, as encoding/json does; their Go names may hide one another
// (record.Record embeds an Event that has a field Event).
func jsonFields(typ reflect.Type) map[string]jsonField {
	out := map[string]jsonField{}
	for i := range typ.NumField() {
		f := typ.Field(i)
		tag, ok := f.Tag.Lookup("json")
		switch {
		case f.Anonymous && !ok:
			maps.Copy(out, jsonFields(f.Type))
		case ok:
			name, options, _ := strings.Cut(tag, ",")
			out[name] = jsonField{typ: f.Type, omitempty: strings.Contains(options, "omitempty")}
		}
	}
	return out
}

func TestKindsAreThoseOfTheCode(t *testing.T) {
	v := load(t, "event")
	defs := v.root["$defs"].(node)
	enum := defs["kind"].(node)["enum"].([]any)
	var want []any
	for _, k := range canon.Kinds() {
		want = append(want, string(k))
	}
	if !reflect.DeepEqual(enum, want) {
		t.Errorf("kinds %v, want %v", enum, want)
	}
}

func TestUnknownNameNamesTheKnown(t *testing.T) {
	if _, err := Get("evnt"); err == nil || !strings.Contains(err.Error(), "event, decision, record") {
		t.Errorf("Get = %v", err)
	}
}
