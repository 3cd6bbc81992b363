//go:build !v1.16

package controllers

import (
	"context"
	"sync"

	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/component-base/metrics/legacyregistry"
	"k8s.io/kubernetes/pkg/controller/nodelifecycle"
	"k8s.io/kubernetes/pkg/controller/tainteviction"

	"evictwatch.dev/oracle/scenario"
)

// Start starts both controllers as kube-controller-manager does, each with its own client, and calls onPass at each monitor
// pass. The controllers end with the context; wait waits for that.
func Start(ctx context.Context, newClient func() kubernetes.Interface, factory informers.SharedInformerFactory, s *scenario.Scenario, onPass func()) (lifecycle *Lifecycle, wait func()) {
	legacyregistry.Reset()
	nodelifecycle.Register()
	core, c := factory.Core().V1(), s.Config
	nlc, err := nodelifecycle.NewNodeLifecycleController(ctx,
		factory.Coordination().V1().Leases(), core.Pods(), passes{core.Nodes(), onPass}, factory.Apps().V1().DaemonSets(), newClient(),
		c.NodeMonitorPeriod.Duration()+s.MonitorPassDuration.Duration(), c.NodeStartupGracePeriod.Duration(), c.NodeMonitorGracePeriod.Duration(),
		c.NodeEvictionRate, c.SecondaryNodeEvictionRate, c.LargeClusterSizeThreshold, c.UnhealthyZoneThreshold)
	if err != nil {
		panic(err)
	}
	tec, err := tainteviction.New(ctx, newClient(), core.Pods(), core.Nodes(), "taint-eviction-controller")
	if err != nil {
		panic(err)
	}
	factory.Start(ctx.Done())
	factory.WaitForCacheSync(ctx.Done())
	var running sync.WaitGroup
	running.Go(func() { nlc.Run(ctx) })
	running.Go(func() { tec.Run(ctx) })
	return &Lifecycle{nlc}, func() { running.Wait(); factory.Shutdown() }
}
