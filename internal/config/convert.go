package config

import (
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// convert turns a value as written (a TOML value, or a variable's text) into the key's own form: string, bool, int64,
// []string or map[string]string.
func convert(k Key, v any) (any, error) {
	switch k.Type {
	case Bool:
		return toBool(v)
	case Int:
		return toInt(k, v)
	case List:
		return toList(v)
	case Map:
		return toMap(v)
	}
	s, ok := v.(string)
	if !ok {
		return nil, fmt.Errorf("wants a text, not %v", v)
	}
	if k.Type == Choice && !slices.Contains(k.Choices, s) {
		return nil, fmt.Errorf("%q is none of %s", s, strings.Join(k.Choices, ", "))
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
	return nil, fmt.Errorf("wants true or false, not %v", v)
}

func toInt(k Key, v any) (any, error) {
	n, ok := v.(int64)
	if s, text := v.(string); text {
		parsed, err := strconv.ParseInt(strings.TrimSpace(s), 10, 64)
		n, ok = parsed, err == nil
	}
	if !ok {
		return nil, fmt.Errorf("wants a whole number, not %v", v)
	}
	if lo, hi := bounds(k.Name); n < lo || n > hi {
		return nil, fmt.Errorf("%d is not between %d and %d", n, lo, hi)
	}
	return n, nil
}

func toList(v any) (any, error) {
	items, ok := v.([]any)
	if !ok {
		return nil, fmt.Errorf("wants a list of texts, not %v", v)
	}
	out := make([]string, 0, len(items))
	for _, item := range items {
		s, ok := item.(string)
		if !ok {
			return nil, fmt.Errorf("wants a list of texts, and %v is none", item)
		}
		out = append(out, s)
	}
	return out, nil
}

// toMap reads a TOML table, a JSON object, or the form of OTEL_EXPORTER_OTLP_HEADERS: k=v,k=v with percent-encoded
// values (OpenTelemetry specification 1.x, OTLP exporter configuration).
func toMap(v any) (any, error) {
	out := map[string]string{}
	switch v := v.(type) {
	case map[string]any:
		for key, item := range v {
			s, ok := item.(string)
			if !ok {
				return nil, fmt.Errorf("wants texts, and %s is %v", key, item)
			}
			out[key] = s
		}
		return out, nil
	case string:
		if strings.HasPrefix(strings.TrimSpace(v), "{") {
			if err := json.Unmarshal([]byte(v), &out); err != nil {
				return nil, fmt.Errorf("wants a JSON object of texts: %w", err)
			}
			return out, nil
		}
		for pair := range strings.SplitSeq(v, ",") {
			key, val, ok := strings.Cut(strings.TrimSpace(pair), "=")
			if !ok {
				return nil, fmt.Errorf("wants name=value pairs with commas between")
			}
			if plain, err := url.PathUnescape(val); err == nil {
				val = plain
			}
			out[strings.TrimSpace(key)] = strings.TrimSpace(val)
		}
		return out, nil
	}
	return nil, fmt.Errorf("wants a table of texts, not %v", v)
}
