package record

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"
)

// standard is what encoding/json writes.
func standard(r Record) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(r)
	return b.Bytes(), err
}

func same(t *testing.T, r Record) {
	t.Helper()
	want, wantErr := standard(r)
	got, err := r.Append(nil)
	if (err == nil) != (wantErr == nil) {
		t.Fatalf("error %v, encoding/json's %v", err, wantErr)
	}
	if err == nil && !bytes.Equal(got, want) {
		t.Fatalf("wrote\n%s\nencoding/json writes\n%s", got, want)
	}
}

// fill sets every field of a value, n levels of it, but for the one of that number; it counts them.
func fill(v reflect.Value, next, but *int) {
	switch v.Kind() {
	case reflect.Pointer:
		if mine := *next; mine == *but {
			*next++
			return
		}
		*next++
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem(), next, but)
	case reflect.Struct:
		if at, is := v.Addr().Interface().(*time.Time); is {
			*at = time.Date(2026, 1, 2, 3, 4, 5, 678_900_000, time.UTC)
			return
		}
		for i := range v.NumField() {
			fill(v.Field(i), next, but)
		}
	default:
		mine := *next
		*next++
		if mine != *but {
			scalar(v, mine)
		}
		if v.Kind() == reflect.Slice && v.Type().Elem().Kind() == reflect.Struct {
			for range 2 {
				one := reflect.New(v.Type().Elem()).Elem()
				fill(one, next, but)
				v.Set(reflect.Append(v, one))
			}
		}
	}
}

func scalar(v reflect.Value, n int) {
	text := fmt.Sprintf("field %d <&> \" \\ \n\t\r\b\f\x01\x7f \xff \xed\xa0\x80 \u2028\u2029 é 漢 😀 \ufffd", n)
	switch v.Kind() {
	case reflect.String:
		v.SetString(text)
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int, reflect.Int64:
		v.SetInt(int64(n) - 20)
	case reflect.Float64:
		v.SetFloat(float64(n) / 7)
	case reflect.Map:
		v.Set(reflect.ValueOf(map[string]int{"b": n, "a\n": -n, "é": 0}))
	case reflect.Slice:
		switch v.Type().Elem().Kind() {
		case reflect.Uint8:
			v.SetBytes([]byte(fmt.Sprintf(` { "n" : [ %d , "<a b>" ] , "t" : "a b" } `, n)))
		case reflect.String:
			v.Set(reflect.ValueOf([]string{text, "", text}))
		}
	}
}

// TestAppendWritesEveryField: with all fields, without any, and without each of them it is what encoding/json writes.
func TestAppendWritesEveryField(t *testing.T) {
	same(t, Record{})
	fields, none := 0, -1
	fill(reflect.ValueOf(&Record{}).Elem(), &fields, &none)
	if fields < 80 {
		t.Fatalf("only %d fields", fields)
	}
	for but := -1; but < fields; but++ {
		var r Record
		next := 0
		fill(reflect.ValueOf(&r).Elem(), &next, &but)
		same(t, r)
	}
}

func TestAppendNumbers(t *testing.T) {
	for _, f := range []float64{0, 1, -1, 0.1, 12.345, 1e-6, 9.9e-7, 1e-7, 1e-10, 1e-100, 1e20, 1e21, 1.5e300, math.MaxFloat64, -1e-9} {
		same(t, Record{Hook: Hook{LatencyMS: f}})
	}
	for _, f := range []float64{math.NaN(), math.Inf(1)} {
		same(t, Record{Hook: Hook{LatencyMS: f}})
	}
}

// TestAppendRefusesWhatIsNoJSON: as encoding/json does.
func TestAppendRefusesWhatIsNoJSON(t *testing.T) {
	for _, raw := range []string{"{", "x", "{}{}", " ", "\"\x01\"", `{"a":"` + strings.Repeat("x", 1<<16) + `"}`, "null", "1e400"} {
		r := Record{}
		r.Raw = json.RawMessage(raw)
		same(t, r)
	}
	r := Record{}
	r.Time = time.Date(12026, 1, 1, 0, 0, 0, 0, time.UTC)
	same(t, r)
}

func FuzzAppend(f *testing.F) {
	f.Add("a", "\xff", []byte(`{"a": 1}`), 0.5)
	f.Fuzz(func(t *testing.T, a, b string, raw []byte, x float64) {
		r := Record{Notes: []string{a, b}, Hook: Hook{LatencyMS: x, Redactions: map[string]int{a: 1, b: 2}}}
		r.Raw, r.Prompt = raw, a+b
		same(t, r)
	})
}
