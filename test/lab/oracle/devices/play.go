//go:build !v1.16 && !v1.32

package devices

import (
	"context"
	"encoding/json"
	"strings"
	"sync"
	"testing/synctest"
	"time"

	v1 "k8s.io/api/core/v1"
	rules "k8s.io/api/resource/v1beta2"
	"k8s.io/apimachinery/pkg/runtime"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	"k8s.io/client-go/informers"
	clienttesting "k8s.io/client-go/testing"
	"k8s.io/kubernetes/pkg/controller/devicetainteviction"

	"evictwatch.dev/oracle/apiserver"
	"evictwatch.dev/oracle/client"
	"evictwatch.dev/oracle/observe"
)

// workers is the default of --concurrent-device-taint-eviction-syncs.
const workers = 8

type player struct {
	*scenario
	store *apiserver.Store
	log   *observe.Log
	stop  func()
}

// play plays a scenario in a synctest bubble.
func play(s *scenario) outcome {
	must(utilfeature.DefaultMutableFeatureGate.Set("DRADeviceTaints=true,DRADeviceTaintRules=true"))
	p := &player{scenario: s, store: apiserver.NewStore(), log: observe.NewLog()}
	p.store.OnPodDelete = func(pod *v1.Pod, again bool) {
		kind := "pod-deleted"
		if again {
			kind = "pod-delete-again"
		}
		p.add(kind, pod.Namespace+"/"+pod.Name)
	}
	p.store.Clientset.PrependReactor("patch", "pods", func(action clienttesting.Action) (bool, runtime.Object, error) {
		p.add("pod-marked", action.GetNamespace()+"/"+action.(clienttesting.PatchAction).GetName())
		return false, nil, nil
	})
	// The fake has no server-side apply. A lock is held while status is written, so the write takes no time here.
	p.store.Clientset.PrependReactor("patch", "devicetaintrules", func(clienttesting.Action) (bool, runtime.Object, error) {
		return true, &rules.DeviceTaintRule{}, nil
	})
	for _, text := range s.Objects {
		p.apply(text)
	}
	start := time.Now()
	p.start()
	for _, step := range s.Steps {
		advance(start, step.At)
		switch {
		case step.Restart:
			p.stop()
			p.start()
		case step.Apply != nil:
			p.apply(step.Apply)
		default:
			p.remove(step.Delete)
		}
	}
	advance(start, s.Until)
	p.stop()
	synctest.Wait()
	return outcome{p.log.Sorted()}
}

func (p *player) add(kind, pod string) { p.log.Add(observe.Action{Kind: kind, Pod: pod}) }

func advance(start time.Time, seconds float64) {
	time.Sleep(time.Until(start.Add(time.Duration(seconds * float64(time.Second)))))
	synctest.Wait()
}

// apply creates or replaces an object; one with another UID is a different object.
func (p *player) apply(text json.RawMessage) {
	kind, wanted := decode(text)
	if pod, is := wanted.(*v1.Pod); is && pod.Spec.NodeName != "" {
		p.store.SetKubelet(pod.Spec.NodeName, !p.isDead(pod.Spec.NodeName))
	}
	tracker := p.store.Clientset.Tracker()
	present, err := tracker.Get(kind, wanted.GetNamespace(), wanted.GetName())
	if err == nil && present.(object).GetUID() == wanted.GetUID() {
		must(tracker.Update(kind, wanted, wanted.GetNamespace()))
		return
	}
	if err == nil {
		must(tracker.Delete(kind, wanted.GetNamespace(), wanted.GetName()))
	}
	must(tracker.Create(kind, wanted, wanted.GetNamespace()))
}

func (p *player) isDead(node string) bool {
	for _, dead := range p.DeadNodes {
		if dead == node {
			return true
		}
	}
	return false
}

func (p *player) remove(text json.RawMessage) {
	kind, gone := decode(text)
	_ = p.store.Clientset.Tracker().Delete(kind, gone.GetNamespace(), gone.GetName())
}

// start starts a new process without any state.
func (p *player) start() {
	api := client.New(p.store.Clientset, p.KubeAPIQPS, p.KubeAPIBurst, func(event *v1.Event) {
		if pod := event.InvolvedObject; strings.HasPrefix(event.Message, "Cancelling") {
			p.add("eviction-cancelled", pod.Namespace+"/"+pod.Name)
		}
	}, func() bool { return false })
	ctx, cancel := context.WithCancel(context.Background())
	factory := informers.NewSharedInformerFactory(api, 1000*time.Hour)
	read := factory.Resource().V1()
	controller := devicetainteviction.New(api, factory.Core().V1().Pods(), read.ResourceClaims(), read.ResourceSlices(),
		factory.Resource().V1beta2().DeviceTaintRules(), read.DeviceClasses(), "device-taint-eviction-controller", false)
	factory.Start(ctx.Done())
	var running sync.WaitGroup
	running.Go(func() { must(controller.Run(ctx, workers)) })
	p.stop = func() {
		cancel()
		running.Wait()
		factory.Shutdown()
	}
}
