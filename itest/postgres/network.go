package postgres

import (
	"io"
	"net"
	"sync"
	"time"
)

// Network stands between a store and its server. All methods may be called concurrently.
type Network struct {
	listener net.Listener
	target   string

	mu     sync.Mutex
	each   time.Duration // how long a packet is held up, and those behind it
	added  time.Duration // how long each packet is on its way
	silent bool
	conns  map[net.Conn]bool
	ended  bool
}

// Between starts one in front of a server, until the test ends.
func Between(tb TB, target string) *Network {
	tb.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		tb.Fatal(err)
	}
	n := &Network{listener: l, target: target, conns: map[net.Conn]bool{}}
	go n.serve()
	tb.Cleanup(func() {
		n.mu.Lock()
		n.ended = true
		n.mu.Unlock()
		l.Close()
		n.Cut()
	})
	return n
}

// Addr is where it listens.
func (n *Network) Addr() string { return n.listener.Addr().String() }

// Slow holds each packet up, one after the other.
func (n *Network) Slow(each time.Duration) { n.mu.Lock(); n.each = each; n.mu.Unlock() }

// Distance adds a way, there and back: packets follow one another on it.
func (n *Network) Distance(roundTrip time.Duration) {
	n.mu.Lock()
	n.added = roundTrip / 2
	n.mu.Unlock()
}

// Silent lets nothing through any more, without a word, or all again.
func (n *Network) Silent(on bool) { n.mu.Lock(); n.silent = on; n.mu.Unlock() }

// Cut ends all connections.
func (n *Network) Cut() {
	n.mu.Lock()
	defer n.mu.Unlock()
	for c := range n.conns {
		c.Close()
	}
	clear(n.conns)
}

func (n *Network) serve() {
	for {
		client, err := n.listener.Accept()
		if err != nil {
			return
		}
		server, err := net.Dial("tcp", n.target)
		if err != nil {
			client.Close()
			continue
		}
		n.mu.Lock()
		if n.ended {
			n.mu.Unlock()
			client.Close()
			server.Close()
			return
		}
		n.conns[client], n.conns[server] = true, true
		n.mu.Unlock()
		go n.carry(server, client)
		go n.carry(client, server)
	}
}

type packet struct {
	due  time.Time
	data []byte
}

// carry brings what one side says to the other.
func (n *Network) carry(to, from net.Conn) {
	way := make(chan packet, 10_000)
	go func() {
		defer close(way)
		for {
			buf := make([]byte, 16<<10)
			k, err := from.Read(buf)
			n.mu.Lock()
			added := n.added
			n.mu.Unlock()
			if k > 0 {
				way <- packet{time.Now().Add(added), buf[:k]}
			}
			if err != nil {
				return
			}
		}
	}()
	for p := range way {
		time.Sleep(time.Until(p.due))
		n.mu.Lock()
		each, silent := n.each, n.silent
		n.mu.Unlock()
		time.Sleep(each)
		if silent {
			continue
		}
		if _, err := to.Write(p.data); err != nil {
			break
		}
	}
	to.Close()
	from.Close()
	_, _ = io.Copy(io.Discard, from)
	for range way {
	}
}
