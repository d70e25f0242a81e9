package network

import (
	"strings"

	"github.com/boathook/boathook/internal/effect/unit"
	"github.com/boathook/boathook/internal/shellcmd/word"
	"github.com/boathook/boathook/policy"
)

// request is one transfer as its options describe it.
type request struct {
	urls   []word.Arg
	method string
	// from is where the data comes from, data that there is any; literal that all of it stands in the text.
	from          source
	data, literal bool
	upload        bool
	// saved says that a file is written.
	saved bool
}

// transfers are the clients of HTTP and their like.
func (s *scan) transfers(name string, args []word.Arg) {
	var r request
	switch name {
	case "curl", "curlie", "wcurl":
		r = s.curl(args)
	case "wget", "wget2":
		r = s.wget(args)
	case "http", "https", "xh", "xhs":
		r = s.httpie(args)
	case "aria2c", "axel", "lynx", "w3m", "links", "elinks", "yt-dlp", "youtube-dl", "fetch", "lwp-request", "GET", "ftp", "lftp", "ncftpget", "hurl":
		o := unit.Options(args, "o d x s j out dir n m e f i input-file")
		r = request{urls: o.Operands, saved: name == "aria2c" || name == "axel"}
		if v, ok := o.Value("e"); ok && (strings.Contains(v.Text, "put ") || strings.Contains(v.Text, "mirror -R")) {
			r.data, r.from.file, r.upload = true, true, true
		}
	case "Invoke-WebRequest", "Invoke-RestMethod", "Start-BitsTransfer":
		r = s.invoke(args)
	case "mshta", "regsvr32", "rundll32", "msiexec":
		for _, a := range args { // they run what the address gives, or the text itself
			if _, url, ok := strings.Cut(a.Text, "://"); ok && url != "" || strings.HasPrefix(strings.ToLower(a.Text), "javascript:") {
				s.add(policy.DownloadRun, "code", a.Text)
			}
		}
		return
	case "certutil", "bitsadmin":
		for _, a := range args {
			if strings.Contains(a.Text, "://") {
				r.urls, r.saved = append(r.urls, a), true
			}
		}
	default:
		return
	}
	s.report(r)
}

// report turns a request into effects.
func (s *scan) report(r request) {
	const most = 100
	for i, a := range r.urls {
		if i == most {
			break
		}
		if file, ok := strings.CutPrefix(a.Text, "file://"); ok {
			a.Text = strings.TrimPrefix(file, "localhost")
			s.readAs(a, false)
			continue
		}
		host := hostOf(a.Text)
		flags := nearFlags(host)
		if metadata(host) {
			s.add(policy.ReadSecret, "cloud-metadata", a.Text)
		}
		if !known(a.Text) || a.Many {
			flags = append(flags, "dynamic-url")
		}
		inURL := s.word(a)
		switch {
		case r.data, r.upload, changes(r.method):
			flags = append(flags, r.from.flags()...)
			if r.literal {
				flags = append(flags, "literal")
			}
			s.add(policy.Send, r.verb(), a.Text, append(flags, inURL.flags()...)...)
		case inURL.secret, inURL.env, inURL.file && inURL.packed:
			s.add(policy.Send, "query", a.Text, append(flags, inURL.flags()...)...)
		default:
			if r.saved {
				flags = append(flags, "saved")
			}
			s.add(policy.Fetch, "get", a.Text, flags...)
		}
	}
}

func (r request) verb() string {
	switch {
	case changes(r.method):
		return strings.ToLower(r.method)
	case r.upload:
		return "upload"
	}
	return "post"
}

func changes(method string) bool {
	switch strings.ToUpper(method) {
	case "POST", "PUT", "PATCH", "DELETE":
		return true
	}
	return false
}

const curlLong = "data= data-raw= data-binary= data-urlencode= data-ascii= json= form= form-string= upload-file= request= url= url-query= get header= output= " +
	"output-dir= user= user-agent= referer= cookie= cookie-jar= proxy= max-time= connect-timeout= retry= write-out= config= cacert= cert= key= resolve= " +
	"range= interface= dump-header= trace= stderr= variable= expand-data= expand-url= proxy-user= unix-socket= limit-rate= retry-delay= retry-max-time= " +
	"max-redirs= oauth2-bearer= aws-sigv4= mail-from= mail-rcpt= quote= socks5= socks5-hostname= connect-to= ciphers= netrc-file= remote-name fail silent show-error location"

