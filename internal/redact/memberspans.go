package redact

import "strings"

// memberSpans returns the secrets of a member's value: what the scan finds, or
// the whole value where the key says that it's a secret.
func (r *Redactor) memberSpans(text string, ctx context, w *work) []span {
	text = uncut(text)
	found := r.find(text, ctx.field, w)
	whole, ok := wholeValue(text, ctx)
	if !ok || covers(found, whole) {
		return found
	}
	return r.settle(text, append([]span{whole}, found...))
}

// covers says that the scan took all of the value already, and with a better name.
func covers(found []span, whole span) bool {
	return len(found) == 1 && found[0].start <= whole.start && found[0].end >= whole.end
}

// wholeValue judges text as the value of a key of ctx.class.
func wholeValue(text string, ctx context) (span, bool) {
	start := len(text) - len(strings.TrimLeft(text, " \t\r\n"))
	end := len(strings.TrimRight(text, " \t\r\n"))
	if start >= end || ctx.ident || isPlaceholder(text) {
		return span{}, false
	}
	v := text[start:end]
	whole := span{start, end, "field_secret"}
	switch ctx.class {
	case keyPlain:
		return span{}, false
	case keyAuth:
		return authMember(text, whole, ctx.listed)
	case keyCookie:
		whole.typ = "cookie"
		return whole, !nameLike(v) && (!ctx.listed || cookiePairs(v))
	case keyAWS:
		whole.typ = "aws_secret_key"
		return whole, !nameLike(v)
	case keyAzure:
		whole.typ = "azure_key"
		return whole, !nameLike(v)
	case keySig:
		whole.typ = "azure_sas"
		return whole, len(v) >= 20 && looksSecret(strings.ReplaceAll(v, "%", ""))
	case keyWeak:
		return whole, looksSecret(v)
	}
	return whole, !nameLike(v) && (!ctx.listed || v[0] != '-') && (!ctx.paired || pairedValue(v, ctx))
}

// pairedValue judges the element after a secret's name in a list, which may as
// well be a list of names or of labels.
func pairedValue(v string, ctx context) bool {
	k := kindsOf(v)
	switch {
	case envName(v) && strings.Contains(v, "_"), len(v) < 4, formatted(v), dotted(v):
		return false
	case !ctx.pair && !ctx.env:
		return looksSecret(v)
	case k.space:
		return k.digit
	case ctx.pair && ctx.env:
		return true
	}
	return k.digit || k.other && !identifier(strings.ReplaceAll(v, "-", "_")) && !pathLike(v)
}

// authMember keeps the scheme of an Authorization value. A list of header names
// must not be taken for a header and its value.
func authMember(text string, whole span, listed bool) (span, bool) {
	v := text[whole.start:whole.end]
	whole.typ = schemeType(v)
	n := splitScheme(v)
	whole.start += n
	secret := v[n:]
	if isPlaceholder(secret) || nameLike(secret) || formatted(secret) {
		return span{}, false
	}
	if listed {
		return whole, n > 0 || looksSecret(v)
	}
	return whole, n > 0 || kindsOf(v).digit || !identifier(v)
}
