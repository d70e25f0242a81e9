package doctor

import (
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/boathook/boathook/internal/config"
	"github.com/boathook/boathook/internal/paths"
)

const hidden = "********"

// minSecret is how long a value must be to be hidden wherever it stands: a shorter one would take letters out of words.
const minSecret = 4

// secretsOf collects what must not be shown: the values of secret settings, in force or only in the environment, and what
// URLs carry beside their address.
func secretsOf(env paths.Lookup, s config.Settings) []string {
	var out []string
	add := func(values ...string) {
		for _, v := range values {
			if len(v) >= minSecret {
				out = append(out, v, url.QueryEscape(v), url.PathEscape(v))
			}
		}
	}
	add(s.Guard.Token)
	for _, v := range s.Telemetry.Headers {
		add(v)
		if _, credentials, ok := strings.Cut(v, " "); ok {
			add(credentials) // "Bearer …"
		}
	}
	for _, text := range []string{s.Guard.Endpoint, s.Guard.Proxy, s.Telemetry.Endpoint, s.Telemetry.MetricsEndpoint, s.Telemetry.Proxy} {
		add(inURL(text)...)
	}
	for _, k := range config.Keys() {
		for _, name := range k.Env {
			v := ""
			if env != nil {
				v, _ = env(name.Name)
			}
			if k.Secret {
				add(v)
				for pair := range strings.SplitSeq(v, ",") {
					_, value, _ := strings.Cut(pair, "=")
					add(strings.TrimSpace(value))
				}
			}
			add(inURL(v)...)
		}
	}
	slices.SortFunc(out, func(a, b string) int { return len(b) - len(a) })
	return slices.Compact(out)
}

// inURL are the secrets of a URL: who logs in, and every value of its query.
func inURL(text string) []string {
	if !strings.Contains(text, "://") {
		return nil
	}
	var out []string
	_, rest, _ := strings.Cut(text, "://")
	if userinfo, _, ok := strings.Cut(rest, "@"); ok {
		user, password, _ := strings.Cut(userinfo, ":")
		out = append(out, userinfo, password)
		if password == "" {
			out = append(out, user)
		}
	}
	u, err := url.Parse(text)
	if err != nil {
		return out
	}
	if password, ok := u.User.Password(); ok {
		out = append(out, password)
	}
	for _, values := range u.Query() {
		out = append(out, values...)
	}
	return out
}

// Address is a URL as it may be shown: where it leads to, and nothing that it carries.
func Address(text string) string {
	u, err := url.Parse(text)
	if err != nil || u.Host == "" {
		return "(not a URL)"
	}
	u.User, u.RawQuery, u.Fragment, u.ForceQuery = nil, "", "", false
	return u.String()
}

// hide takes the known secrets out of a text.
func (w *World) hide(text string) string {
	for _, s := range w.secrets {
		text = strings.ReplaceAll(text, s, hidden)
	}
	return userinfo().ReplaceAllString(text, "${1}"+hidden+"@")
}

var userinfo = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(://)[^\s/"'@]+@`) })

// Foreign is a text that others wrote (a log line, a server's message) as it may be shown: masked, and not too long.
func (w *World) Foreign(text string) string {
	const most = 300
	text = w.masks.Text(w.hide(strings.TrimSpace(text)), true, map[string]int{})
	if len(text) > most {
		text = strings.ToValidUTF8(text[:most], "") + "…"
	}
	return text
}

// changed are the settings that differ from the default, as they may be shown.
func (w *World) changed() []config.Value {
	var out []config.Value
	for i, v := range w.settings() {
		if !w.Settings.Defaults(w.Settings.Values[i], w.Install.Home, w.Install.Lookup) {
			out = append(out, v)
		}
	}
	return out
}

// settings are all values with their sources, as they may be shown.
func (w *World) settings() []config.Value {
	out := slices.Clone(w.Settings.Values)
	for i, v := range out {
		switch {
		case strings.Contains(v.Value, "://"):
			out[i].Value = Address(v.Value)
		case v.Key == "redact.allow" && v.Value != "":
			out[i].Value = "(set)" // what is never masked may be a secret all the same
		case v.Key == "redact.patterns", v.Key == "telemetry.headers", v.Key == "telemetry.resource":
			// names alone
		}
		out[i].Value = w.hide(out[i].Value)
	}
	return out
}
