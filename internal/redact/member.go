package redact

import "strings"

// context is what the place of a value in the payload says about it.
type context struct {
	field
	class  keyClass // of the key it stands under
	key    string   // lower case
	call   bool     // directly below toolCall
	listed bool     // announced by the element before it in a list
	paired bool     // by a bare name: "DB_PASSWORD", "x"
	pair   bool     // … and the two are all of the list
	env    bool     // … and the name is a variable's
	valued bool     // the "value" of an object with a "name"
}

// inside is the context of what a container holds. A list under "password" holds
// passwords; an object there has keys that speak for themselves. Cookies are
// objects in many tools.
func (c context) inside(open byte) context {
	c.ident, c.listed, c.paired, c.valued = false, false, false, false
	c.call = open == '{' && c.call
	if open == '{' && c.class != keyCookie {
		c.class = keyPlain
	}
	return c
}

// frame is an open object or list.
type frame struct {
	open byte
	ctx  context
	next context  // of the member whose key was read last
	prev keyClass // what the text before announces, in a list
	argv argv     // the list as a command line
	name keyClass // of the object's "name" member
	held int      // where its held values start
}

// heldValue is the "value" of an object whose "name" may come later.
type heldValue struct {
	start, end int
	text       string
	total      int
	odd        bool
	number     bool
	ctx        context
}

func (p *rewriter) valueContext() context {
	if len(p.stack) == 0 {
		c := p.base
		c.shell = c.shell || p.nested == 0
		return c
	}
	f := p.top()
	if f.open == '{' {
		return f.next
	}
	c := f.ctx
	if c.class == keyPlain && f.prev != keyPlain {
		c.class, c.listed, c.paired = f.prev, true, f.argv.paired
		c.pair, c.env = f.argv.n == 1 && p.lastElement(), f.argv.env
	}
	f.prev, f.argv.paired, f.argv.env = keyPlain, false, false
	f.argv.n++
	return c
}

// lastElement says that the value at pos is the last one of its list.
func (p *rewriter) lastElement() bool {
	i := p.pos
	if i < len(p.src) && p.src[i] == '"' {
		for i++; i < len(p.src) && i-p.pos < maxLook && p.src[i] != '"'; i++ {
			if p.src[i] == '\\' {
				i++
			}
		}
		i++
	} else {
		for i < len(p.src) && i-p.pos < maxLook && (isAlnum(p.src[i]) || strings.IndexByte("+-.", p.src[i]) >= 0) {
			i++
		}
	}
	for i < len(p.src) && isSpace(p.src[i]) && i-p.pos < maxLook {
		i++
	}
	return i < len(p.src) && p.src[i] == ']'
}

const maxLook = 1024

// memberContext derives the context of the member called key.
func (p *rewriter) memberContext(key string) context {
	f := p.top()
	c := f.ctx
	c.key, c.hint = strings.ToLower(key), c.hint|hintsOf(key)
	if class := classify(key); class != keyPlain {
		c.class = class
	} else if cookieAttribute(c.key) {
		c.class = keyPlain
	}
	if c.valued = valueField(c.key); c.valued && c.class == keyPlain {
		c.class = f.name
	}
	switch {
	case len(p.stack) == 1 && p.nested == 0:
		c.shell, c.ident = shellMember(key), identMember(key)
		c.call = key == "toolCall"
	case c.call:
		c.ident, c.call = key == "name", false
	}
	return c
}

// shellMember lists the members of a payload that hold commands or program text.
func shellMember(key string) bool {
	switch key {
	case "tool_input", "tool_response", "toolCall", "details", "prompt", "prompt_response", "message", "error",
		"mcp_context", "llm_request", "llm_response", "_payload":
		return true
	}
	return false
}

// identMember lists the members that identify things; digits there are no cards.
func identMember(key string) bool {
	switch key {
	case "hook_event_name", "tool_name", "session_id", "conversationId", "transcript_path", "transcriptPath", "cwd",
		"timestamp", "artifactDirectoryPath":
		return true
	}
	return false
}

func cookieAttribute(key string) bool {
	switch key {
	case "name", "domain", "path", "expires", "samesite", "url", "priority", "partitionkey", "sourcescheme", "type", "description":
		return true
	}
	return false
}

