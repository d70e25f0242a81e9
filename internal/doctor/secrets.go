package doctor

import (
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/boathook/boathook/internal/config"
	"github.com/boathook/boathook/internal/otlp"
	"github.com/boathook/boathook/internal/paths"
)

const hidden = "********"

// secretsOf collects what must not be shown: the values of secret settings, in force or only in the environment, and what
// URLs carry beside their address, also those of proxies that only the environment names.
func secretsOf(env paths.Lookup, s config.Settings) []string {
	if env == nil {
		env = func(string) (string, bool) { return "", false }
	}
	values := map[string]string{}
	add := func(v string) { values[strconv.Itoa(len(values))] = v }
	for _, v := range s.Secrets() {
		add(v)
	}
	urls := []string{s.Memory.DSN, s.LLM.BaseURL, s.LLM.Proxy, s.Guard.Endpoint, s.Guard.Proxy, s.Telemetry.Endpoint, s.Telemetry.MetricsEndpoint, s.Telemetry.Proxy}
	urls = append(urls, otlp.EnvProxies(env)...)
	for _, k := range config.Keys() {
		for _, name := range k.Env {
			v, _ := env(name.Name)
			urls = append(urls, v)
			if !k.Secret {
				continue
			}
			values[strconv.Itoa(len(values))] = v
			for pair := range strings.SplitSeq(v, ",") {
				_, value, _ := strings.Cut(pair, "=")
				add(strings.TrimSpace(value))
			}
		}
	}
	secret, _ := otlp.Secrets(values, urls...) // the name of a proxy's user is often that of the home directory
	return secret
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
