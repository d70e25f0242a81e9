package otlp

import (
	"encoding/json"
	"mime"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// partialSuccess reads an ExportTraceServiceResponse or ExportMetricsServiceResponse, whose forms are the same but for a
// name. What can't be read is a success.
func partialSuccess(contentType string, body []byte) (rejected int64, message string) {
	if isType(contentType, JSON) {
		var in struct {
			PartialSuccess struct {
				Spans   intOfJSON `json:"rejectedSpans"`
				Points  intOfJSON `json:"rejectedDataPoints"`
				Message string    `json:"errorMessage"`
			} `json:"partialSuccess"`
		}
		if json.Unmarshal(body, &in) != nil {
			return 0, ""
		}
		return int64(max(in.PartialSuccess.Spans, in.PartialSuccess.Points)), in.PartialSuccess.Message
	}
	if contentType != "" && !isType(contentType, Protobuf) {
		return 0, ""
	}
	err := eachField(body, func(f field) error {
		if f.num != 1 {
			return nil
		}
		return f.message(func(f field) (err error) {
			switch f.num {
			case 1:
				rejected = int64(f.n)
				return f.want(typeVarint)
			case 2:
				message, err = f.text()
			}
			return err
		})
	})
	if err != nil {
		return 0, ""
	}
	return rejected, message
}

// problemOf is what the destination says is wrong: the message of a google.rpc.Status, or plain text.
func problemOf(contentType string, body []byte) (text string) {
	switch {
	case isType(contentType, Protobuf):
		_ = eachField(body, func(f field) (err error) {
			if f.num == 2 {
				text, err = f.text()
			}
			return err
		})
	case isType(contentType, JSON):
		var in struct {
			Message string          `json:"message"`
			Error   json.RawMessage `json:"error"`
		}
		if json.Unmarshal(body, &in) != nil {
			return ""
		}
		if text = in.Message; text == "" {
			_ = json.Unmarshal(in.Error, &text) // where it is a text
		}
	case isType(contentType, "text/plain"):
		text = string(body)
	}
	return text
}

func isType(contentType, want string) bool {
	media, _, _ := mime.ParseMediaType(contentType)
	return media == want
}

// maxMessage bounds a message, in bytes.
const maxMessage = 300

// clean makes a message of what may come from outside: one line of plain text, bounded, without the secrets of this
// client, whoever repeats them.
func (c *Client) clean(text string) string {
	if len(text) > maxAnswer {
		text = text[:maxAnswer]
	}
	// Twice: what stood between the words of a secret may have become a space.
	text = c.secrets.Replace(oneLine(c.secrets.Replace(text)))
	if len(text) <= maxMessage {
		return text
	}
	text = text[:maxMessage-len("…")]
	for !utf8.ValidString(text) {
		text = text[:len(text)-1]
	}
	return text + "…"
}

// oneLine is a text in printable characters, with single spaces between its words.
func oneLine(text string) string {
	text = strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) || r == utf8.RuneError {
			return ' '
		}
		return r
	}, text)
	return strings.Join(strings.Fields(text), " ")
}

// replacerOf makes dots of texts. They come with the longest first, so that none is left in part because a shorter one was
// found in it.
func replacerOf(sorted []string) *strings.Replacer {
	all := slices.Clone(sorted)
	for _, s := range sorted {
		if line := oneLine(s); len(line) >= shortSecret {
			all = append(all, line)
		}
	}
	var pairs []string
	for _, s := range longestFirst(all) {
		pairs = append(pairs, s, "***")
	}
	return strings.NewReplacer(pairs...)
}
