//go:build !v1.16 && !v1.32

package devices

import (
	"encoding/json"

	v1 "k8s.io/api/core/v1"
	resource "k8s.io/api/resource/v1"
	rules "k8s.io/api/resource/v1beta2"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"evictwatch.dev/oracle/observe"
	"evictwatch.dev/oracle/recording"
)

// scenario is the input half of a vector. Times are in seconds; virtual time begins with the year 2000.
type scenario struct {
	Name         string  `json:"name"`
	KubeAPIQPS   float32 `json:"kubeApiQps"`
	KubeAPIBurst int     `json:"kubeApiBurst"`
	// DeadNodes have no kubelet: their deleted pods linger.
	DeadNodes []string          `json:"deadNodes"`
	Objects   []json.RawMessage `json:"objects"`
	Steps     []step            `json:"steps"`
	Until     float64           `json:"until"`
}

// step applies or deletes an object, or starts a new controller process.
type step struct {
	At      float64         `json:"at"`
	Apply   json.RawMessage `json:"apply"`
	Delete  json.RawMessage `json:"delete"`
	Restart bool            `json:"restart"`
}

type outcome struct {
	Trace []observe.Action `json:"trace"`
}

type object interface {
	runtime.Object
	metav1.Object
}

// kinds are the objects that the controller reads.
var kinds = map[string]struct {
	resource schema.GroupVersionResource
	empty    func() object
}{
	"Pod":             {v1.SchemeGroupVersion.WithResource("pods"), func() object { return &v1.Pod{} }},
	"ResourceSlice":   {resource.SchemeGroupVersion.WithResource("resourceslices"), func() object { return &resource.ResourceSlice{} }},
	"ResourceClaim":   {resource.SchemeGroupVersion.WithResource("resourceclaims"), func() object { return &resource.ResourceClaim{} }},
	"DeviceTaintRule": {rules.SchemeGroupVersion.WithResource("devicetaintrules"), func() object { return &rules.DeviceTaintRule{} }},
}

func decode(text json.RawMessage) (schema.GroupVersionResource, object) {
	var head struct{ Kind string }
	must(json.Unmarshal(text, &head))
	kind := kinds[head.Kind]
	decoded := kind.empty()
	must(json.Unmarshal(text, decoded))
	return kind.resource, decoded
}

var must = recording.Must
