package judge

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/boathook/boathook/internal/ownfile"
)

// maxTrust bounds the list of trusted policies.
const maxTrust = 1 << 20

// TrustedFile is one project's policy that a person trusts: this content at this place, and no other.
type TrustedFile struct {
	Hash, Path string
}

// TrustFile is where a data directory has the list of trusted policies.
func TrustFile(dataDir string) string { return filepath.Join(dataDir, "policy", "trusted") }

// Hash names a policy's content.
func Hash(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// Trusted tells whether a person trusts this content at this place. A list that cannot be read trusts nothing.
func Trusted(dataDir, path string, text []byte) bool {
	list, err := ListTrusted(dataDir)
	if err != nil {
		return false
	}
	hash := Hash(text)
	for _, t := range list {
		if t.Path == path && t.Hash == hash {
			return true
		}
	}
	return false
}

// ListTrusted reads the list: a line each, the hash and the path. No list is an empty one.
func ListTrusted(dataDir string) ([]TrustedFile, error) {
	if dataDir == "" {
		return nil, nil
	}
	path := TrustFile(dataDir)
	text, err := ownfile.Read(path, filepath.Dir(path), maxTrust)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read the trusted policies: %w", err)
	}
	var out []TrustedFile
	for line := range strings.Lines(string(text)) {
		hash, path, ok := strings.Cut(strings.TrimRight(line, "\r\n"), " ")
		if ok && len(hash) == 2*sha256.Size && path != "" {
			out = append(out, TrustedFile{Hash: hash, Path: path})
		}
	}
	return out, nil
}

// Trust adds a policy's content at its place, instead of any that was trusted there before.
func Trust(dataDir, path string, text []byte) error {
	if strings.ContainsAny(path, "\r\n") {
		return errors.New("trust a policy: its path has a line break")
	}
	return rewriteTrust(dataDir, path, &TrustedFile{Hash: Hash(text), Path: path})
}

// Untrust forgets what was trusted at a place; it tells whether there was any.
func Untrust(dataDir, path string) (bool, error) {
	list, err := ListTrusted(dataDir)
	if err != nil {
		return false, err
	}
	for _, t := range list {
		if t.Path == path {
			return true, rewriteTrust(dataDir, path, nil)
		}
	}
	return false, nil
}

func rewriteTrust(dataDir, path string, add *TrustedFile) error {
	list, err := ListTrusted(dataDir)
	if err != nil {
		return err
	}
	var text strings.Builder
	for _, t := range list {
		if t.Path != path {
			text.WriteString(t.Hash + " " + t.Path + "\n")
		}
	}
	if add != nil {
		text.WriteString(add.Hash + " " + add.Path + "\n")
	}
	if err := ownfile.Replace(TrustFile(dataDir), []byte(text.String())); err != nil {
		return fmt.Errorf("write the trusted policies: %w", err)
	}
	return nil
}
