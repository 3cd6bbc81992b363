//go:build !v1.16 && !v1.32

// Package kubelet plays scenarios of the kubelet's eviction manager in virtual time.
package kubelet

import (
	v1 "k8s.io/api/core/v1"
	statsapi "k8s.io/kubelet/pkg/apis/stats/v1alpha1"
)

// config is the eviction part of a KubeletConfiguration.
type config struct {
	EvictionHard                     map[string]string `json:"evictionHard"`
	EvictionSoft                     map[string]string `json:"evictionSoft"`
	EvictionSoftGracePeriod          map[string]string `json:"evictionSoftGracePeriod"`
	EvictionMinimumReclaim           map[string]string `json:"evictionMinimumReclaim"`
	EvictionMaxPodGracePeriod        int32             `json:"evictionMaxPodGracePeriod"`
	EvictionPressureTransitionPeriod string            `json:"evictionPressureTransitionPeriod"`
	MonitoringInterval               string            `json:"monitoringInterval"`
	EnforceNodeAllocatable           []string          `json:"enforceNodeAllocatable"`
	LocalStorageCapacityIsolation    bool              `json:"localStorageCapacityIsolation"`
}

// nodeSetup is the kubelet's information about its file systems.
type nodeSetup struct {
	DedicatedImageFs     bool   `json:"dedicatedImageFs"`
	DedicatedContainerFs bool   `json:"dedicatedContainerFs"`
	ImageFsError         string `json:"imageFsError"`
	ImageFsErrorUntil    int64  `json:"imageFsErrorUntilSeconds"`
}

// delta is what the end of a pod or a garbage collection frees on the node.
type delta struct {
	Memory            int64  `json:"memory"`
	PodsMemory        int64  `json:"podsMemory"`
	Fs                int64  `json:"fs"`
	FsInodes          int64  `json:"fsInodes"`
	ImageFs           int64  `json:"imageFs"`
	ImageFsInodes     int64  `json:"imageFsInodes"`
	ContainerFs       int64  `json:"containerFs"`
	ContainerFsInodes int64  `json:"containerFsInodes"`
	Pids              int64  `json:"pids"`
	Error             string `json:"error"`
}

type podEntry struct {
	Pod                v1.Pod `json:"pod"`
	StartAt            int64  `json:"startAtSeconds"`
	StopAt             int64  `json:"stopAtSeconds"`
	TerminationSeconds int64  `json:"terminationSeconds"`
	CleanupSeconds     int64  `json:"cleanupSeconds"`
	Frees              *delta `json:"freesOnTermination"`
}

func (e *podEntry) key() string { return keyOf(&e.Pod) }

func keyOf(pod *v1.Pod) string { return pod.Namespace + "/" + pod.Name }

// sample is the summary from a time on; omitted fields keep their values.
type sample struct {
	At         int64               `json:"atSeconds"`
	Node       *statsapi.NodeStats `json:"node"`
	Pods       []statsapi.PodStats `json:"pods"`
	Timestamps string              `json:"timestamps"`
	Overrides  map[string]string   `json:"timestampOverrides"`
	Error      string              `json:"error"`
}

type probe struct {
	AtMs int64  `json:"atMs"`
	Pod  v1.Pod `json:"pod"`
}

type scenario struct {
	Name      string     `json:"name"`
	Config    config     `json:"config"`
	NodeSetup nodeSetup  `json:"nodeSetup"`
	Pods      []podEntry `json:"pods"`
	Samples   []sample   `json:"samples"`
	GC        struct {
		Image     []delta `json:"image"`
		Container []delta `json:"container"`
	} `json:"gc"`
	AdmissionProbes []probe `json:"admissionProbes"`
	Until           int64   `json:"untilSeconds"`
}
