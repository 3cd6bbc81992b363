package main

import (
	"crypto"
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

// The users of the API server: the common name is the user, the organizations are the groups.
var subjects = map[string]pkix.Name{
	"apiserver":          {CommonName: "kube-apiserver"},
	"controller-manager": {CommonName: "system:kube-controller-manager"},
	"scheduler":          {CommonName: "system:kube-scheduler"},
	"admin":              {CommonName: "admin", Organization: []string{"system:masters"}},
	"viewer":             {CommonName: "viewer"},
}

// writeCertificates writes ca.crt, a .crt and a .key for each subject, and the key pair for service account tokens.
func writeCertificates(dir string) error {
	ca, caKey, err := issue(pkix.Name{CommonName: "evictwatch-e2e"}, nil, nil)
	if err != nil {
		return err
	}
	if err := writePEM(dir, "ca.crt", "CERTIFICATE", ca.Raw); err != nil {
		return err
	}
	for name, subject := range subjects {
		certificate, key, err := issue(subject, ca, caKey)
		if err != nil {
			return err
		}
		if err := writePEM(dir, name+".crt", "CERTIFICATE", certificate.Raw); err != nil {
			return err
		}
		if err := writeKey(dir, name+".key", key); err != nil {
			return err
		}
	}
	return writeServiceAccountKeys(dir)
}

// issue creates a key and its certificate, signed by the parent, or self-signed without a parent.
func issue(subject pkix.Name, parent *x509.Certificate, parentKey crypto.Signer) (*x509.Certificate, *ecdsa.PrivateKey, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, nil, err
	}
	serial, err := rand.Int(rand.Reader, big.NewInt(1<<62))
	if err != nil {
		return nil, nil, err
	}
	template := &x509.Certificate{
		SerialNumber: serial,
		Subject:      subject,
		// An hour ago, in case the clock is set back while the test runs.
		NotBefore:             time.Now().Add(-time.Hour),
		NotAfter:              time.Now().Add(30 * 24 * time.Hour),
		KeyUsage:              x509.KeyUsageDigitalSignature,
		ExtKeyUsage:           []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth},
		BasicConstraintsValid: true,
		DNSNames:              []string{"localhost"},
		IPAddresses:           []net.IP{net.IPv4(127, 0, 0, 1)},
	}
	if parent == nil {
		template.IsCA, template.KeyUsage = true, x509.KeyUsageCertSign
		template.ExtKeyUsage, template.DNSNames, template.IPAddresses = nil, nil, nil
		parent, parentKey = template, key
	}
	der, err := x509.CreateCertificate(rand.Reader, template, parent, key.Public(), parentKey)
	if err != nil {
		return nil, nil, err
	}
	certificate, err := x509.ParseCertificate(der)
	return certificate, key, err
}

func writeServiceAccountKeys(dir string) error {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return err
	}
	public, err := x509.MarshalPKIXPublicKey(key.Public())
	if err != nil {
		return err
	}
	if err := writePEM(dir, "sa.pub", "PUBLIC KEY", public); err != nil {
		return err
	}
	return writeKey(dir, "sa.key", key)
}

// writeKey uses the format of elliptic curve keys that all of Kubernetes can read.
func writeKey(dir, name string, key *ecdsa.PrivateKey) error {
	der, err := x509.MarshalECPrivateKey(key)
	if err != nil {
		return err
	}
	return writePEM(dir, name, "EC PRIVATE KEY", der)
}

func writePEM(dir, name, kind string, der []byte) error {
	return os.WriteFile(filepath.Join(dir, name), pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}), 0o600)
}
