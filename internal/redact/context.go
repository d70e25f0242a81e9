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

func cookieAttribute(key string) bool {
	switch key {
	case "name", "domain", "path", "expires", "samesite", "url", "priority", "partitionkey", "sourcescheme", "type", "description":
		return true
	}
	return false
}
