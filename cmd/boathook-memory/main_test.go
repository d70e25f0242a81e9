package main

import (
	"bytes"
	"context"
	"io"
	"strings"
	"testing"

	"github.com/boathook/boathook/internal/memory/remote"
	"github.com/boathook/boathook/internal/version"
)

type sink struct{ bytes.Buffer }

func (*sink) Close() error { return nil }

func TestCommands(t *testing.T) {
	for name, tt := range map[string]struct {
		args           []string
		typed          bool
		code           int
		stdout, stderr string
	}{
		"version":          {args: []string{"version"}, stdout: "boathook-memory " + version.String() + "\n"},
		"help":             {args: []string{"--help"}, stdout: "boathook-memory serve"},
		"nothing":          {code: exitUsage, stderr: "boathook-memory serve"},
		"unknown":          {args: []string{"dance"}, code: exitUsage, stderr: `unknown command "dance"`},
		"serve, typed":     {args: []string{"serve"}, typed: true, code: exitUsage, stderr: "boathook memory search"},
		"serve, arguments": {args: []string{"serve", "postgres://h/d"}, code: exitUsage, stderr: "no arguments"},
		"serve, no hello":  {args: []string{"serve"}, code: exitFailed, stderr: "boathook-memory: "},
		"mcp, typed":       {args: []string{"mcp"}, typed: true, code: exitUsage, stderr: "boathook memory search"},
		"mcp, a flag":      {args: []string{"mcp", "--port", "1"}, code: exitUsage, stderr: "port"},
		"mcp, versions":    {args: []string{"mcp", "--of", "v0.0.1"}, code: exitFailed, stderr: "install both"},
		"mcp, help":        {args: []string{"mcp", "-h"}, stdout: "--project DIR"},
	} {
		t.Run(name, func(t *testing.T) {
			var stdout sink
			var stderr bytes.Buffer
			e := env{stdin: io.NopCloser(strings.NewReader("")), stdout: &stdout, stderr: &stderr, typed: tt.typed}
			if code := run(context.Background(), e, tt.args); code != tt.code {
				t.Errorf("code %d, want %d", code, tt.code)
			}
			if !strings.Contains(stdout.String(), tt.stdout) || tt.stdout == "" && stdout.String() != "" {
				t.Errorf("stdout is %q", stdout.String())
			}
			if !strings.Contains(stderr.String(), tt.stderr) || tt.stderr == "" && stderr.String() != "" {
				t.Errorf("stderr is %q", stderr.String())
			}
		})
	}
}

// No error tells the connection string or the password in it.
func TestHide(t *testing.T) {
	for _, dsn := range []string{
		"postgres://u:s3cr%2Fet@h/d", "postgres://u@h/d?password=s3cr/et", "host=h password=s3cr/et user=u", "user=u password='s3cr/et' host=h",
		"password = s3cr/et", "postgres://u:s3cr%2Fet@h:bad/d",
	} {
		text := "connect with " + dsn + ": the password s3cr/et, as s3cr%2Fet, is wrong for u at h"
		got := hide(remote.Settings{DSN: dsn}, text)
		if strings.Contains(got, "s3cr/et") || strings.Contains(got, "s3cr%2Fet") && strings.Contains(dsn, "%2F") || !strings.Contains(got, "is wrong for u at h") {
			t.Errorf("%s: %s", dsn, got)
		}
	}
}
