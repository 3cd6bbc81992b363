//go:build karpenter || machineapi || clusterapi

package repair

import (
	"encoding/json"
	"sort"
	"time"

	corev1 "k8s.io/api/core/v1"

	"evictwatch.dev/oracle/recording"
)

// scenario is the input half of a vector. Times are in seconds; virtual time begins with the year 2000.
type scenario struct {
	Name     string            `json:"name"`
	Policies []policy          `json:"policies"`
	Objects  []json.RawMessage `json:"objects"`
	Steps    []step            `json:"steps"`
	Until    float64           `json:"until"`
}

// policy is a node condition that Karpenter repairs for the cloud provider, once it has lasted for Toleration seconds.
type policy struct {
	Type       corev1.NodeConditionType `json:"type"`
	Status     corev1.ConditionStatus   `json:"status"`
	Toleration float64                  `json:"toleration"`
}

// step applies or deletes an object, or starts a new controller process.
type step struct {
	At      float64         `json:"at"`
	Apply   json.RawMessage `json:"apply"`
	Delete  json.RawMessage `json:"delete"`
	Restart bool            `json:"restart"`
}

// action is an action of the controller: claim-deleted or machine-deleted of the object in Detail; repair-blocked of a Node,
// or by the check in Detail. At is in milliseconds.
type action struct {
	At     int64  `json:"at"`
	Kind   string `json:"kind"`
	Node   string `json:"node,omitempty"`
	Detail string `json:"detail,omitempty"`
}

// sorted orders actions by time, and those of one instant by name, because workers are equally fast.
func sorted(actions []action) []action {
	sort.SliceStable(actions, func(i, j int) bool {
		a, b := actions[i], actions[j]
		if a.At != b.At {
			return a.At < b.At
		}
		return a.Kind+a.Node+a.Detail < b.Kind+b.Node+b.Detail
	})
	return actions
}

func seconds(number float64) time.Duration { return time.Duration(number * float64(time.Second)) }

var must = recording.Must
