package redact

import "unicode/utf8"

// rawString reads the string at pos and returns its decoded start, at most limit
// bytes and a rune, and its whole decoded length. odd says that the text holds
// what JSON forbids, so that it has to be written anew.
func (p *rewriter) rawString(limit int) (head string, total int, odd, ok bool) {
	start := p.pos + 1
	i := start
	for i < len(p.src) && p.src[i] != '"' && p.src[i] != '\\' && p.src[i] >= 0x20 {
		i++
	}
	if i < len(p.src) && p.src[i] == '"' {
		p.pos = i + 1
		return p.src[start:min(i, start+limit)], i - start, false, true
	}
	d := decoder{src: p.src, limit: limit}
	if i-start <= limit {
		d.out = append(make([]byte, 0, i-start+64), p.src[start:i]...)
	} else {
		d.out = append(d.out, p.src[start:start+limit]...)
	}
	d.total = i - start
	p.pos, ok = d.run(i)
	return string(d.out), d.total, d.odd, ok
}

// decoder unescapes the rest of a string.
type decoder struct {
	src   string
	limit int
	out   []byte
	total int
	odd   bool
}

func (d *decoder) run(i int) (end int, ok bool) {
	for i < len(d.src) {
		switch b := d.src[i]; {
		case b == '"':
			return i + 1, true
		case b == '\\':
			n := d.escape(i)
			if n == 0 {
				return i, false
			}
			i += n
		default:
			d.odd = d.odd || b < 0x20
			d.add(b)
			i++
		}
	}
	return i, false
}

func (d *decoder) add(b ...byte) {
	d.total += len(b)
	if len(d.out) < d.limit {
		d.out = append(d.out, b...)
	}
}

func (d *decoder) escape(i int) int {
	if i+1 >= len(d.src) {
		return 0
	}
	switch b := d.src[i+1]; b {
	case '"', '\\', '/':
		d.add(b)
	case 'n':
		d.add('\n')
	case 't':
		d.add('\t')
	case 'r':
		d.add('\r')
	case 'b':
		d.add('\b')
	case 'f':
		d.add('\f')
	case 'u':
		return d.unicode(i)
	default:
		return 0
	}
	return 2
}

func (d *decoder) unicode(i int) int {
	v, ok := hex4(d.src, i+2)
	if !ok {
		return 0
	}
	n := 6
	if v >= 0xD800 && v < 0xE000 {
		low, ok := rune(0), false
		if v < 0xDC00 && i+12 <= len(d.src) && d.src[i+6] == '\\' && d.src[i+7] == 'u' {
			low, ok = hex4(d.src, i+8)
		}
		if ok && low >= 0xDC00 && low < 0xE000 {
			v, n = (v-0xD800)<<10+(low-0xDC00)+0x10000, 12
		} else {
			v = utf8.RuneError
		}
	}
	d.add(utf8.AppendRune(nil, v)...)
	return n
}
