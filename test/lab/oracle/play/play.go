// Package play plays a scenario in virtual time.
package play

import (
	"context"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing/synctest"
	"time"

	v1 "k8s.io/api/core/v1"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"

	"evictwatch.dev/oracle/apiserver"
	"evictwatch.dev/oracle/client"
	"evictwatch.dev/oracle/controllers"
	"evictwatch.dev/oracle/kubelets"
	"evictwatch.dev/oracle/observe"
	"evictwatch.dev/oracle/scenario"
)

// Outcome is the output half of a vector.
type Outcome struct {
	// FirstPassAt is when the controllers' first monitor pass began.
	FirstPassAt float64              `json:"firstPassAt"`
	Trace       []observe.Action     `json:"trace"`
	Zones       []observe.ZoneSample `json:"zones"`
	Snapshots   []apiserver.Listing  `json:"snapshots"`
	// Watched is what watches delivered between the first two snapshots.
	Watched []observe.Event `json:"watched"`
}

type player struct {
	*scenario.Scenario
	start   time.Time
	end     context.Context
	store   *apiserver.Store
	fleet   *kubelets.Fleet
	log     *observe.Log
	stream  *observe.Stream
	zones   observe.ZoneSampler
	leader  leader
	specs   map[string]scenario.Node
	outcome Outcome

	lifecycle       *controllers.Lifecycle
	stopControllers func()
	nextSample      time.Time
	firstPass       sync.Once
	background      sync.WaitGroup
}

// Scenario plays one from start to end. It must be called inside a synctest bubble.
func Scenario(s *scenario.Scenario) Outcome {
	end, finish := context.WithCancel(context.Background())
	p := newPlayer(s, end)
	p.setUp()
	p.startControllers()
	for _, step := range inOrder(s.Steps) {
		p.advance(step.At.Duration())
		p.perform(step)
	}
	p.advance(s.Until.Duration())
	p.stopControllers()
	finish()
	p.fleet.Wait()
	p.background.Wait()
	p.outcome.Trace = p.log.Sorted()
	p.outcome.Zones = p.zones.Samples
	p.outcome.Watched = p.stream.Events()
	return p.outcome
}

func newPlayer(s *scenario.Scenario, end context.Context) *player {
	store, log := apiserver.NewStore(), observe.NewLog()
	store.VersionsLeases = slices.ContainsFunc(s.Steps, func(one scenario.Step) bool { return one.Do == "touch-lease" })
	store.OnPodDelete = func(pod *v1.Pod, again bool) {
		kind := "pod-deleted"
		if again {
			kind = "pod-delete-again"
		}
		log.Add(observe.Action{Kind: kind, Pod: pod.Namespace + "/" + pod.Name, Node: pod.Spec.NodeName})
	}
	start := time.Now()
	return &player{
		Scenario: s,
		start:    start,
		end:      end,
		store:    store,
		fleet:    kubelets.NewFleet(store, s.LeaseRenewInterval.Duration(), s.NodeStatusReportInterval.Duration()),
		log:      log,
		stream:   observe.NewStream(log),
		leader:   leader{store: store},
		specs:    map[string]scenario.Node{},
		// A little after the whole second, when the API calls of that second have returned.
		nextSample: start.Add(50*time.Millisecond + 500*time.Microsecond),
	}
}

// setUp creates what exists when the controllers start.
func (p *player) setUp() {
	for _, node := range p.Nodes {
		p.specs[node.Name] = node
		p.store.AddNode(node.Object(p.start))
	}
	for _, pod := range p.Pods {
		p.store.AddPod(pod.Object())
	}
	p.observe()
	for _, node := range p.Nodes {
		if !node.NoLease && node.Ready != "none" {
			p.store.RenewLease(node.Name)
		}
		// The initial state for the recorders.
		p.store.ChangeNode(node.Name, func(*v1.Node) {})
	}
	for _, pod := range p.Pods {
		p.store.ReplacePod(pod.Object())
	}
	synctest.Wait()
	for i, node := range p.Nodes {
		if node.Silent {
			continue
		}
		firstAfter := time.Duration(i%10)*time.Second + 250*time.Millisecond
		if node.LeasePhase != nil {
			firstAfter = node.LeasePhase.Duration()
		}
		p.fleet.Start(p.end, node, firstAfter, false)
	}
}

func (p *player) observe() {
	compared, streamed := p.store.Watches(), p.store.Watches()
	compared["Lease"].Stop()
	p.background.Go(func() { p.log.Follow(p.end, compared["Node"], compared["Pod"]) })
	for kind, from := range streamed {
		p.background.Go(func() { p.stream.Follow(p.end, kind, from) })
	}
}

// startControllers starts a new process without any state.
func (p *player) startControllers() {
	ctx, cancel := context.WithCancel(p.end)
	leads := p.leader.lead(ctx)
	// Without a resync, some releases' informers wait on a channel from outside the bubble.
	var ended atomic.Bool
	newClient := func() kubernetes.Interface { return p.newClient(ended.Load) }
	factory := informers.NewSharedInformerFactory(newClient(), 1000*time.Hour)
	lifecycle, wait := controllers.Start(ctx, newClient, factory, p.Scenario, func() {
		p.firstPass.Do(func() { p.outcome.FirstPassAt = p.log.Now() })
	})
	p.lifecycle = lifecycle
	p.zones.Forget()
	p.stopControllers = func() {
		cancel()
		leads()
		wait()
		ended.Store(true)
		p.lifecycle = nil
		p.stopControllers = func() {}
	}
}

func (p *player) newClient(ended func() bool) kubernetes.Interface {
	return client.New(p.store.Clientset, p.Config.KubeAPIQPS, p.Config.KubeAPIBurst, func(event *v1.Event) {
		if event.Reason == "TaintManagerEviction" && strings.HasPrefix(event.Message, "Cancelling") {
			pod := event.InvolvedObject
			p.log.Add(observe.Action{Kind: "eviction-cancelled", Pod: pod.Namespace + "/" + pod.Name})
		}
	}, ended)
}

// advance advances to a time since the start, and samples the zones once a second.
func (p *player) advance(since time.Duration) {
	to := p.start.Add(since)
	for !p.nextSample.After(to) {
		time.Sleep(time.Until(p.nextSample))
		synctest.Wait()
		if p.lifecycle != nil {
			p.zones.Take(p.log.Now(), p.lifecycle.Zones())
		}
		p.nextSample = p.nextSample.Add(time.Second)
	}
	time.Sleep(time.Until(to))
	synctest.Wait()
}