// key reads a member's name and the colon after it.
func (p *rewriter) key() bool {
	start := p.pos
	text, total, odd, ok := p.rawString(MaxString + overlap)
	if !ok {
		return false
	}
	f := p.top()
	f.next = p.memberContext(text)
	if p.work.spent() && !isUnscanned(text) {
		p.skip(start, p.pos, total)
	} else {
		p.write(start, p.pos, text, total, odd, p.r.find(text, field{hint: f.ctx.hint}, p.work))
	}
	for p.pos < len(p.src) && isSpace(p.src[p.pos]) {
		p.pos++
	}
	if p.pos == len(p.src) || p.src[p.pos] != ':' {
		return false
	}
	p.pos++
	p.state = wantValue
	return true
}

// stringValue reads a string in the place of a value.
func (p *rewriter) stringValue() bool {
	start := p.pos
	ctx := p.valueContext()
	text, total, odd, ok := p.rawString(MaxString + overlap)
	if !ok {
		return false
	}
	p.state = wantEnd
	if len(p.stack) > 0 {
		f := p.top()
		switch {
		case f.open == '[':
			sp, ok := f.argv.argument(text)
			f.announce(text, ctx.shell)
			if ok && !p.work.spent() {
				p.write(start, p.pos, text, total, odd, p.r.settle(text, []span{sp}))
				return true
			}
		case ctx.shell && commandField(ctx.key):
			f.argv.see(text)
		case namesField(ctx.key):
			f.name = max(f.name, nameClass(text))
		case ctx.valued && f.name == keyPlain:
			p.values = append(p.values, heldValue{start, p.pos, text, total, odd, false, ctx})
			return true
		}
	}
	p.mask(start, p.pos, text, total, odd, ctx)
	return true
}

// releaseValues masks the held values of the object that ends.
func (p *rewriter) releaseValues() {
	f := p.top()
	for _, v := range p.values[f.held:] {
		if f.name != keyPlain {
			v.ctx.class = f.name
		}
		if v.number {
			p.number(v.start, v.end, v.text, v.ctx)
			continue
		}
		p.mask(v.start, v.end, v.text, v.total, v.odd, v.ctx)
	}
	p.values = p.values[:f.held]
}

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
	low := strings.ToLower(name)
	for _, suffix := range [...]string{" field", " input", " textbox", " box"} {
		if n := len(name) - len(suffix); n > 0 && strings.HasSuffix(low, suffix) && len(low) == len(name) {
			name = name[:n]
		}
	}
	return classify(name)
}

// mask masks one string value.
func (p *rewriter) mask(start, end int, text string, total int, odd bool, ctx context) {
	if p.work.spent() {
		if !isUnscanned(text) {
			p.skip(start, end, total)
		}
		return
	}
	if ctx.class == keyPlain && p.nested < maxNested && total == len(text) && total <= MaxString && container(text) {
		inner := context{field: ctx.field}
		c := Counts{}
		if out, ok := p.r.rewrite(text, inner, p.nested+1, c, p.work); ok {
			p.count(c)
			if out != text || odd {
				p.edits = append(p.edits, edit{start, end, quoted(Truncate(out, MaxString))})
			}
			return
		}
	}
	spans := p.r.memberSpans(text, ctx, p.work)
	if sp, ok := p.work.key.follow(text); ok && !ctx.ident {
		spans = p.r.settle(text, append([]span{sp}, spans...))
	}
	p.write(start, end, text, total, odd, spans)
}

// skip leaves only the size of a string that the budget has nothing left for.
func (p *rewriter) skip(start, end, total int) {
	if total > 0 && !p.work.again {
		p.edits = append(p.edits, edit{start, end, quoted(unscanned(total))})
	}
}

// write records an edit where the text changes.
func (p *rewriter) write(start, end int, text string, total int, odd bool, spans []span) {
	if len(spans) == 0 && total <= MaxString && !odd {
		return
	}
	c := Counts{}
	out, changed := keep(text, total, spans, c)
	p.count(c)
	if changed || odd {
		p.edits = append(p.edits, edit{start, end, quoted(out)})
	}
}

// container says that text may be JSON itself.
func container(text string) bool {
	text = strings.TrimSpace(text)
	if len(text) < 2 {
		return false
	}
	first, last := text[0], text[len(text)-1]
	return first == '{' && last == '}' || first == '[' && last == ']'
}
