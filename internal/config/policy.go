package config

import (
	"errors"
	"io/fs"
	"path/filepath"
	"time"
)

// PolicyName is the file of a policy beside a config.
const PolicyName = "policy.toml"

func (l *loader) policy() Policy {
	mode, source := l.find(known().keys["policy.mode"])
	p := Policy{File: l.policyFile(), AllowOnce: time.Duration(l.number("policy.allow_once_min")) * time.Minute}
	p.Mode, _ = mode.(string)
	p.Fixed = source != "" && source == l.r.Managed
	p.Interactive, _ = l.values["policy.interactive"].([]string)
	if l.r.Managed != "" {
		p.Organisation = filepath.Join(filepath.Dir(l.r.Managed), PolicyName)
	}
	return p
}

// policyFile is the one that is set, else that beside the config. A relative path would be looked for in every project, and a
// repository must not choose the user's policy.
func (l *loader) policyFile() string {
	const key = "policy.file"
	if text := l.text(key); text != "" {
		_, source := l.find(known().keys[key])
		if path, ok := l.absolute(text, source); ok {
			return filepath.Clean(path)
		}
		l.problem(l.said(key) + ": " + key + " is not an absolute path; the one beside the config is used")
	}
	if l.s.Path == "" {
		return ""
	}
	return filepath.Join(filepath.Dir(l.s.Path), PolicyName)
}

// ReadManaged reads an administrator's file beside the managed config, by the same rules. One that is not there is no error.
func ReadManaged(path string) (text []byte, there bool, err error) {
	ok, why := rootOnly(path)
	if !ok {
		if why == "" {
			return nil, false, nil
		}
		return nil, false, errors.New(why)
	}
	s, cut, err := readText(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, false, nil
	}
	if cut {
		err = errTooLong
	}
	return []byte(s), true, err
}

// ReadPolicy reads a user's policy. One that is not there is no error; one that every user may write does not count: it could
// allow what they like.
func ReadPolicy(path string) (text []byte, there bool, err error) {
	f := look(path)
	if !f.There {
		return nil, false, nil
	}
	if shareable(f) {
		return nil, true, errShared
	}
	s, cut, err := readText(path)
	if err == nil && cut {
		err = errTooLong
	}
	return []byte(s), true, err
}

var (
	errTooLong = errors.New("longer than a policy may be (1 MiB)")
	errShared  = errors.New("every user may write it: chmod 600")
)
