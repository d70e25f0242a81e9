package redact

import "strings"

// valueField lists the members that hold what the name of their object says.
func valueField(key string) bool {
	switch key {
	case "value", "val", "v", "values", "stringvalue", "string_value", "defaultvalue", "default_value", "currentvalue", "newvalue", "secretvalue":
		return true
	}
	return false
}

func commandField(key string) bool { return key == "command" || key == "cmd" || key == "program" }

func namesField(key string) bool {
	switch key {
	case "name", "key", "header", "field", "headername", "variable", "variablename", "varname", "envvar", "env", "parameter", "param", "parametername",
		"property", "id", "label", "k", "option", "setting", "attribute", "element":
		return true
	}
	return false
}

// nameClass judges the name in an object. Forms say "Password field".
func nameClass(name string) keyClass {
	name = strings.TrimSpace(name)
	if len(name) > maxKey && !oneName(name) || strings.Contains(name, "\n") {
		return keyPlain
	}
	low := strings.ToLower(name)
	for _, suffix := range [...]string{" field", " input", " textbox", " box"} {
		if n := len(name) - len(suffix); n > 0 && strings.HasSuffix(low, suffix) && len(low) == len(name) {
			name = name[:n]
		}
	}
	return classify(name)
}
