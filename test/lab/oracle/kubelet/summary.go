//go:build !v1.16 && !v1.32

package kubelet

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	statsapi "k8s.io/kubelet/pkg/apis/stats/v1alpha1"
)

// Get implements SummaryProvider.
func (w *world) Get(context.Context, bool) (*statsapi.Summary, error) {
	var current *sample
	var node *statsapi.NodeStats
	var pods []statsapi.PodStats
	for i := range w.Samples {
		s := &w.Samples[i]
		if seconds(s.At) > w.elapsed() {
			break
		}
		current = s
		if s.Node != nil {
			node = s.Node
		}
		if s.Pods != nil {
			pods = s.Pods
		}
	}
	if current == nil {
		return nil, errors.New("no sample yet")
	}
	if current.Error != "" {
		return nil, errors.New(current.Error)
	}
	summary := &statsapi.Summary{Node: *w.whatIsLeft(node)}
	w.stamp(&summary.Node, current)
	for _, stats := range pods {
		if w.isAlive(w.entry(stats.PodRef.Namespace + "/" + stats.PodRef.Name)) {
			summary.Pods = append(summary.Pods, stats)
		}
	}
	return summary, nil
}

// GetCPUAndMemoryStats implements SummaryProvider.
func (w *world) GetCPUAndMemoryStats(ctx context.Context) (*statsapi.Summary, error) {
	return w.Get(ctx, false)
}

// whatIsLeft adds everything that was freed to the node's statistics.
func (w *world) whatIsLeft(of *statsapi.NodeStats) *statsapi.NodeStats {
	text, err := json.Marshal(of)
	must(err)
	node := &statsapi.NodeStats{}
	must(json.Unmarshal(text, node))
	for i := range w.Pods {
		if frees := w.Pods[i].Frees; frees != nil && w.hasEnded(w.Pods[i].key()) {
			give(node, frees)
		}
	}
	for i := range w.collected {
		give(node, &w.collected[i])
	}
	return node
}

func give(node *statsapi.NodeStats, d *delta) {
	giveMemory(node.Memory, d.Memory)
	if pods := podsOf(node); pods != nil {
		giveMemory(pods.Memory, d.PodsMemory)
	}
	giveFs(node.Fs, d.Fs, d.FsInodes)
	if node.Runtime != nil {
		giveFs(node.Runtime.ImageFs, d.ImageFs, d.ImageFsInodes)
		giveFs(node.Runtime.ContainerFs, d.ContainerFs, d.ContainerFsInodes)
	}
	if node.Rlimit != nil && node.Rlimit.NumOfRunningProcesses != nil {
		left := *node.Rlimit.NumOfRunningProcesses - d.Pids
		node.Rlimit.NumOfRunningProcesses = &left
	}
}

// podsOf is the cgroup of all pods.
func podsOf(node *statsapi.NodeStats) *statsapi.ContainerStats {
	for i := range node.SystemContainers {
		if node.SystemContainers[i].Name == statsapi.SystemContainerPods {
			return &node.SystemContainers[i]
		}
	}
	return nil
}

func giveMemory(memory *statsapi.MemoryStats, bytes int64) {
	if memory != nil {
		memory.AvailableBytes, memory.WorkingSetBytes = plus(memory.AvailableBytes, bytes), plus(memory.WorkingSetBytes, -bytes)
	}
}

func giveFs(fs *statsapi.FsStats, bytes, inodes int64) {
	if fs != nil {
		fs.AvailableBytes, fs.InodesFree = plus(fs.AvailableBytes, bytes), plus(fs.InodesFree, inodes)
	}
}

// plus adds, but never goes below zero. Adding 0 keeps values above 2^63.
func plus(to *uint64, n int64) *uint64 {
	if to == nil || n == 0 {
		return to
	}
	sum := uint64(max(0, int64(*to)+n))
	return &sum
}

// stamp sets the age of each part.
func (w *world) stamp(node *statsapi.NodeStats, s *sample) {
	timeOf := func(part string) metav1.Time {
		mode, isOverridden := s.Overrides[part]
		if !isOverridden {
			mode = s.Timestamps
		}
		switch mode {
		case "", "live":
			return metav1.NewTime(time.Now())
		case "frozen":
			return metav1.NewTime(w.start.Add(seconds(s.At)))
		case "none":
			return metav1.Time{}
		}
		panic("unknown timestamps " + mode)
	}
	if node.Memory != nil {
		node.Memory.Time = timeOf("memory")
	}
	for i := range node.SystemContainers {
		if memory := node.SystemContainers[i].Memory; memory != nil {
			memory.Time = timeOf("podsMemory")
		}
	}
	if node.Fs != nil {
		node.Fs.Time = timeOf("fs")
	}
	if runtime := node.Runtime; runtime != nil && runtime.ImageFs != nil {
		runtime.ImageFs.Time = timeOf("imageFs")
	}
	if runtime := node.Runtime; runtime != nil && runtime.ContainerFs != nil {
		runtime.ContainerFs.Time = timeOf("containerFs")
	}
	if node.Rlimit != nil {
		node.Rlimit.Time = timeOf("rlimit")
	}
}
