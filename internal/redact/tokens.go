package redact

import (
	"strings"
	"sync"
)

// tokenRule is a secret that names itself by a prefix.
type tokenRule struct {
	prefix string
	typ    string
	set    *charset
	min    int               // bytes after the prefix, at least
	exact  bool              // exactly min bytes, then no letter or digit
	check  func(string) bool // a further look at what follows the prefix
	whole  bool              // not behind a dash: a part of a hyphenated name
}

// tokenRules is ordered: of two rules with a common prefix the longer comes first.
var tokenRules = sync.OnceValue(func() []tokenRule {
	c := sets()
	rules := []tokenRule{
		{prefix: "sk-ant-", whole: true, typ: "anthropic_key", set: c.url, min: 16},
		{prefix: "sk-proj-", whole: true, typ: "openai_key", set: c.url, min: 16, check: mixed},
		{prefix: "sk-svcacct-", whole: true, typ: "openai_key", set: c.url, min: 16, check: mixed},
		{prefix: "sk-admin-", whole: true, typ: "openai_key", set: c.url, min: 16, check: mixed},
		{prefix: "sk-", whole: true, typ: "openai_key", set: c.url, min: 20, check: longRun},
		{prefix: "AIza", typ: "gcp_api_key", set: c.url, min: 30},
		{prefix: "GOCSPX-", typ: "gcp_oauth_secret", set: c.url, min: 20},
		{prefix: "ya29.", typ: "gcp_oauth_token", set: c.dotted, min: 20, check: mixed},
		{prefix: "1//0", typ: "gcp_oauth_token", set: c.url, min: 30, check: mixed},
		{prefix: "github_pat_", typ: "github_token", set: c.word, min: 20},
		{prefix: "PMAK-", typ: "postman_key", set: c.url, min: 40, check: mixed},
		{prefix: "xapp-", typ: "slack_token", set: c.url, min: 20, check: mixed},
		{prefix: "npm_", typ: "npm_token", set: c.alnum, min: 30},
		{prefix: "pypi-", typ: "pypi_token", set: c.url, min: 40, check: mixed},
		{prefix: "hf_", typ: "huggingface_token", set: c.alnum, min: 30},
		{prefix: "SG.", typ: "sendgrid_key", set: c.dotted, min: 40, check: hasDot},
		{prefix: "whsec_", typ: "stripe_key", set: c.base64, min: 20},
		{prefix: "SK", typ: "twilio_key", set: c.hex, min: 32, exact: true, check: lowerHex},
		{prefix: "dapi", typ: "databricks_token", set: c.hex, min: 32, exact: true},
		{prefix: "dckr_pat_", typ: "docker_token", set: c.url, min: 20},
		{prefix: "hvs.", typ: "vault_token", set: c.url, min: 20},
		{prefix: "hvb.", typ: "vault_token", set: c.url, min: 20},
		{prefix: "ATATT3", typ: "atlassian_token", set: c.bearer, min: 40},
		{prefix: "lin_api_", typ: "linear_key", set: c.alnum, min: 30},
		{prefix: "ntn_", typ: "notion_token", set: c.alnum, min: 40},
		{prefix: "glsa_", typ: "grafana_token", set: c.word, min: 32},
		{prefix: "sntrys_", typ: "sentry_token", set: c.bearer, min: 40},
		{prefix: "rubygems_", typ: "rubygems_key", set: c.hex, min: 40},
		{prefix: "gsk_", typ: "groq_key", set: c.alnum, min: 40},
		{prefix: "xai-", typ: "xai_key", set: c.alnum, min: 40},
		{prefix: "r8_", typ: "replicate_token", set: c.alnum, min: 36},
		{prefix: "pplx-", typ: "perplexity_key", set: c.alnum, min: 40},
		{prefix: "sbp_", typ: "supabase_token", set: c.hex, min: 40},
		{prefix: "figd_", typ: "figma_token", set: c.url, min: 30},
		{prefix: "AGE-SECRET-KEY-1", typ: "age_key", set: c.upper, min: 40},
	}
	return append(rules, tokenFamilies(c)...)
})

