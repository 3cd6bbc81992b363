//go:build v1.16

package apiserver

// listsByName is not set because the fake's own order is that of creation.
const listsByName = false
