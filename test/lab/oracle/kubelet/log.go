//go:build !v1.16 && !v1.32

package kubelet

import (
	"fmt"
	"strings"

	"github.com/go-logr/logr"
)

// sink turns the manager's log lines into events: they have more information than its calls.
type sink struct{ *world }

func (sink) Init(logr.RuntimeInfo)            {}
func (sink) Enabled(int) bool                 { return true }
func (s sink) WithValues(...any) logr.LogSink { return s }
func (s sink) WithName(string) logr.LogSink   { return s }

var stageNames = map[string]string{
	"thresholds - ignoring grace period":                        "met",
	"thresholds - reclaim not satisfied":                        "metOrNotReclaimed",
	"thresholds - grace periods satisfied":                      "graceSatisfied",
	"thresholds - updated stats":                                "actionable",
	"thresholds after resource reclaim - ignoring grace period": "afterNodeReclaim",
}

// said maps a log message to its handler. It must know all messages of the manager: an unknown one is an error in the trace.
var said = map[string]func(w *world, line values){
	"Eviction manager: threshold observed resource": func(w *world, line values) {
		stage := stageNames[line.text("log")]
		w.stages[stage] = append(w.stages[stage], threshold{line.text("signal"), line.text("quantity"), line.text("available")})
	},
	"Eviction manager: no resources are starved": func(w *world, _ values) { w.pollConditions() },
	"Eviction manager: attempting to reclaim": func(w *world, line values) {
		w.pollConditions()
		w.add(event{Kind: "reclaim-attempt", Resource: line.text("resourceName")})
	},
	"Eviction manager: able to reduce resource pressure without evicting pods.": func(w *world, line values) {
		w.add(event{Kind: "node-reclaim-sufficient", Resource: line.text("resourceName")})
	},
	"Eviction manager: unexpected error when attempting to reduce resource pressure": func(w *world, line values) {
		w.add(event{Kind: "node-reclaim-error", Error: line.text("err")})
	},
	"Eviction manager: pods ranked for eviction": func(w *world, line values) {
		w.add(event{Kind: "rank", Pods: line.names("pods")})
	},
	"Eviction manager: unable to evict any pods from the node": func(w *world, _ values) { w.add(event{Kind: "no-victim"}) },
	"Eviction manager: timed out waiting for pods to be cleaned up": func(w *world, line values) {
		w.add(event{Kind: "cleanup-timeout", Pods: line.names("pods")})
	},
	"Eviction manager: pods successfully cleaned up": func(w *world, line values) {
		w.add(event{Kind: "cleaned-up", Pods: line.names("pods")})
	},
}

// failed is the same for error messages.
var failed = map[string]func(w *world, err error, line values){
	"Eviction manager: cannot evict a critical pod": func(w *world, _ error, line values) {
		w.pollConditions()
		w.add(event{Kind: "skip-critical", Pod: line.text("pod")})
	},
	"Eviction manager: eviction thresholds have been met, but no pods are active to evict": func(w *world, _ error, _ values) {
		w.add(event{Kind: "no-active-pods"})
	},
	"Eviction manager: failed to get summary stats": func(w *world, err error, _ values) {
		w.add(event{Kind: "stats-error", Error: err.Error()})
	},
	"Eviction manager: failed to get summary stats after resource reclaim": func(w *world, err error, _ values) {
		w.add(event{Kind: "stats-error-after-reclaim", Error: err.Error()})
	},
	"Eviction manager: failed to synchronize": func(w *world, err error, _ values) {
		w.add(event{Kind: "sync-error", Error: err.Error()})
	},
	"Eviction manager: pod failed to evict": func(w *world, err error, line values) {
		w.add(event{Kind: "kill-timeout", Pod: line.text("pod"), Error: err.Error()})
	},
	"Eviction manager: failed to construct signal":                                          ignore,
	"Eviction manager: failed to get HasDedicatedImageFs":                                   ignore,
	"eviction manager: found conflicting containerfs eviction. Ignoring.":                   ignore,
	"eviction manager: failed to check if we have separate container filesystem. Ignoring.": ignore,
}

func ignore(*world, error, values) {}

func (s sink) Info(_ int, message string, keysAndValues ...any) {
	if tell, known := said[message]; known {
		tell(s.world, keysAndValues)
	}
}

func (s sink) Error(err error, message string, keysAndValues ...any) {
	if tell, known := failed[message]; known {
		tell(s.world, err, keysAndValues)
		return
	}
	s.add(event{Kind: "log-error", Message: message})
}

// values are a line's alternating keys and values.
type values []any

func (v values) text(key string) string {
	for i := 0; i+1 < len(v); i += 2 {
		if v[i] == key {
			return fmt.Sprint(v[i+1])
		}
	}
	return fmt.Sprint(nil)
}

func (v values) names(key string) []string { return strings.Fields(strings.Trim(v.text(key), "[]")) }
