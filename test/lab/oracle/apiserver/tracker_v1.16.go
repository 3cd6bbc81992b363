//go:build v1.16

package apiserver

// listsByName: the fake's own order is that of creation.
const listsByName = false
