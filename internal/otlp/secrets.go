package otlp

import (
	"cmp"
	"encoding/base64"
	"maps"
	"net/url"
	"os"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// shortSecret is the length below which a part of a secret is an ordinary word.
const shortSecret = 4

// secretsOf are the secrets of a client, with those of the environment's proxies where they count.
func secretsOf(o Options) []string {
	urls := []string{o.Traces, o.Metrics, o.Proxy}
	if o.TrustEnv {
		urls = append(urls, EnvProxies(os.LookupEnv)...)
	}
	secret, users := Secrets(o.Headers, urls...)
	return longestFirst(append(secret, users...))
}

func longestFirst(list []string) []string {
	slices.SortFunc(list, func(a, b string) int { return cmp.Or(len(b)-len(a), strings.Compare(a, b)) })
	return slices.Compact(list)
}

// EnvProxies are the proxies that the environment names, as they are written there.
func EnvProxies(env func(string) (string, bool)) (out []string) {
	for _, name := range []string{"HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "https_proxy"} {
		v, _ := env(name)
		if v != "" && !strings.Contains(v, "://") {
			v = "http://" + v
		}
		if v != "" {
			out = append(out, v)
		}
	}
	return out
}

// Secrets are the texts that nobody may repeat: the values of the headers and what URLs carry beside their address, whole
// and in their parts, each in the forms in which it is written and sent. Users that have a password are apart: such a name
// may be that of a home directory. The longest comes first.
func Secrets(headers map[string]string, urls ...string) (secret, users []string) {
	s := secrets{secret: map[string]bool{}, users: map[string]bool{}}
	for _, value := range headers {
		s.header(value)
		if plain, err := url.PathUnescape(value); err == nil && plain != value {
			s.header(plain) // as a variable has it
		}
	}
	for _, text := range urls {
		s.url(text)
	}
	return longestFirst(slices.Collect(maps.Keys(s.secret))), longestFirst(slices.Collect(maps.Keys(s.users)))
}

type secrets struct{ secret, users map[string]bool }

func (s secrets) add(text string) { addForms(s.secret, text) }

// addForms adds a text in the forms in which it may be written.
func addForms(to map[string]bool, text string) {
	forms := []string{text, url.QueryEscape(text), url.PathEscape(text), strings.Trim(string(stringJSON(nil, text)), `"`)}
	for _, unescape := range []func(string) (string, error){url.QueryUnescape, url.PathUnescape} {
		if plain, err := unescape(text); err == nil {
			forms = append(forms, plain)
		}
	}
	for _, form := range forms {
		if len(form) >= shortSecret {
			to[form] = true
		}
	}
}

// header adds a header's value, its words, and the user and the password that one of these is.
func (s secrets) header(value string) {
	s.add(value)
	for _, part := range strings.FieldsFunc(value, func(r rune) bool { return strings.ContainsRune(" \t,;=", r) }) {
		if strings.EqualFold(part, "bearer") || strings.EqualFold(part, "basic") {
			continue
		}
		s.add(part)
		if pair, ok := basic(part); ok {
			user, password, _ := strings.Cut(pair, ":")
			s.credentials(user, password)
		}
	}
}

// basic is what a word of a header stands for, if it is a user and a password.
func basic(word string) (pair string, ok bool) {
	for _, e := range []*base64.Encoding{base64.RawStdEncoding, base64.RawURLEncoding} {
		b, err := e.DecodeString(word) // without the padding, which is no part of a word
		strange := func(r rune) bool { return r == utf8.RuneError || !unicode.IsPrint(r) }
		if err == nil && strings.Contains(string(b), ":") && !strings.ContainsFunc(string(b), strange) {
			return string(b), true
		}
	}
	return "", false
}

// credentials adds a user and a password, each alone and as they are sent.
func (s secrets) credentials(user, password string) {
	pair := user + ":" + password
	switch {
	case pair == ":":
		return
	case password == "": // a token
		s.add(user)
	default:
		addForms(s.users, user)
	}
	s.add(password)
	s.add(pair)
	for _, e := range []*base64.Encoding{base64.StdEncoding, base64.URLEncoding, base64.RawStdEncoding, base64.RawURLEncoding} {
		s.add(e.EncodeToString([]byte(pair)))
	}
}

// url adds what a URL carries: as it is written, also where it can't be parsed, and as it is meant.
func (s secrets) url(text string) {
	_, rest, ok := strings.Cut(text, "://")
	if !ok {
		return
	}
	authority := rest
	if i := strings.IndexAny(rest, "/?#"); i >= 0 {
		authority = rest[:i]
	}
	if i := strings.LastIndexByte(authority, '@'); i >= 0 {
		s.userinfo(authority[:i])
	} else if i := strings.LastIndexByte(rest, '@'); i >= 0 && !parses(text) {
		s.userinfo(rest[:i]) // a password with a slash in it
	}
	query, _, _ := strings.Cut(rest, "#")
	_, query, _ = strings.Cut(query, "?")
	s.add(query)
	for pair := range strings.FieldsFuncSeq(query, func(r rune) bool { return r == '&' || r == ';' }) {
		value := pair
		if _, v, ok := strings.Cut(pair, "="); ok {
			value = v
		}
		s.add(value)
		if plain, err := url.QueryUnescape(value); err == nil {
			s.add(plain)
		}
	}
}

func parses(text string) bool {
	_, err := url.Parse(text)
	return err == nil
}

// userinfo adds a user and a password that are written in a URL.
func (s secrets) userinfo(text string) {
	s.add(text)
	user, password, _ := strings.Cut(text, ":")
	s.credentials(user, password)
	if plain, err := url.PathUnescape(user); err == nil {
		user = plain
	}
	if plain, err := url.PathUnescape(password); err == nil {
		password = plain
	}
	s.credentials(user, password)
	s.add(url.UserPassword(user, password).String())
}
