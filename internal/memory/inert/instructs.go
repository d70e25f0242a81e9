package inert

import "strings"

// Instructs tells whether a line reads like an instruction to a model rather than something that was said or done: it sets aside what
// the model was told, gives it another role or an order, speaks as a part of the chat's structure, calls a tool, or imitates what memory
// says of itself. It errs on the side of dropping: a line that is lost is a line less in a prompt.
func Instructs(line string) bool {
	f := fold(line)
	if f == "" {
		return false
	}
	if structure(f) || imitates(f) || ordered(f) {
		return true
	}
	if joined := spaced(f); joined != "" && ordersJoined(joined) {
		return true
	}
	return disguised(line)
}

func ordersJoined(line string) bool {
	return (strings.Contains(line, "ignore") || strings.Contains(line, "disregard") || strings.Contains(line, "forget") || strings.Contains(line, "override")) &&
		(strings.Contains(line, "instruction") || strings.Contains(line, "prompt") || strings.Contains(line, "rules")) || strings.Contains(line, "boathookmemory")
}

// imitates tells whether a line passes itself off as ours.
func imitates(f string) bool {
	if strings.ContainsRune(f, '_') {
		f += "\n" + strings.Join(strings.Fields(strings.ReplaceAll(f, "_", " ")), " ")
	}
	for _, own := range []string{
		"boathook memory", "relevant past incidents", "previously successful commands", "known failure patterns", "hook_context",
		"system-reminder", "system_reminder",
	} {
		if strings.Contains(f, own) {
			return true
		}
	}
	return false
}

// structure tells whether a line is a part of a chat: a role's mark, a template's token, a call of a tool.
func structure(f string) bool {
	for _, token := range []string{
		"[inst]", "[/inst]", "<<sys>>", "<</sys>>", "<start_of_turn", "<end_of_turn", "<s>[", "begin system prompt",
		"<function_call", "<function=", "<invoke ", "<tool_call", "<tool_use", "<tool_result", "<parameter name=", "antml:", "<tools>", "<tool_code", "`tool_code", "[tool_calls]", "✿function✿", `"type":"function","function"`, `"type": "function", "function"`,
		`"tool_calls"`, `"tool_use"`, `"function_call"`, `"functioncall"`, `"toolcall"`, `"tooluse"`, `"tool_result"`, "to=functions.", "to=functions ", `"recipient_name"`,
		"&lt;function_call", "&lt;invoke", "&lt;tool_",
	} {
		if strings.Contains(f, token) {
			return true
		}
	}
	if token(strings.ReplaceAll(f, "&lt;", "<")) {
		return true
	}
	if strings.Contains(f, `"name"`) && strings.Contains(f, `"arguments"`) && strings.Contains(f, "{") {
		return true
	}
	return role(f)
}

// token tells whether there is one of a chat's template: <|im_start|>.
func token(f string) bool {
	for {
		at := strings.Index(f, "<|")
		if at < 0 {
			return false
		}
		f = f[at+2:]
		if end := strings.IndexByte(f, '|'); end > 0 && end < 60 && letter(f[0]) && !strings.Contains(f[:end], " ") {
			return true
		}
	}
}

// role tells whether a line begins as a turn of a chat does. "user: postgres" is a line of a configuration, "user: please do this now" is
// not.
func role(f string) bool {
	marked := strings.TrimLeft(f, "#>-=[(<|•· \t\"'")
	decorated := strings.HasPrefix(f, "#") || strings.HasPrefix(f, "[") || strings.HasPrefix(f, "=") || strings.HasPrefix(f, "<")
	for _, r := range []string{
		"system", "assistant", "developer", "human", "user", "ai", "model", "tool", "instruction", "instructions", "시스템", "어시스턴트", "사용자", "개발자", "系统", "助手", "用户", "システム", "アシスタント", "ユーザー",
	} {
		rest, ok := strings.CutPrefix(marked, r)
		if !ok {
			continue
		}
		for _, more := range []string{" prompt", " message", " instructions", " instruction", " note", " override", " 프롬프트", " 메시지", " 지시"} {
			if after, ok := strings.CutPrefix(rest, more); ok {
				rest, decorated = after, true
				break
			}
		}
		rest = strings.TrimLeft(rest, " ")
		end := strings.TrimLeft(rest, "]>)=#\"' ")
		if decorated && (end == "" || end[0] == ':') && (rest == "" || strings.ContainsAny(rest, "]>)=#:") || strings.HasPrefix(f, "#")) {
			return true
		}
		said, ok := strings.CutPrefix(end, ":")
		if !ok {
			if said, ok = strings.CutPrefix(end, "："); !ok {
				continue
			}
		}
		words := len(strings.Fields(said))
		switch {
		case decorated:
			return true
		case r == "user" || r == "model" || r == "tool" || r == "ai" || r == "system" || r == "developer":
			return words >= 4
		case words >= 3 || said == "":
			return true
		}
	}
	return false
}
