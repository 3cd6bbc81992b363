// Package record records the controllers that taint nodes and evict their pods.
package record

import (
	"testing"

	"evictwatch.dev/oracle/play"
	"evictwatch.dev/oracle/recording"
	"evictwatch.dev/oracle/scenario"
)

type line struct {
	Name string `json:"name"`
	play.Outcome
}

func TestRecord(t *testing.T) {
	recording.Record(t, func(s *scenario.Scenario) line {
		return line{s.Name, recording.InVirtualTime(t, func() play.Outcome { return play.Scenario(s) })}
	})
}
