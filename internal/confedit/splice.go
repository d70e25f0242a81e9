package confedit

import "bytes"

// The splices keep one bargain, so that remove needs no memory of what insert did. An inserted member stands behind the
// last comment of the object, and between the two is white space that insert wrote, all of it. The line break that ends a
// line comment counts as white space after the member. Everything that was behind the comment follows the member.

// insert adds a member at the end of an object, or an element, which has no name, at the end of an array.
func (l list) insert(src, name, value []byte, format func(layout, []byte) []byte) []byte {
	tail, comma := l.open, true
	if n := len(l.items); n > 0 {
		tail, comma = l.items[n-1].end, l.items[n-1].comma >= 0
		if comma {
			tail = l.items[n-1].comma + 1
		}
	}
	kept, lineComment := comments(src[tail:l.close])
	at := tail + kept
	lay := l.layout(src, src[tail:at], lineComment)
	gap := lay.gap
	if lineComment && src[at-1] == '\r' {
		gap = "\r" + "\n" + lay.indent // else the comment's own \r and our \n would read as one line end
	}
	var add bytes.Buffer
	if len(l.items) > 0 && !comma {
		add.WriteString(",")
	}
	add.Write(src[tail:at])
	add.WriteString(gap)
	if name != nil {
		add.Write(name)
		add.WriteString(lay.colon)
	}
	add.Write(format(lay, value))
	switch {
	case len(l.items) > 0 && comma:
		add.WriteString(",")
	case len(l.items) == 0 && kept == 0 && lay.lines:
		add.WriteString(lay.newline + l.base(src)) // the closing bracket's own line
	}
	return join(src[:tail], add.Bytes(), src[at:])
}

// remove takes item i out.
func (l list) remove(src []byte, i int) []byte {
	it := l.items[i]
	kept, lineComment := comments(src[it.extra:it.start])
	from, to := it.extra+kept, it.end
	var between []byte // what is kept between the item and its comma
	if it.comma >= 0 {
		if between, to = src[it.end:it.comma], it.comma+1; blank(between) {
			between = nil
		}
	}
	if len(l.items) == 1 && kept == 0 && between == nil {
		if nl := lineEnd(src[to:]); nl != "" {
			to += len(nl)
			to += len(src[to:]) - len(bytes.TrimPrefix(src[to:], []byte(l.base(src))))
		}
	}
	if lineComment && len(lineEnd(join(between, src[to:]))) == 0 {
		from += len(lineEnd(src[from:])) // the comment would swallow what follows
	}
	if prev := i - 1; prev >= 0 && it.comma < 0 {
		comma := l.items[prev].comma
		return join(src[:comma], src[comma+1:from], between, src[to:])
	}
	return join(src[:from], between, src[to:])
}

// comments is the length of white space and comments up to the end of the last comment, without the line break that ends
// a line comment, and whether that comment is one.
func comments(extra []byte) (n int, line bool) {
	for i := 0; i < len(extra); {
		end := commentAt(extra, i)
		if end < 0 {
			i++
			continue
		}
		line = extra[i+1] == '/'
		n, i = end, end
		if line {
			n -= len(trailingLineEnd(extra[:end]))
		}
	}
	return n, line
}

// commentAt is the end of the comment that begins at i, or -1 where none begins.
func commentAt(src []byte, i int) int {
	begin, end := "/*", "*/"
	switch {
	case bytes.HasPrefix(src[i:], []byte("//")):
		begin, end = "//", "\n"
	case !bytes.HasPrefix(src[i:], []byte("/*")):
		return -1
	}
	n := bytes.Index(src[i+len(begin):], []byte(end))
	if n < 0 {
		return len(src)
	}
	return i + len(begin) + n + len(end)
}

// lineEnd is the line break that b begins with, if it does.
func lineEnd(b []byte) string {
	for _, nl := range []string{"\n", "\r\n"} {
		if bytes.HasPrefix(b, []byte(nl)) {
			return nl
		}
	}
	return ""
}

func trailingLineEnd(b []byte) string {
	for _, nl := range []string{"\r\n", "\n"} {
		if bytes.HasSuffix(b, []byte(nl)) {
			return nl
		}
	}
	return ""
}
