package config

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// errGRPC says all by itself.
var errGRPC = errors.New("is grpc and is ignored: boathook speaks http/protobuf and http/json, whose port is usually 4318 where gRPC's is 4317")

// ignored is what became of a value that could not be converted.
func ignored(err error) string {
	if errors.Is(err, errGRPC) {
		return err.Error()
	}
	return err.Error() + "; it is ignored"
}

// convert turns a value as written (a TOML value, or a variable's text) into the key's own form: string, bool, int64,
// []string or map[string]string. Its errors do not quote the value, which may be a secret in the wrong place.
func convert(k Key, v any) (any, error) {
	switch k.Type {
	case Bool:
		return toBool(v)
	case Int:
		return toInt(k, v)
	case List:
		return toList(v)
	case Map:
		return toMap(k, v)
	}
	s, ok := v.(string)
	if !ok {
		return nil, errors.New("wants a text, not " + kindOf(v))
	}
	if k.Type == Choice && !slices.Contains(k.Choices, s) {
		if s == "grpc" && k.Name == "telemetry.protocol" {
			return nil, errGRPC
		}
		return nil, errors.New("is none of " + strings.Join(k.Choices, ", "))
	}
	return s, nil
}

func toBool(v any) (any, error) {
	switch v := v.(type) {
	case bool:
		return v, nil
	case string:
		switch strings.ToLower(v) {
		case "1", "true", "yes", "on":
			return true, nil
		case "0", "false", "no", "off":
			return false, nil
		}
	}
	return nil, errors.New("is neither true nor false")
}

func toInt(k Key, v any) (any, error) {
	n, ok := v.(int64)
	if s, text := v.(string); text {
		parsed, err := strconv.ParseInt(strings.TrimSpace(s), 10, 64)
		n, ok = parsed, err == nil
	}
	if !ok {
		return nil, errors.New("wants a whole number")
	}
	if lo, hi := bounds(k.Name); n < lo || n > hi {
		return nil, fmt.Errorf("is not between %d and %d", lo, hi)
	}
	return n, nil
}

func toList(v any) (any, error) {
	items, ok := v.([]any)
	if !ok {
		return nil, errors.New("wants a list of texts, not " + kindOf(v))
	}
	out := make([]string, 0, len(items))
	for _, item := range items {
		s, ok := item.(string)
		if !ok {
			return nil, errors.New("wants a list of texts, and has " + kindOf(item))
		}
		out = append(out, s)
	}
	return out, nil
}

// toMap reads a TOML table, a JSON object, or the form of OTEL_EXPORTER_OTLP_HEADERS: k=v,k=v with percent-encoded
// values (OpenTelemetry specification 1.x, OTLP exporter configuration).
func toMap(k Key, v any) (any, error) {
	out := map[string]string{}
	switch v := v.(type) {
	case map[string]any:
		for key, item := range v {
			if k.Numbers {
				n, err := toInt(k, item)
				if err != nil {
					lo, hi := bounds(k.Name)
					return nil, fmt.Errorf("wants whole numbers between %d and %d", lo, hi)
				}
				out[key] = fmt.Sprint(n)
				continue
			}
			s, ok := item.(string)
			if !ok {
				return nil, errors.New("wants texts, and has " + kindOf(item))
			}
			out[key] = s
		}
		return out, nil
	case string:
		if strings.HasPrefix(strings.TrimSpace(v), "{") {
			if err := json.Unmarshal([]byte(v), &out); err != nil {
				return nil, errors.New("wants a JSON object of texts")
			}
			return out, nil
		}
		for pair := range strings.SplitSeq(v, ",") {
			key, val, ok := strings.Cut(strings.TrimSpace(pair), "=")
			if !ok {
				return nil, errors.New("wants name=value pairs with commas between")
			}
			if plain, err := url.PathUnescape(val); err == nil {
				val = plain
			}
			out[strings.TrimSpace(key)] = strings.TrimSpace(val)
		}
		return out, nil
	}
	return nil, errors.New("wants a table of texts, not " + kindOf(v))
}

// kindOf names a value's kind, and nothing of the value.
func kindOf(v any) string {
	switch v.(type) {
	case string:
		return "a text"
	case bool:
		return "true or false"
	case int64, float64:
		return "a number"
	case []any:
		return "a list"
	case map[string]any:
		return "a table"
	}
	return "a date or time"
}
