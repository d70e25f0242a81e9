package conform

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/boathook/boathook/itest/build"
)

// Proof is what runs have shown of one agent, as internal/proof/verified.json has it. The names are written out here, since
// they are what `boathook hosts` goes by.
type Proof struct {
	Version string `json:"version"`
	Date    string `json:"date"`
	How     string `json:"how"`
	Shown   Shown  `json:"shown"`
}

// Shown names the agent's events at which a thing was seen to work.
type Shown struct {
	Events    []string `json:"events"`
	Deny      []string `json:"deny,omitempty"`
	Allow     []string `json:"allow,omitempty"`
	Ask       []string `json:"ask,omitempty"`
	Rewrite   []string `json:"rewrite,omitempty"`
	Context   []string `json:"context,omitempty"`
	Reason    []string `json:"reason,omitempty"`
	Gone      bool     `json:"gone,omitempty"`
	Uninstall bool     `json:"uninstall,omitempty"`
}

// add puts an event into one of the lists, once, in order.
func add(list *[]string, event string) {
	if !slices.Contains(*list, event) {
		*list = append(*list, event)
		slices.Sort(*list)
	}
}

func proofPath() (string, error) {
	root, err := build.Root()
	if err != nil {
		return "", err
	}
	return filepath.Join(root, "internal", "proof", "verified.json"), nil
}

// ReadProofs is the file as it stands, by agent.
func ReadProofs() (map[string]Proof, error) {
	path, err := proofPath()
	if err != nil {
		return nil, err
	}
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("read what was shown: %w", err)
	}
	proofs := map[string]Proof{}
	if err := json.Unmarshal(b, &proofs); err != nil {
		return nil, fmt.Errorf("read %s: %w", path, err)
	}
	return proofs, nil
}

// WriteProofs replaces what the file says of some agents.
func WriteProofs(seen map[string]Proof) error {
	all, err := ReadProofs()
	if err != nil {
		return err
	}
	for id, p := range seen {
		all[id] = p
	}
	b, err := json.MarshalIndent(all, "", "  ")
	if err != nil {
		return fmt.Errorf("write what was shown: %w", err)
	}
	path, err := proofPath()
	if err != nil {
		return err
	}
	return os.WriteFile(path, append(b, '\n'), 0o644)
}
