//go:build !v1.16 && !v1.32

package kubelet

import (
	"context"
	"runtime"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-logr/logr"
	v1 "k8s.io/api/core/v1"
	"k8s.io/component-base/metrics/legacyregistry"
	"k8s.io/kubernetes/pkg/kubelet/eviction"
	evictionapi "k8s.io/kubernetes/pkg/kubelet/eviction/api"
	"k8s.io/kubernetes/pkg/kubelet/lifecycle"
	"k8s.io/kubernetes/pkg/kubelet/metrics"
	"k8s.io/utils/clock"
)

var registerMetrics = sync.OnceFunc(func() { legacyregistry.MustRegister(metrics.Evictions, metrics.EvictionStatsAge) })

// play plays a scenario in a synctest bubble, with its active pods listed in the given order.
func play(t *testing.T, s *scenario, order []int) outcome {
	registerMetrics()
	c := s.Config
	thresholds, err := eviction.ParseThresholdConfig(c.EnforceNodeAllocatable, c.EvictionHard, c.EvictionSoft, c.EvictionSoftGracePeriod, c.EvictionMinimumReclaim)
	if err != nil {
		refused := newRecorder().outcome
		refused.ParseError = err.Error()
		return refused
	}
	var w *world
	synctest.Test(t, func(*testing.T) {
		w = newWorld(s, order)
		run(w, thresholds)
	})
	return w.outcome
}

func run(w *world, thresholds []evictionapi.Threshold) {
	c := w.Config
	node := &v1.ObjectReference{Kind: "Node", Name: "node-1", UID: "node-1"}
	manager, admission := eviction.NewManager(w, eviction.Config{
		PressureTransitionPeriod: duration(c.EvictionPressureTransitionPeriod),
		MaxPodGracePeriodSeconds: int64(c.EvictionMaxPodGracePeriod),
		Thresholds:               thresholds,
		// It would need a real kernel.
		KernelMemcgNotification: false,
	}, w.kill, w, w, w, node, clock.RealClock{}, c.LocalStorageCapacityIsolation)
	w.manager = manager
	over := make(chan struct{})
	ctx := lastPass{logr.NewContext(context.Background(), logr.New(sink{w})), w, over}
	manager.Start(ctx, w, w.activePods, w.isCleanedUp, duration(c.MonitoringInterval))
	for _, probe := range w.AdmissionProbes {
		time.Sleep(time.Until(w.start.Add(time.Duration(probe.AtMs) * time.Millisecond)))
		synctest.Wait()
		answer := admission.Admit(&lifecycle.PodAdmitAttributes{Pod: probe.Pod.DeepCopy()})
		w.add(event{Kind: "admit", Pod: keyOf(&probe.Pod), Admit: &answer.Admit, Reason: answer.Reason, Message: answer.Message})
	}
	<-over
}

// lastPass ends the manager's endless loop: each pass first gets its logger from the context.
type lastPass struct {
	context.Context
	w    *world
	over chan struct{}
}

func (l lastPass) Value(key any) any {
	if l.w.elapsed() > seconds(l.w.Until) {
		l.w.kills.settle()
		l.w.endPass()
		close(l.over)
		runtime.Goexit()
	}
	return l.Context.Value(key)
}

func duration(text string) time.Duration {
	d, err := time.ParseDuration(text)
	must(err)
	return d
}
