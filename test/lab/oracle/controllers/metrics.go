//go:build !v1.16

package controllers

import "k8s.io/component-base/metrics/legacyregistry"

// countNodes adds each zone's node counts, which the controller has only in its metrics.
func countNodes(zones map[string]ZoneView) {
	families, err := legacyregistry.DefaultGatherer.Gather()
	if err != nil {
		panic(err)
	}
	for _, family := range families {
		for _, metric := range family.GetMetric() {
			for _, label := range metric.GetLabel() {
				zone, known := zones[label.GetValue()]
				if label.GetName() != "zone" || !known {
					continue
				}
				switch family.GetName() {
				case "node_collector_zone_size":
					zone.Size = int(metric.GetGauge().GetValue())
				case "node_collector_unhealthy_nodes_in_zone":
					zone.NotReady = int(metric.GetGauge().GetValue())
				}
				zones[label.GetValue()] = zone
			}
		}
	}
}
