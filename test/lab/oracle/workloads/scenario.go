//go:build !v1.16 && !v1.32

package workloads

import (
	"encoding/json"

	apps "k8s.io/api/apps/v1"
	batch "k8s.io/api/batch/v1"
	v1 "k8s.io/api/core/v1"
	policy "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	_ "k8s.io/kubernetes/pkg/apis/apps/install"
	_ "k8s.io/kubernetes/pkg/apis/batch/install"
	_ "k8s.io/kubernetes/pkg/apis/core/install"
	_ "k8s.io/kubernetes/pkg/apis/policy/install"

	"evictwatch.dev/oracle/recording"
)

// scenario is the input half of a vector. Times are in seconds; virtual time begins with the year 2000.
type scenario struct {
	Name string `json:"name"`
	// DeadNodes have no kubelet: their deleted pods linger.
	DeadNodes []string `json:"deadNodes"`
	// ReadyAfter is when pods that a controller creates are ready; negative for never.
	ReadyAfter float64           `json:"readyAfter"`
	Objects    []json.RawMessage `json:"objects"`
	Steps      []step            `json:"steps"`
	Until      float64           `json:"until"`
}

// step is one thing that happens. All but Apply name a pod.
type step struct {
	At float64 `json:"at"`
	// Apply creates or replaces an object.
	Apply json.RawMessage `json:"apply"`
	// Evict announces and requests a deletion, as the taint-eviction controller does.
	Evict string `json:"evict"`
	// Fail and Succeed are what a kubelet or pod garbage collection reports.
	Fail    string `json:"fail"`
	Succeed string `json:"succeed"`
	// ExitCode is that of the only container of a pod that fails.
	ExitCode int32 `json:"exitCode"`
	// Unready is the work of the node lifecycle controller, or of a kubelet.
	Unready string `json:"unready"`
	Ready   string `json:"ready"`
	// Force deletes without a grace period.
	Force string `json:"force"`
	// Release removes finalizers that are not a controller's own.
	Release string `json:"release"`
}

type object interface {
	runtime.Object
	metav1.Object
}

type kind struct {
	resource schema.GroupVersionResource
	empty    func() object
}

var kinds = map[string]kind{
	"Pod":                 {v1.SchemeGroupVersion.WithResource("pods"), func() object { return &v1.Pod{} }},
	"Node":                {v1.SchemeGroupVersion.WithResource("nodes"), func() object { return &v1.Node{} }},
	"ReplicaSet":          {apps.SchemeGroupVersion.WithResource("replicasets"), func() object { return &apps.ReplicaSet{} }},
	"StatefulSet":         {apps.SchemeGroupVersion.WithResource("statefulsets"), func() object { return &apps.StatefulSet{} }},
	"DaemonSet":           {apps.SchemeGroupVersion.WithResource("daemonsets"), func() object { return &apps.DaemonSet{} }},
	"Job":                 {batch.SchemeGroupVersion.WithResource("jobs"), func() object { return &batch.Job{} }},
	"PodDisruptionBudget": {policy.SchemeGroupVersion.WithResource("poddisruptionbudgets"), func() object { return &policy.PodDisruptionBudget{} }},
}

func decode(text json.RawMessage) (string, object) {
	var head struct{ Kind string }
	must(json.Unmarshal(text, &head))
	decoded := kinds[head.Kind].empty()
	must(json.Unmarshal(text, decoded))
	legacyscheme.Scheme.Default(decoded)
	return head.Kind, decoded
}

var must = recording.Must
