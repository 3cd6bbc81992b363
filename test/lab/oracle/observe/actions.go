// Package observe records what happens to a cluster's objects.
package observe

import (
	"context"
	"sort"
	"sync"
	"time"

	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/watch"
)

// Action is one line of a trace.
type Action struct {
	// At is in milliseconds since the controllers' start.
	At     float64 `json:"at"`
	Kind   string  `json:"kind"`
	Node   string  `json:"node,omitempty"`
	Pod    string  `json:"pod,omitempty"`
	Detail string  `json:"detail,omitempty"`
}

// Log is a trace that is being recorded.
type Log struct {
	start   time.Time
	mu      sync.Mutex
	actions []Action
}

// NewLog makes an empty log whose times count from now.
func NewLog() *Log { return &Log{start: time.Now()} }

// Now is in milliseconds, with microseconds as its fraction.
func (l *Log) Now() float64 { return float64(time.Since(l.start).Microseconds()) / 1000 }

// Add records an action with the current time.
func (l *Log) Add(action Action) {
	l.mu.Lock()
	defer l.mu.Unlock()
	action.At = l.Now()
	l.actions = append(l.actions, action)
}

// Sorted is the trace by time; actions of one instant are sorted by their text.
func (l *Log) Sorted() []Action {
	l.mu.Lock()
	defer l.mu.Unlock()
	sort.SliceStable(l.actions, func(i, j int) bool {
		a, b := l.actions[i], l.actions[j]
		if a.At != b.At {
			return a.At < b.At
		}
		return isBefore([]string{a.Kind, a.Node, a.Pod, a.Detail}, []string{b.Kind, b.Node, b.Pod, b.Detail})
	})
	return l.actions
}

func isBefore(a, b []string) bool {
	for i := range a {
		if a[i] != b[i] {
			return a[i] < b[i]
		}
	}
	return false
}

// Follow records the differences between successive states of nodes and pods, until the context ends.
func (l *Log) Follow(ctx context.Context, nodeWatch, podWatch watch.Interface) {
	defer nodeWatch.Stop()
	defer podWatch.Stop()
	nodes, pods := map[string]*v1.Node{}, map[string]*v1.Pod{}
	for {
		select {
		case <-ctx.Done():
			return
		case event := <-nodeWatch.ResultChan():
			node := event.Object.(*v1.Node)
			if before, known := nodes[node.Name]; known && event.Type != watch.Deleted {
				l.compareNodes(before, node)
			}
			nodes[node.Name] = node
			if event.Type == watch.Deleted {
				delete(nodes, node.Name)
			}
		case event := <-podWatch.ResultChan():
			pod := event.Object.(*v1.Pod)
			key := pod.Namespace + "/" + pod.Name
			if before, known := pods[key]; known {
				l.comparePods(before, pod)
			}
			pods[key] = pod
			if event.Type == watch.Deleted {
				delete(pods, key)
			}
		}
	}
}

func (l *Log) compareNodes(before, after *v1.Node) {
	had, has := taintsOf(before), taintsOf(after)
	for taint := range has {
		if !had[taint] {
			l.Add(Action{Kind: "taint-added", Node: after.Name, Detail: taint})
		}
	}
	for taint := range had {
		if !has[taint] {
			l.Add(Action{Kind: "taint-removed", Node: after.Name, Detail: taint})
		}
	}
	was := map[v1.NodeConditionType]v1.ConditionStatus{}
	for _, condition := range before.Status.Conditions {
		was[condition.Type] = condition.Status
	}
	for _, condition := range after.Status.Conditions {
		if was[condition.Type] != condition.Status {
			l.Add(Action{Kind: "node-condition", Node: after.Name, Detail: string(condition.Type) + "=" + string(condition.Status)})
		}
	}
}

func taintsOf(node *v1.Node) map[string]bool {
	taints := map[string]bool{}
	for _, taint := range node.Spec.Taints {
		text := taint.Key
		if taint.Value != "" {
			text += "=" + taint.Value
		}
		taints[text+":"+string(taint.Effect)] = true
	}
	return taints
}

func (l *Log) comparePods(before, after *v1.Pod) {
	if was, is := readyOf(before), readyOf(after); was != is {
		l.Add(Action{
			Kind:   "pod-condition",
			Pod:    after.Namespace + "/" + after.Name,
			Node:   after.Spec.NodeName,
			Detail: "Ready=" + string(is),
		})
	}
}

func readyOf(pod *v1.Pod) v1.ConditionStatus {
	for _, condition := range pod.Status.Conditions {
		if condition.Type == v1.PodReady {
			return condition.Status
		}
	}
	return ""
}
