package produce

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"strings"

	"github.com/boathook/boathook/internal/shellcmd/word"
)

// codecs are the commands that encode and decode.
func codecs(name string, c word.Command) (string, bool) {
	args := c.Argv[1:]
	switch name {
	case "base64", "gbase64", "basenc", "b64":
		f := parse(args, "w wrap b i o")
		if name == "basenc" {
			return basenc(c, f)
		}
		in := input(c, f.rest)
		if v, ok := f.get("i"); ok && v != "" {
			in = input(c, word.Lits(v))
		}
		if f.has("d", "D", "decode") {
			return known(in, decode64), true
		}
		return known(in, encode64), true
	case "base32", "gbase32":
		f := parse(args, "w wrap")
		return base32Text(input(c, f.rest), f.has("d", "D", "decode")), true
	case "xxd":
		return xxd(c, parse(args, "c l s o n g")), true
	case "openssl":
		return openssl(c)
	case "gunzip", "zcat", "gzip", "gzcat":
		return gunzip(name, c), true
	case "uudecode", "zstd", "zstdcat", "xz", "xzcat", "unxz", "bzip2", "bzcat", "bunzip2", "lz4", "lzma", "gpg", "age", "jq", "yq", "curl", "wget":
		return "", false
	}
	return "", false
}

// known applies a codec where all of its input is known.
func known(in string, f func(string) (string, bool)) string {
	if uncertain(in) {
		return word.Unknown
	}
	if len(in) > limit {
		return word.Unknown
	}
	out, ok := f(in)
	if !ok {
		return out + word.Unknown
	}
	return out
}

// blanks drops white space.
func blanks(s string) string {
	if !strings.ContainsAny(s, " \t\r\n") {
		return s
	}
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(" \t\r\n", r) {
			return -1
		}
		return r
	}, s)
}

// decode64 decodes as coreutils does: the part before an error comes out all the same.
func decode64(s string) (string, bool) {
	s = blanks(s)
	out, err := base64.StdEncoding.DecodeString(s)
	if err != nil && len(s)%4 != 0 {
		if more, err := base64.RawStdEncoding.DecodeString(strings.TrimRight(s, "=")); err == nil {
			return string(more), true
		}
	}
	return string(out), err == nil
}

func encode64(s string) (string, bool) {
	return wrap76(base64.StdEncoding.EncodeToString([]byte(s))), true
}

// wrap76 breaks lines as base64 does.
func wrap76(s string) string {
	var b strings.Builder
	for len(s) > 76 {
		b.WriteString(s[:76])
		b.WriteByte('\n')
		s = s[76:]
	}
	b.WriteString(s)
	b.WriteByte('\n')
	return b.String()
}

// base32Text decodes by hand: the library's package costs every start of the hook. What is encoded nobody runs.
func base32Text(in string, decode bool) string {
	if !decode {
		return word.Unknown
	}
	return known(in, func(s string) (string, bool) {
		var b strings.Builder
		bits, n := 0, 0
		for _, ch := range []byte(strings.TrimRight(blanks(s), "=")) {
			v := strings.IndexByte("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", ch)
			if v < 0 {
				return b.String(), false
			}
			bits, n = bits<<5|v, n+5
			if n >= 8 {
				n -= 8
				b.WriteByte(byte(bits >> n))
				bits &= 1<<n - 1
			}
		}
		return b.String(), true
	})
}

// basenc names its code by an option.
func basenc(c word.Command, f flags) (string, bool) {
	in := input(c, f.rest)
	decode := f.has("d", "D", "decode")
	switch {
	case f.has("base64") && decode:
		return known(in, decode64), true
	case f.has("base64"):
		return known(in, encode64), true
	case f.has("base32"):
		return base32Text(in, decode), true
	case f.has("base16") && decode:
		return known(in, unhex), true
	case f.has("base64url") && decode:
		return known(strings.NewReplacer("-", "+", "_", "/").Replace(in), decode64), true
	}
	return word.Unknown, true
}

// unhex reads pairs of hex digits and skips all else.
func unhex(s string) (string, bool) {
	var b strings.Builder
	for i := 0; i+1 < len(s); i++ {
		if digit(s[i]) < 16 && digit(s[i+1]) < 16 {
			b.WriteByte(byte(digit(s[i])<<4 | digit(s[i+1])))
			i++
		}
	}
	return b.String(), true
}

// xxd dumps (-p) and reads dumps (-r, -r -p).
func xxd(c word.Command, f flags) string {
	in := input(c, f.rest)
	plain := f.has("p", "ps", "plain", "postscript")
	switch {
	case f.has("r", "revert") && plain:
		return known(in, unhex)
	case f.has("r", "revert"):
		return known(in, func(s string) (string, bool) {
			var b strings.Builder
			for _, l := range lines(s) {
				_, l, _ = strings.Cut(l, ":")
				l, _, _ = strings.Cut(l, "  ")
				t, _ := unhex(l)
				b.WriteString(t)
			}
			return b.String(), true
		})
	case plain:
		return known(in, func(s string) (string, bool) {
			var b strings.Builder
			for len(s) > 0 {
				n := min(30, len(s))
				b.WriteString(hex.EncodeToString([]byte(s[:n])))
				b.WriteByte('\n')
				s = s[n:]
			}
			return b.String(), true
		})
	}
	return word.Unknown
}

// openssl knows base64 and enc -base64.
func openssl(c word.Command) (string, bool) {
	if len(c.Argv) < 2 {
		return "", false
	}
	base64 := c.Argv[1].Text == "base64"
	decode := false
	files := c.Argv[:0:0]
	if !base64 && c.Argv[1].Text != "enc" {
		return "", false
	}
	for i := 2; i < len(c.Argv); i++ {
		switch c.Argv[i].Text {
		case "-d":
			decode = true
		case "-base64", "-a":
			base64 = true
		case "-A", "-e":
		case "-in":
			if i+1 < len(c.Argv) {
				i++
				files = append(files, c.Argv[i])
			}
		default:
			return word.Unknown, true
		}
	}
	switch {
	case !base64:
		return word.Unknown, true
	case decode:
		return known(input(c, files), decode64), true
	}
	return known(input(c, files), encode64), true
}

// gunzip decompresses what is known. The program itself compresses, to text that nobody runs.
func gunzip(name string, c word.Command) string {
	f := parse(c.Argv[1:], "S suffix")
	if name == "gzip" && !f.has("d", "decompress", "uncompress") {
		return word.Unknown
	}
	return known(input(c, f.rest), func(s string) (string, bool) { return inflate(bytes.NewReader([]byte(s))) })
}