const curlShort = "d F T X H o u A e b c x m w K r E D C Y y z Q t P h U"

func (s *scan) curl(args []word.Arg) request {
	o := unit.Options(unit.Completed(args, curlLong), valuedOf(curlLong)+" "+curlShort)
	r := request{urls: append(o.Operands, o.Flags["url"]...), literal: true, saved: o.Has("o", "O", "output", "remote-name", "J")}
	if v, ok := o.Value("o", "output"); ok && v.Text == "-" {
		r.saved = false
	}
	if v, ok := o.Value("X", "request"); ok {
		r.method = v.Text
	}
	if v, ok := o.Value("h", "help"); ok && v.Text == "" {
		return request{}
	}
	for _, n := range [...]string{"d", "data", "data-binary", "data-ascii", "json", "data-urlencode", "data-raw", "form-string", "expand-data", "url-query"} {
		for _, v := range o.Flags[n] {
			r.data = true
			s.body(&r, v, fileOf(n, v.Text))
		}
	}
	for _, n := range [...]string{"F", "form"} {
		for _, v := range o.Flags[n] {
			r.data = true
			_, file, _ := strings.Cut(v.Text, "=")
			if file, _, _ = strings.Cut(file, ";"); len(file) > 1 && (file[0] == '@' || file[0] == '<') {
				s.body(&r, v, file[1:])
			} else {
				s.body(&r, v, "")
			}
		}
	}
	for _, n := range [...]string{"T", "upload-file"} {
		for _, v := range o.Flags[n] {
			r.upload = true
			s.body(&r, v, v.Text)
		}
	}
	s.headers(&r, o)
	return r
}

// fileOf is the file that the value of an option for data names.
func fileOf(option, value string) string {
	name, file, has := strings.Cut(value, "@")
	switch option {
	case "data-raw", "form-string":
		return ""
	case "data-urlencode", "url-query":
		if !has || strings.Contains(name, "=") { // name=value@x
			return ""
		}
		return file
	}
	if !has || name != "" {
		return ""
	}
	return file
}

// headers looks for secrets in headers that are read there from files: a credential of the service itself is usual and goes unseen.
func (s *scan) headers(r *request, o unit.Opts) {
	for _, n := range [...]string{"H", "header", "b", "cookie", "A", "user-agent", "e", "referer"} {
		for _, v := range o.Flags[n] {
			from := s.word(v)
			file, isFile := strings.CutPrefix(v.Text, "@")
			if isFile {
				if _, hidden := s.secretPath(word.Lit(file)); hidden {
					from.secret = true
				}
			}
			if (from.env || from.secret) && !authorizes(v.Text) {
				r.data, r.literal = true, false
				r.from.join(from)
			}
		}
	}
}

// authorizes tells headers that carry a credential by their purpose.
func authorizes(header string) bool {
	name, _, _ := strings.Cut(strings.ToLower(header), ":")
	return strings.Contains(name, "auth") || strings.Contains(name, "token") || strings.Contains(name, "key") || strings.Contains(name, "cookie")
}

// body notes one part of what is sent: a file, the input (-), or the text itself.
func (s *scan) body(r *request, v word.Arg, file string) {
	switch {
	case file == "-" || file == "." || file == "/dev/stdin":
		from, given := s.stdin()
		r.from.join(from)
		if !given || !s.Stdin.Known() {
			r.literal = false
		}
		if given && !from.file && !from.secret && !s.Stdin.Known() && !s.computed() {
			r.from.file = true
		}
	case file != "":
		r.literal = false
		a := v
		a.Text = file
		_, hidden := s.secretPath(a)
		from := s.word(v) // <(…)
		from.file = true
		from.secret = from.secret || hidden
		r.from.join(from)
	default:
		r.literal = r.literal && v.Known()
		r.from.join(s.word(v))
	}
}

// computed tells whether the input comes from commands that this package knows to read no file: jq -n, date.
func (s *scan) computed() bool { return len(s.Stdin.From) > 0 }

// valuedOf are the long options with a value, without their =.
func valuedOf(long string) string {
	var b strings.Builder
	for n := range strings.FieldsSeq(long) {
		if v, ok := strings.CutSuffix(n, "="); ok {
			b.WriteString(v)
			b.WriteByte(' ')
		}
	}
	return b.String()
}
