//go:build !v1.16 && !v1.32

// Package workloads records what the controllers of workloads do with their pods.
package workloads

import (
	"testing"
	"testing/synctest"

	"evictwatch.dev/oracle/recording"
)

type line struct {
	Name string `json:"name"`
	outcome
}

func TestRecord(t *testing.T) {
	recording.Record(t, func(s *scenario) (recorded line) {
		synctest.Test(t, func(*testing.T) { recorded = line{s.Name, play(s)} })
		return recorded
	})
}
