//go:build !v1.16 && !v1.32

package kubelet

import (
	"math/rand"
	"testing"

	"evictwatch.dev/oracle/recording"
)

// line has a run in the scenario's order of pods, and one in another, because a kubelet's own order is random.
type line struct {
	Name string `json:"name"`
	outcome
	Shuffled outcome `json:"shuffled"`
}

func TestRecord(t *testing.T) {
	recording.Record(t, func(s *scenario) line {
		order := make([]int, len(s.Pods))
		for i := range order {
			order[i] = i
		}
		return line{s.Name, play(t, s, order), play(t, s, rand.Perm(len(order)))}
	})
}
