package otelcol

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"time"
)

// Certificates are PEM files of one authority: its own certificate, a server's for 127.0.0.1 and a client's.
type Certificates struct {
	CA, ServerCert, ServerKey, ClientCert, ClientKey string
}

// NewCertificates makes an authority and what it signs.
func NewCertificates(tb TB) *Certificates {
	tb.Helper()
	dir := tb.TempDir()
	a := authority{tb: tb, dir: dir}
	a.key = a.newKey()
	a.cert = &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "boathook tests"}, IsCA: true, BasicConstraintsValid: true,
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(24 * time.Hour), KeyUsage: x509.KeyUsageCertSign,
	}
	der := a.sign(a.cert, a.key)
	c := &Certificates{CA: a.write("ca.pem", "CERTIFICATE", der)}
	c.ServerCert, c.ServerKey = a.issue("server", 2, x509.ExtKeyUsageServerAuth)
	c.ClientCert, c.ClientKey = a.issue("client", 3, x509.ExtKeyUsageClientAuth)
	return c
}

type authority struct {
	tb   TB
	dir  string
	cert *x509.Certificate
	key  *ecdsa.PrivateKey
}

func (a *authority) issue(name string, serial int64, use x509.ExtKeyUsage) (cert, key string) {
	a.tb.Helper()
	k := a.newKey()
	der := a.sign(&x509.Certificate{
		SerialNumber: big.NewInt(serial), Subject: pkix.Name{CommonName: name}, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(24 * time.Hour),
		KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{use},
	}, k)
	text, err := x509.MarshalECPrivateKey(k)
	if err != nil {
		a.tb.Fatal(err)
	}
	return a.write(name+".pem", "CERTIFICATE", der), a.write(name+".key", "EC PRIVATE KEY", text)
}

func (a *authority) newKey() *ecdsa.PrivateKey {
	k, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		a.tb.Fatal(err)
	}
	return k
}

func (a *authority) sign(c *x509.Certificate, k *ecdsa.PrivateKey) []byte {
	a.tb.Helper()
	der, err := x509.CreateCertificate(rand.Reader, c, a.cert, k.Public(), a.key)
	if err != nil {
		a.tb.Fatal(err)
	}
	return der
}

func (a *authority) write(name, kind string, der []byte) string {
	a.tb.Helper()
	path := filepath.Join(a.dir, name)
	if err := os.WriteFile(path, pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}), 0o600); err != nil {
		a.tb.Fatal(err)
	}
	return path
}
