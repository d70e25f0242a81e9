package main

import (
	"context"
	"errors"
	"io"
	"net/url"
	"regexp"
	"strings"

	"github.com/boathook/boathook/internal/memory"
	"github.com/boathook/boathook/internal/memory/postgres"
	"github.com/boathook/boathook/internal/memory/remote"
	"github.com/boathook/boathook/internal/version"
)

// serve answers on stdin and stdout until stdin ends.
func serve(ctx context.Context, e env, args []string) int {
	if len(args) > 0 {
		return e.misused("serve takes no arguments: what it serves is said on stdin")
	}
	if e.typed {
		return e.misused("serve is started by boathook, which talks to it on stdin; to look into memory there is 'boathook memory search'")
	}
	service := remote.Service{Version: version.String(), Hide: hide, Open: openPostgres}
	if err := service.Run(ctx, pipes{e.stdin, e.stdout}); err != nil {
		return e.failed(err)
	}
	return exitOK
}

func openPostgres(ctx context.Context, s remote.Settings) (memory.Store, error) {
	store, err := postgres.Open(ctx, postgres.Options{DSN: s.DSN, Tenant: s.Tenant})
	if err != nil {
		return nil, err // not a Store that holds a nil pointer
	}
	return store, nil
}

// pipes are stdin and stdout as one connection.
type pipes struct {
	io.ReadCloser
	out io.WriteCloser
}

func (p pipes) Write(b []byte) (int, error) { return p.out.Write(b) }

func (p pipes) Close() error { return errors.Join(p.out.Close(), p.ReadCloser.Close()) }

// hide takes the connection string and its password out of a text, whoever put them there.
func hide(s remote.Settings, text string) string {
	secrets := []string{s.DSN}
	for _, expr := range []string{
		`://[^:/?#@]*:([^/?#]*)@`, `[?&](?:ssl)?password=([^&#]*)`, `(?:^|\s)(?:ssl)?password\s*=\s*('(?:[^'\\]|\\.)*'|\S+)`,
	} {
		for _, m := range regexp.MustCompile(expr).FindAllStringSubmatch(s.DSN, -1) {
			plain, _ := url.PathUnescape(m[1]) // empty where it is none
			secrets = append(secrets, m[1], strings.Trim(m[1], "'"), plain)
		}
	}
	for _, secret := range secrets {
		if secret != "" {
			text = strings.ReplaceAll(text, secret, "[hidden]")
		}
	}
	return text
}
