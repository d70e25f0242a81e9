package install

import (
	"bytes"
	"encoding/json"
)

// mark is what boathook leaves in files of its own, to know them again even when the manifest is lost.
type mark struct {
	Owner   string `json:"owner"`
	Version string `json:"version"`
	Config  string `json:"config"`
	DataDir string `json:"data_dir"`
	// State is where the manifest is.
	State string `json:"state"`
}

const ownerName = "boathook"

func (p *planner) mark() []byte {
	return compact(mark{Owner: ownerName, Version: p.env.Version, Config: p.plan.Config, DataDir: p.plan.DataDir, State: p.state})
}

func readMark(data []byte) (mark, bool) {
	var m mark
	if json.Unmarshal(data, &m) != nil || m.Owner != ownerName {
		return mark{}, false
	}
	return m, true
}

// compact is v as one line of JSON that keeps <, > and & readable.
func compact(v any) []byte {
	return encode(v, "")
}

// indented is v as JSON over several lines, with a final line break.
func indented(v any) []byte {
	return append(encode(v, "  "), '\n')
}

func encode(v any, indent string) []byte {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", indent)
	_ = enc.Encode(v) // plain data: it can't fail
	return bytes.TrimSuffix(out.Bytes(), []byte("\n"))
}
