//go:build !v1.16 && !v1.32

package kubelet

import (
	"errors"
	"time"

	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/component-base/metrics/testutil"
	"k8s.io/kubernetes/pkg/kubelet/metrics"
)

// kill mimics the kubelet's killPodNow: it returns when the pod has ended, or after a timeout.
func (w *world) kill(pod *v1.Pod, isEvicted bool, grace *int64, setStatus func(*v1.PodStatus)) error {
	key, status := keyOf(pod), v1.PodStatus{}
	setStatus(&status)
	if status.Phase != v1.PodFailed || !isEvicted {
		panic("a kill that is no eviction")
	}
	isDisruption := false
	for _, condition := range status.Conditions {
		isDisruption = isDisruption || condition.Type == v1.DisruptionTarget &&
			condition.Status == v1.ConditionTrue && condition.Reason == v1.PodReasonTerminationByKubelet
	}
	given := *grace
	w.kills.begin(event{
		Kind:         "kill",
		Pod:          key,
		GraceSeconds: &given,
		Reason:       status.Reason,
		Message:      status.Message,
		Disruption:   &isDisruption,
	})
	ends, isEnding := w.terminated[key]
	if takes := w.entry(key).TerminationSeconds; !isEnding && takes >= 0 {
		ends, isEnding = time.Now().Add(seconds(takes)), true
		w.terminated[key] = ends
	}
	patience := seconds(max(10, given+given/2))
	if isEnding && time.Until(ends) <= patience {
		time.Sleep(time.Until(ends))
		return nil
	}
	time.Sleep(patience)
	return errors.New("timeout waiting to kill pod")
}

// kills finds the signal for which each pod is killed: the signal's counter is incremented after the kill has returned.
type kills struct {
	log         *recorder
	counted     map[string]float64
	open        int
	annotations map[string]string
}

var signals = []string{
	"memory.available", "allocatableMemory.available",
	"nodefs.available", "nodefs.inodesFree", "imagefs.available", "imagefs.inodesFree",
	"containerfs.available", "containerfs.inodesFree", "pid.available",
	"emptydirfs.limit", "ephemeralpodfs.limit", "ephemeralcontainerfs.limit",
}

const none = -1

func newKills(log *recorder) kills { return kills{log: log, counted: count(), open: none} }

func (k *kills) begin(e event) {
	e.Annotations, k.annotations = k.annotations, nil
	k.open = k.log.add(e)
}

func (k *kills) settle() {
	if k.open == none {
		return
	}
	now := count()
	for signal, times := range now {
		if times > k.counted[signal] {
			k.log.Trace[k.open].Signal = signal
		}
	}
	k.counted, k.open = now, none
}

func count() map[string]float64 {
	counted := map[string]float64{}
	for _, signal := range signals {
		times, err := testutil.GetCounterMetricValue(metrics.Evictions.WithLabelValues(signal))
		must(err)
		counted[signal] = times
	}
	return counted
}

// Event implements EventRecorder.
func (w *world) Event(runtime.Object, string, string, string) {}

// Eventf implements EventRecorder.
func (w *world) Eventf(runtime.Object, string, string, string, ...any) {}

// AnnotatedEventf implements EventRecorder; the manager calls it right before a kill.
func (w *world) AnnotatedEventf(_ runtime.Object, annotations map[string]string, _, _, _ string, _ ...any) {
	w.kills.settle()
	w.pollConditions()
	w.kills.annotations = annotations
}
