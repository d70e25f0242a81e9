package network

import (
	"strings"

	"github.com/boathook/boathook/internal/effect/unit"
	"github.com/boathook/boathook/internal/shellcmd/word"
)

const wgetLong = "post-data= post-file= body-data= body-file= method= header= output-document= output-file= append-output= directory-prefix= user-agent= " +
	"timeout= tries= input-file= user= password= spider execute= accept= reject= wait= level= referer= load-cookies= save-cookies= quiet recursive"

func (s *scan) wget(args []word.Arg) request {
	o := unit.Options(unit.Completed(args, wgetLong), valuedOf(wgetLong)+" O o a P U T t i e A R l w")
	r := request{urls: o.Operands, literal: true, saved: !o.Has("spider")}
	if v, ok := o.Value("O", "output-document"); ok && v.Text == "-" {
		r.saved = false
	}
	if o.Has("O") && len(o.Flags["O"]) > 0 && o.Flags["O"][0].Text == "-" {
		r.saved = false
	}
	if v, ok := o.Value("method"); ok {
		r.method = v.Text
	}
	for _, n := range [...]string{"post-data", "body-data"} {
		for _, v := range o.Flags[n] {
			r.data = true
			s.body(&r, v, "")
		}
	}
	for _, n := range [...]string{"post-file", "body-file"} {
		for _, v := range o.Flags[n] {
			r.data = true
			s.body(&r, v, v.Text)
		}
	}
	for _, v := range o.Flags["header"] {
		if from := s.word(v); (from.env || from.secret) && !authorizes(v.Text) {
			r.data, r.literal = true, false
			r.from.join(from)
		}
	}
	return r
}

// httpie reads METHOD URL ITEM…; the method may be missing, items are name=value, name:=json, name@file, name:header.
func (s *scan) httpie(args []word.Arg) request {
	o := unit.Options(args, "a auth A auth-type p print s style o output session session-read-only timeout verify cert cert-key proxy raw max-redirects B bearer")
	r := request{literal: true, saved: o.Has("o", "output", "d", "download")}
	rest := o.Operands
	if len(rest) > 1 && rest[0].Text != "" && strings.Trim(rest[0].Text, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") == "" {
		r.method, rest = rest[0].Text, rest[1:]
		if !changes(r.method) {
			r.method = ""
		}
	}
	if len(rest) == 0 {
		return request{}
	}
	r.urls, rest = rest[:1], rest[1:]
	if strings.HasPrefix(r.urls[0].Text, ":") {
		r.urls = []word.Arg{word.Lit("localhost" + r.urls[0].Text)}
	}
	for _, v := range o.Flags["raw"] {
		r.data = true
		s.body(&r, v, "")
	}
	for _, a := range rest {
		name, value, has := strings.Cut(a.Text, "@")
		switch {
		case strings.Contains(a.Text, "=="):
			continue
		case has && !strings.ContainsAny(name, "=:"), strings.Contains(a.Text, "=@"):
			r.data = true
			s.body(&r, a, value)
		case strings.Contains(a.Text, "="):
			r.data = true
			s.body(&r, a, "")
		}
	}
	if _, given := s.stdin(); given && !o.Has("ignore-stdin", "I") && (s.Stdin.Text != "" || len(s.Stdin.From) > 0) {
		r.data = true
		s.body(&r, word.Arg{}, "-")
	}
	return r
}

// invoke reads PowerShell's parameters.
func (s *scan) invoke(args []word.Arg) request {
	r := request{literal: true}
	for i := 0; i < len(args); i++ {
		name := strings.ToLower(args[i].Text)
		if !strings.HasPrefix(name, "-") {
			if strings.Contains(name, ".") || strings.Contains(name, "://") {
				r.urls = append(r.urls, args[i])
			}
			continue
		}
		if i+1 >= len(args) {
			break
		}
		v := args[i+1]
		switch name = strings.TrimSuffix(name, ":"); {
		case name == "-uri" || name == "-source":
			r.urls = append(r.urls, v)
		case name == "-method":
			if changes(v.Text) {
				r.method = strings.ToUpper(v.Text)
			}
		case name == "-body" || name == "-form":
			r.data = true
			s.body(&r, v, "")
		case name == "-infile":
			r.upload = true
			s.body(&r, v, v.Text)
		case name == "-outfile" || name == "-destination":
			r.saved = true
		case name == "-usebasicparsing" || name == "-usedefaultcredentials" || name == "-skipcertificatecheck":
			continue
		}
		i++
	}
	return r
}
