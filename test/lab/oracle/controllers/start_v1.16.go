//go:build v1.16

package controllers

import (
	"context"

	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/kubernetes/pkg/controller/nodelifecycle"

	"evictwatch.dev/oracle/scenario"
)

// Start starts the one controller of this release, which includes the taint manager, and calls onPass at each monitor pass.
// It ends with the context; wait waits for that.
func Start(ctx context.Context, newClient func() kubernetes.Interface, factory informers.SharedInformerFactory, s *scenario.Scenario, onPass func()) (lifecycle *Lifecycle, wait func()) {
	core, c := factory.Core().V1(), s.Config
	runsTaintManager, taintsNodesByCondition := c.TaintBasedEvictions, true
	nlc, err := nodelifecycle.NewNodeLifecycleController(
		factory.Coordination().V1beta1().Leases(), core.Pods(), passes{core.Nodes(), onPass}, factory.Apps().V1().DaemonSets(), newClient(),
		c.NodeMonitorPeriod.Duration()+s.MonitorPassDuration.Duration(), c.NodeStartupGracePeriod.Duration(), c.NodeMonitorGracePeriod.Duration(), c.PodEvictionTimeout.Duration(),
		c.NodeEvictionRate, c.SecondaryNodeEvictionRate, c.LargeClusterSizeThreshold, c.UnhealthyZoneThreshold,
		runsTaintManager, c.TaintBasedEvictions, taintsNodesByCondition)
	if err != nil {
		panic(err)
	}
	factory.Start(ctx.Done())
	factory.WaitForCacheSync(ctx.Done())
	done := make(chan struct{})
	go func() {
		defer close(done)
		nlc.Run(ctx.Done())
	}()
	return &Lifecycle{nlc}, func() { <-done }
}
