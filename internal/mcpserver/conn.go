package mcpserver

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// stream is the transport over two pipes: a message a line. Other than the SDK's it lives on after a line that is no message, which is
// answered with an error, and after its input has ended it still answers what it was asked.
type stream struct {
	in  io.ReadCloser
	out io.WriteCloser
}

// Connect begins to read.
func (s stream) Connect(context.Context) (mcp.Connection, error) {
	c := &conn{stream: s, incoming: make(chan jsonrpc.Message), closed: make(chan struct{}), answered: make(chan struct{}, 1), open: map[string]int{}}
	go c.read()
	return c, nil
}

// conn is a connection. One goroutine reads for it, until the input ends or it is closed.
type conn struct {
	stream
	incoming chan jsonrpc.Message
	closed   chan struct{}
	once     sync.Once

	writing sync.Mutex
	mu      sync.Mutex
	// open are the questions that are not answered yet, answered is told of each that is; gone says that nobody reads the answers.
	open     map[string]int
	answered chan struct{}
	gone     bool
}

func (c *conn) SessionID() string { return "" }

// Read gives the next message; io.EOF once there is none and all questions are answered.
func (c *conn) Read(ctx context.Context) (jsonrpc.Message, error) {
	select {
	case m, more := <-c.incoming:
		if !more {
			return nil, io.EOF
		}
		return m, nil
	case <-c.closed:
		return nil, io.EOF
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// Write writes a message.
func (c *conn) Write(ctx context.Context, m jsonrpc.Message) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	text, err := jsonrpc.EncodeMessage(m)
	if err != nil {
		return fmt.Errorf("write message: %w", err)
	}
	err = c.line(text)
	if r, ok := m.(*jsonrpc.Response); ok || err != nil {
		c.mu.Lock()
		if c.gone = c.gone || err != nil; ok {
			c.settle(r.ID)
		}
		c.mu.Unlock()
		c.tell()
	}
	return err
}

func (c *conn) line(text []byte) error {
	c.writing.Lock()
	defer c.writing.Unlock()
	if _, err := c.out.Write(append(text, '\n')); err != nil {
		return fmt.Errorf("write message: %w", err)
	}
	return nil
}

// Close ends it. What is being read is not waited for: nothing ends that but the end of the input.
func (c *conn) Close() error {
	var err error
	c.once.Do(func() {
		close(c.closed)
		err = errors.Join(c.in.Close(), c.out.Close())
	})
	return err
}

func (c *conn) tell() {
	select {
	case c.answered <- struct{}{}:
	default:
	}
}

// settle notes that a question has its answer, or wants none any more.
func (c *conn) settle(id jsonrpc.ID) {
	if key := keyOf(id); c.open[key] > 1 {
		c.open[key]--
	} else {
		delete(c.open, key)
	}
}

func keyOf(id jsonrpc.ID) string { return fmt.Sprintf("%T %v", id.Raw(), id.Raw()) }

func (c *conn) read() {
	defer close(c.incoming)
	in := bufio.NewReaderSize(c.in, 64<<10)
	for {
		text, whole, err := readLine(in)
		switch {
		case !whole:
			c.refuse(idIn(text), jsonrpc.CodeInvalidRequest, fmt.Sprintf("a message has %d bytes at most", maxLine))
		case len(text) > 0 && !c.take(text):
			return
		}
		if err != nil {
			c.drain()
			return
		}
	}
}

// readLine reads a line of maxLine bytes at most; of a longer one it gives the beginning, and whole is false.
func readLine(in *bufio.Reader) (text []byte, whole bool, err error) {
	whole = true
	for {
		part, err := in.ReadSlice('\n')
		if whole = whole && len(text)+len(part) <= maxLine; whole {
			text = append(text, part...)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return bytes.TrimSpace(text), whole, err
		}
	}
}

// take hands the messages of a line on; it is false once the connection is closed.
func (c *conn) take(text []byte) bool {
	if !json.Valid(text) {
		c.refuse(nil, jsonrpc.CodeParseError, "this is no JSON")
		return true
	}
	messages := []json.RawMessage{text}
	if text[0] == '[' {
		if messages = nil; json.Unmarshal(text, &messages) != nil || len(messages) == 0 {
			c.refuse(nil, jsonrpc.CodeInvalidRequest, "this is no message")
			return true
		}
	}
	for _, one := range messages {
		m, err := jsonrpc.DecodeMessage(one)
		if err != nil {
			c.refuse(idIn(one), jsonrpc.CodeInvalidRequest, "this is no message")
			continue
		}
		c.note(m)
		select {
		case c.incoming <- m:
		case <-c.closed:
			return false
		}
	}
	return true
}

// note remembers a question until it is answered. One that is taken back may never be.
func (c *conn) note(m jsonrpc.Message) {
	r, ok := m.(*jsonrpc.Request)
	if !ok {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if r.ID.IsValid() {
		c.open[keyOf(r.ID)]++
		return
	}
	var cancelled struct {
		ID any `json:"requestId"`
	}
	if r.Method == "notifications/cancelled" && json.Unmarshal(r.Params, &cancelled) == nil {
		if id, err := jsonrpc.MakeID(cancelled.ID); err == nil {
			delete(c.open, keyOf(id))
			c.tell()
		}
	}
}

// drain waits until all is answered, as long as an answer may take.
func (c *conn) drain() {
	limit := time.NewTimer(callWait + time.Second)
	defer limit.Stop()
	for {
		c.mu.Lock()
		over := len(c.open) == 0 || c.gone
		c.mu.Unlock()
		if over {
			return
		}
		select {
		case <-c.answered:
		case <-c.closed:
			return
		case <-limit.C:
			return
		}
	}
}

// refuse answers what is no message. That nobody reads it is found out at the next one that is.
func (c *conn) refuse(id json.RawMessage, code int, why string) {
	if id == nil {
		id = json.RawMessage("null")
	}
	text, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": id, "error": map[string]any{"code": code, "message": why}})
	if err == nil {
		_ = c.line(text)
	}
}

// idIn is the id in a message, or in the beginning of one; nil where none is found.
func idIn(text []byte) json.RawMessage {
	d := json.NewDecoder(bytes.NewReader(text))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return nil
	}
	for d.More() {
		name, err := d.Token()
		var value json.RawMessage
		if err != nil || d.Decode(&value) != nil {
			return nil
		}
		if name == "id" && (value[0] == '"' || value[0] == '-' || value[0] >= '0' && value[0] <= '9') {
			return value
		}
	}
	return nil
}
