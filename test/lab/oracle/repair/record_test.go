//go:build karpenter || machineapi || clusterapi

// Package repair records node repair: Karpenter's node.health controller, or the MachineHealthCheck controller of OpenShift
// or of Cluster API.
package repair

import (
	"testing"

	"evictwatch.dev/oracle/recording"
)

type line struct {
	Name  string   `json:"name"`
	Trace []action `json:"trace"`
}

func TestRecord(t *testing.T) {
	recording.Record(t, func(s *scenario) line {
		return line{s.Name, recording.InVirtualTime(t, func() []action { return play(s) })}
	})
}
