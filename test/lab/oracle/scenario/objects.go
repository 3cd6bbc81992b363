package scenario

import (
	"time"

	v1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// Pressures are the conditions that a kubelet posts besides Ready, and that the controllers also set to Unknown.
var Pressures = []v1.NodeConditionType{v1.NodeMemoryPressure, v1.NodeDiskPressure, v1.NodePIDPressure}

// Object is the node in the API server when the controllers start.
func (n Node) Object(start time.Time) *v1.Node {
	created := metav1.NewTime(start.Add(n.CreatedAt.Duration()))
	node := &v1.Node{
		ObjectMeta: metav1.ObjectMeta{
			Name:              n.Name,
			Labels:            n.Labels,
			UID:               types.UID("uid-" + n.Name),
			CreationTimestamp: created,
		},
		Spec: v1.NodeSpec{Taints: append([]v1.Taint(nil), n.Taints...), Unschedulable: n.Unschedulable},
	}
	if n.Ready == "none" {
		return node
	}
	ready := v1.ConditionTrue
	if n.Ready != "" {
		ready = v1.ConditionStatus(n.Ready)
	}
	heartbeat := metav1.NewTime(start.Add(-time.Second))
	post := func(kind v1.NodeConditionType, status v1.ConditionStatus) {
		node.Status.Conditions = append(node.Status.Conditions, v1.NodeCondition{
			Type: kind, Status: status, LastHeartbeatTime: heartbeat, LastTransitionTime: created,
		})
	}
	for _, pressure := range Pressures {
		post(pressure, v1.ConditionFalse)
	}
	post(v1.NodeReady, ready)
	return node
}

// Object is the pod while it runs.
func (p Pod) Object() *v1.Pod {
	namespace := p.Namespace
	if namespace == "" {
		namespace = "default"
	}
	ready := v1.ConditionTrue
	if p.Ready != nil && !*p.Ready {
		ready = v1.ConditionFalse
	}
	pod := &v1.Pod{
		ObjectMeta: metav1.ObjectMeta{
			Name:      p.Name,
			Namespace: namespace,
			UID:       types.UID("uid-" + namespace + "-" + p.Name),
		},
		Spec: v1.PodSpec{NodeName: p.Node, Tolerations: p.Tolerations},
		Status: v1.PodStatus{
			Phase:      v1.PodRunning,
			Conditions: []v1.PodCondition{{Type: v1.PodReady, Status: ready}},
		},
	}
	if p.OwnerKind != "" {
		isController := true
		pod.OwnerReferences = []metav1.OwnerReference{{
			APIVersion: "apps/v1",
			Kind:       p.OwnerKind,
			Name:       "owner-" + p.Name,
			UID:        types.UID("owner-" + p.Name),
			Controller: &isController,
		}}
	}
	return pod
}

// SetCondition posts a condition now, as a kubelet does.
func SetCondition(node *v1.Node, kind v1.NodeConditionType, status v1.ConditionStatus, reason string) {
	now := metav1.NewTime(time.Now())
	for i := range node.Status.Conditions {
		condition := &node.Status.Conditions[i]
		if condition.Type != kind {
			continue
		}
		if condition.Status != status {
			condition.LastTransitionTime = now
		}
		condition.LastHeartbeatTime, condition.Status, condition.Reason = now, status, reason
		return
	}
	node.Status.Conditions = append(node.Status.Conditions, v1.NodeCondition{
		Type: kind, Status: status, Reason: reason, LastHeartbeatTime: now, LastTransitionTime: now,
	})
}
