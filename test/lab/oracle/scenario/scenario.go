// Package scenario is the input of a vector: a cluster, a controller manager's flags, and the steps.
package scenario

import (
	"time"

	v1 "k8s.io/api/core/v1"
)

// Seconds is a time or a duration in a vector's format.
type Seconds float64

// Duration truncates to whole nanoseconds.
func (s Seconds) Duration() time.Duration { return time.Duration(float64(s) * float64(time.Second)) }

// Config is the controller manager's flags.
type Config struct {
	NodeMonitorPeriod         Seconds `json:"nodeMonitorPeriod"`
	NodeStartupGracePeriod    Seconds `json:"nodeStartupGracePeriod"`
	NodeMonitorGracePeriod    Seconds `json:"nodeMonitorGracePeriod"`
	NodeEvictionRate          float32 `json:"nodeEvictionRate"`
	SecondaryNodeEvictionRate float32 `json:"secondaryNodeEvictionRate"`
	LargeClusterSizeThreshold int32   `json:"largeClusterSizeThreshold"`
	UnhealthyZoneThreshold    float32 `json:"unhealthyZoneThreshold"`
	// KubeAPIQPS and KubeAPIBurst throttle each controller's own client; 0: not throttled.
	KubeAPIQPS   float32 `json:"kubeApiQps"`
	KubeAPIBurst int     `json:"kubeApiBurst"`
	// PodEvictionTimeout and TaintBasedEvictions are for releases that can evict without taints.
	PodEvictionTimeout  Seconds `json:"podEvictionTimeout"`
	TaintBasedEvictions bool    `json:"taintBasedEvictions"`
}

// Node is a node at the start, or one that a step adds.
type Node struct {
	Name   string            `json:"name"`
	Labels map[string]string `json:"labels"`
	Taints []v1.Taint        `json:"taints"`
	// Ready is True by default; with none the node has no conditions.
	Ready string `json:"ready"`
	// CreatedAt is relative to the controllers' start.
	CreatedAt Seconds `json:"createdAt"`
	// LeasePhase is the time of the kubelet's first renewal.
	LeasePhase    *Seconds `json:"leasePhase"`
	NoLease       bool     `json:"noLease"`
	Silent        bool     `json:"silent"`
	Unschedulable bool     `json:"unschedulable"`
}

// Pod is a pod at the start, or one that a step adds.
type Pod struct {
	Name        string          `json:"name"`
	Namespace   string          `json:"namespace"`
	Node        string          `json:"node"`
	Tolerations []v1.Toleration `json:"tolerations"`
	OwnerKind   string          `json:"ownerKind"`
	Ready       *bool           `json:"ready"`
}

// Step is something that happens; the other fields depend on Do.
type Step struct {
	At          Seconds           `json:"at"`
	Do          string            `json:"do"`
	Node        string            `json:"node"`
	Pod         string            `json:"pod"`
	NodeSpec    *Node             `json:"nodeSpec"`
	PodSpec     *Pod              `json:"podSpec"`
	Taint       *v1.Taint         `json:"taint"`
	Tolerations []v1.Toleration   `json:"tolerations"`
	Condition   *v1.NodeCondition `json:"condition"`
	Labels      map[string]string `json:"labels"`
}

// Scenario is the input half of a vector.
type Scenario struct {
	Name                     string  `json:"name"`
	Config                   Config  `json:"config"`
	MonitorPassDuration      Seconds `json:"monitorPassDuration"`
	LeaseRenewInterval       Seconds `json:"leaseRenewInterval"`
	NodeStatusReportInterval Seconds `json:"nodeStatusReportInterval"`
	Nodes                    []Node  `json:"nodes"`
	Pods                     []Pod   `json:"pods"`
	Steps                    []Step  `json:"steps"`
	Until                    Seconds `json:"until"`
}
