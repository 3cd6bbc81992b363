//go:build !v1.16 && !v1.32

package kubelet

import (
	"context"
	"errors"
	"time"

	v1 "k8s.io/api/core/v1"
	"k8s.io/kubernetes/pkg/kubelet/eviction"
)

// world is the node around the manager: its pods, its file systems and its garbage collection.
type world struct {
	*recorder
	*scenario
	manager    eviction.Manager
	conditions map[string]bool
	kills      kills
	// active is the order in which the active pods are listed.
	active []*podEntry
	// terminated is when each killed pod will have ended, without those that never end.
	terminated map[string]time.Time
	imageGCs   int
	otherGCs   int
	collected  []delta
}

func newWorld(s *scenario, order []int) *world {
	w := &world{recorder: newRecorder(), scenario: s, conditions: map[string]bool{}, terminated: map[string]time.Time{}}
	w.kills = newKills(w.recorder)
	for _, i := range order {
		w.active = append(w.active, &s.Pods[i])
	}
	return w
}

func (w *world) elapsed() time.Duration { return time.Since(w.start) }

func seconds(n int64) time.Duration { return time.Duration(n) * time.Second }

// pollConditions records changed conditions, ordered by name.
func (w *world) pollConditions() {
	for _, condition := range []struct {
		name string
		is   func() bool
	}{
		{"DiskPressure", w.manager.IsUnderDiskPressure},
		{"MemoryPressure", w.manager.IsUnderMemoryPressure},
		{"PIDPressure", w.manager.IsUnderPIDPressure},
	} {
		if is := condition.is(); is != w.conditions[condition.name] {
			w.conditions[condition.name] = is
			w.add(event{Kind: "condition", Condition: condition.name, Status: &is})
		}
	}
}

func (w *world) hasEnded(key string) bool {
	at, known := w.terminated[key]
	return known && !time.Now().Before(at)
}

func (w *world) isAlive(e *podEntry) bool {
	now := w.elapsed()
	return now >= seconds(e.StartAt) && (e.StopAt == 0 || now < seconds(e.StopAt)) && !w.hasEnded(e.key())
}

func (w *world) entry(key string) *podEntry {
	for i := range w.Pods {
		if w.Pods[i].key() == key {
			return &w.Pods[i]
		}
	}
	panic("no pod " + key)
}

// activePods is called once at the start of each pass.
func (w *world) activePods() []*v1.Pod {
	w.kills.settle()
	w.beginPass()
	var pods []*v1.Pod
	for _, e := range w.active {
		if w.isAlive(e) {
			pods = append(pods, e.Pod.DeepCopy())
		}
	}
	return pods
}

func (w *world) isCleanedUp(pod *v1.Pod) bool {
	w.kills.settle()
	at, known := w.terminated[keyOf(pod)]
	return known && !time.Now().Before(at.Add(seconds(w.entry(keyOf(pod)).CleanupSeconds)))
}

// HasDedicatedImageFs implements DiskInfoProvider.
func (w *world) HasDedicatedImageFs(context.Context) (bool, error) {
	if why := w.NodeSetup.ImageFsError; why != "" && w.elapsed() < seconds(w.NodeSetup.ImageFsErrorUntil) {
		return false, errors.New(why)
	}
	return w.NodeSetup.DedicatedImageFs, nil
}

// HasDedicatedContainerFs implements DiskInfoProvider.
func (w *world) HasDedicatedContainerFs(context.Context) (bool, error) {
	return w.NodeSetup.DedicatedContainerFs, nil
}

// DeleteUnusedImages implements ImageGC.
func (w *world) DeleteUnusedImages(context.Context) error {
	return w.collect("imageGC", w.GC.Image, &w.imageGCs)
}

// DeleteAllUnusedContainers implements ContainerGC.
func (w *world) DeleteAllUnusedContainers(context.Context) error {
	return w.collect("containerGC", w.GC.Container, &w.otherGCs)
}

func (w *world) collect(op string, frees []delta, calls *int) error {
	w.pollConditions()
	w.add(event{Kind: "node-reclaim", Op: op})
	call := *calls
	*calls++
	if call >= len(frees) {
		return nil
	}
	w.collected = append(w.collected, frees[call])
	if why := frees[call].Error; why != "" {
		return errors.New(why)
	}
	return nil
}
