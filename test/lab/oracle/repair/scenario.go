//go:build karpenter || machineapi || clusterapi

package repair

import (
	"encoding/json"
	"sort"
	"time"

	corev1 "k8s.io/api/core/v1"
)

// scenario is the input half of a vector. Times are in seconds; virtual time begins with the year 2000.
type scenario struct {
	Name     string            `json:"name"`
	Policies []policy          `json:"policies"`
	Objects  []json.RawMessage `json:"objects"`
	Steps    []step            `json:"steps"`
	Until    float64           `json:"until"`
}

// policy is a condition of Karpenter's that the cloud provider has repaired, and for how many seconds it must have lasted.
type policy struct {
	Type       corev1.NodeConditionType `json:"type"`
	Status     corev1.ConditionStatus   `json:"status"`
	Toleration float64                  `json:"toleration"`
}

// step is one of: an object that is so from now on, one that is gone, a new controller process.
type step struct {
	At      float64         `json:"at"`
	Apply   json.RawMessage `json:"apply"`
	Delete  json.RawMessage `json:"delete"`
	Restart bool            `json:"restart"`
}

// action is what the controller did: claim-deleted or machine-deleted of what the detail names; repair-blocked of a Node, or by the
// check that the detail names. At is in milliseconds.
type action struct {
	At     int64  `json:"at"`
	Kind   string `json:"kind"`
	Node   string `json:"node,omitempty"`
	Detail string `json:"detail,omitempty"`
}

// sorted puts first what was done first, and what was done at once in the order of names: workers are as fast as each other.
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
