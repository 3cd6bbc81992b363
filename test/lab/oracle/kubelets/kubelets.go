// Package kubelets sends the heartbeats of kubelets that run no pods.
package kubelets

import (
	"context"
	"sync"
	"time"

	v1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"evictwatch.dev/oracle/apiserver"
	"evictwatch.dev/oracle/scenario"
)

// Fleet is the kubelets of a cluster. Its methods are not safe for concurrent use.
type Fleet struct {
	store                 *apiserver.Store
	renewEvery, postEvery time.Duration
	stops                 map[string]context.CancelFunc
	running               sync.WaitGroup
}

// NewFleet makes an empty fleet with these intervals of lease renewals and status updates.
func NewFleet(store *apiserver.Store, renewEvery, postEvery time.Duration) *Fleet {
	return &Fleet{store: store, renewEvery: renewEvery, postEvery: postEvery, stops: map[string]context.CancelFunc{}}
}

// Start runs a node's kubelet until it is stopped or the context ends; its first renewal is after firstAfter.
func (f *Fleet) Start(ctx context.Context, node scenario.Node, firstAfter time.Duration, postsReady bool) {
	ctx, stop := context.WithCancel(ctx)
	f.stops[node.Name] = stop
	f.store.SetKubelet(node.Name, true)
	f.running.Add(1)
	go func() {
		defer f.running.Done()
		if postsReady {
			f.store.ChangeNode(node.Name, postReady)
		}
		f.beat(ctx, node, firstAfter)
	}()
}

func (f *Fleet) beat(ctx context.Context, node scenario.Node, firstAfter time.Duration) {
	posted := time.Now()
	timer := time.NewTimer(firstAfter)
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-timer.C:
		}
		if !node.NoLease {
			f.store.RenewLease(node.Name)
		}
		if time.Since(posted) >= f.postEvery {
			posted = time.Now()
			f.store.ChangeNode(node.Name, refreshHeartbeats)
		}
		timer.Reset(f.renewEvery)
	}
}

// Stop stops a kubelet abruptly.
func (f *Fleet) Stop(node string) {
	if stop, runs := f.stops[node]; runs {
		stop()
		delete(f.stops, node)
	}
	f.store.SetKubelet(node, false)
}

// Wait waits for the kubelets whose context has ended.
func (f *Fleet) Wait() { f.running.Wait() }

func postReady(node *v1.Node) {
	scenario.SetCondition(node, v1.NodeReady, v1.ConditionTrue, "KubeletReady")
	for _, pressure := range scenario.Pressures {
		scenario.SetCondition(node, pressure, v1.ConditionFalse, "KubeletHas")
	}
}

func refreshHeartbeats(node *v1.Node) {
	now := metav1.NewTime(time.Now())
	for i := range node.Status.Conditions {
		node.Status.Conditions[i].LastHeartbeatTime = now
	}
}
