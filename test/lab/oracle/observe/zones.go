package observe

import (
	"sort"

	"evictwatch.dev/oracle/controllers"
)

// ZoneSample is a zone at one instant.
type ZoneSample struct {
	At   float64 `json:"at"`
	Zone string  `json:"zone"`
	controllers.ZoneView
}

// ZoneSampler keeps the samples that differ from their predecessors.
type ZoneSampler struct {
	Samples []ZoneSample
	last    map[string]controllers.ZoneView
}

// Forget makes it record every zone again, as after a restart of the controllers.
func (z *ZoneSampler) Forget() { z.last = map[string]controllers.ZoneView{} }

// Take takes the zones of one instant.
func (z *ZoneSampler) Take(at float64, zones map[string]controllers.ZoneView) {
	var keys []string
	for key := range zones {
		keys = append(keys, key)
	}
	sort.Strings(keys)
	for _, key := range keys {
		if z.last[key] != zones[key] {
			z.last[key] = zones[key]
			z.Samples = append(z.Samples, ZoneSample{at, key, zones[key]})
		}
	}
}