// tokenFamilies are the vendors with many prefixes for one shape.
func tokenFamilies(c charsets) (rules []tokenRule) {
	for _, p := range []string{"AKIA", "ASIA", "ABIA", "ACCA"} {
		rules = append(rules, tokenRule{prefix: p, typ: "aws_access_key", set: c.upper, min: 16, exact: true})
	}
	for _, p := range []string{"ghp_", "gho_", "ghu_", "ghs_", "ghr_"} {
		rules = append(rules, tokenRule{prefix: p, typ: "github_token", set: c.alnum, min: 20})
	}
	for _, p := range []string{"glpat-", "gldt-", "glrt-", "glptt-", "glcbt-", "glagent-", "gloas-", "glsoat-", "glft-"} {
		rules = append(rules, tokenRule{prefix: p, typ: "gitlab_token", set: c.dotted, min: 18})
	}
	for _, p := range []string{"xoxa-", "xoxb-", "xoxc-", "xoxd-", "xoxe-", "xoxe.", "xoxo-", "xoxp-", "xoxr-", "xoxs-"} {
		rules = append(rules, tokenRule{prefix: p, typ: "slack_token", set: c.dotted, min: 10})
	}
	for _, p := range []string{"sk_live_", "sk_test_", "rk_live_", "rk_test_", "sk_prod_", "rk_prod_"} {
		rules = append(rules, tokenRule{prefix: p, typ: "stripe_key", set: c.alnum, min: 10})
	}
	for _, p := range []string{"dop_v1_", "doo_v1_", "dor_v1_"} {
		rules = append(rules, tokenRule{prefix: p, typ: "digitalocean_token", set: c.hex, min: 40})
	}
	for _, p := range []string{"shpat_", "shpca_", "shppa_", "shpss_"} {
		rules = append(rules, tokenRule{prefix: p, typ: "shopify_token", set: c.hex, min: 32})
	}
	return rules
}

// rulesByByte is the table that the scan consults at the start of each word.
var rulesByByte = sync.OnceValue(func() *[256][]tokenRule {
	var t [256][]tokenRule
	for _, rule := range tokenRules() {
		t[rule.prefix[0]] = append(t[rule.prefix[0]], rule)
	}
	return &t
})

// maxToken is how much of a token is judged; what matches is masked to its end.
const maxToken = 96

// token matches a self-naming secret at i. It reads to the end of the secret,
// however long.
func (sc *scanner) token(i int) (span, bool) {
	rules := sc.rules[sc.s[i]]
	for k := range rules {
		if strings.HasPrefix(sc.s[i:], rules[k].prefix) {
			if hit, ok := sc.ruleAt(&rules[k], i); ok {
				return hit, true
			}
		}
	}
	return span{}, false
}

func (sc *scanner) ruleAt(rule *tokenRule, i int) (span, bool) {
	s, from := sc.s, i+len(rule.prefix)
	if rule.whole && i > 0 && (s[i-1] == '-' || s[i-1] == '_') {
		return span{}, false
	}
	end := sc.runEnd(rule.set, from)
	if rule.exact && (end > from+rule.min || end < len(s) && isAlnum(s[end])) {
		return span{}, false
	}
	for end > from && s[end-1] == '.' { // the full stop of a sentence
		end--
	}
	if end-from < rule.min {
		return span{}, false
	}
	body := s[from:min(end, from+maxToken)]
	sc.steps += len(body)
	if onlyX(body) || rule.check != nil && !rule.check(body) {
		return span{}, false
	}
	return span{i, end, rule.typ}, true
}

// jwt matches header.payload[.signature]; the header of every JWT starts with
// an encoded '{"'.
func (sc *scanner) jwt(i int) (span, bool) {
	s, url := sc.s, sc.sets.url
	if i < sc.noJWT || !strings.HasPrefix(s[i:], "eyJ") {
		return span{}, false
	}
	end := i
	for parts := 0; ; {
		next := sc.runEnd(url, end)
		if next-end < 8 && parts < 2 {
			sc.noJWT = max(sc.noJWT, next)
			return span{}, false
		}
		end = next
		parts++
		if parts == 5 || end+1 >= len(s) || s[end] != '.' || !url[s[end+1]] {
			if parts < 2 {
				sc.noJWT = max(sc.noJWT, end)
			}
			return span{i, end, "jwt"}, parts >= 2
		}
		end++
	}
}

func mixed(body string) bool {
	k := kindsOf(body)
	return k.digit && k.letter() || len(body) >= 40 && k.lower && k.upper
}

// longRun tells a key from a hyphenated name such as a style class.
func longRun(body string) bool {
	for from, i := 0, 0; i <= len(body); i++ {
		if i < len(body) && body[i] != '-' && body[i] != '_' {
			continue
		}
		if n := i - from; n >= 32 || n >= 16 && mixed(body[from:i]) {
			return true
		}
		from = i + 1
	}
	return false
}

func hasDot(body string) bool { return strings.Contains(body, ".") && mixed(body) }

func lowerHex(body string) bool { return !kindsOf(body).upper && kindsOf(body).digit }

func onlyX(body string) bool { return strings.Trim(body, "xX-_.*") == "" }
