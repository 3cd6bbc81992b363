// Package record records the controllers that taint nodes and evict their pods.
package record

import (
	"testing"

	"evictwatch.dev/oracle/play"
	"evictwatch.dev/oracle/recorder"
	"evictwatch.dev/oracle/scenario"
)

type line struct {
	Name string `json:"name"`
	play.Outcome
}

func TestRecord(t *testing.T) {
	recorder.Record(t, func(s *scenario.Scenario) line {
		return line{s.Name, recorder.InVirtualTime(t, func() play.Outcome { return play.Scenario(s) })}
	})
}
