//go:build !v1.16 && !v1.32

package workloads

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"
	"testing/synctest"
	"time"

	apps "k8s.io/api/apps/v1"
	batch "k8s.io/api/batch/v1"
	v1 "k8s.io/api/core/v1"
	policy "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/util/flowcontrol"
	"k8s.io/kubernetes/pkg/controller/daemon"
	"k8s.io/kubernetes/pkg/controller/disruption"
	"k8s.io/kubernetes/pkg/controller/job"
	"k8s.io/kubernetes/pkg/controller/replicaset"
	"k8s.io/kubernetes/pkg/controller/statefulset"

	"evictwatch.dev/oracle/observe"
)

// outcome is what the controllers did, and what their objects say in the end.
type outcome struct {
	Trace    []observe.Action  `json:"trace"`
	Statuses map[string]status `json:"statuses"`
}

// status is the part of an object's status that matters, by kind.
type status map[string]any

type player struct {
	*server
	running map[string]bool
}

// play plays a scenario in a synctest bubble.
func play(s *scenario) outcome {
	// The fake gives its objects no versions, for which the controllers would wait.
	must(utilfeature.DefaultMutableFeatureGate.Set("StaleControllerConsistencyReplicaSet=false,StaleControllerConsistencyStatefulSet=false," +
		"StaleControllerConsistencyDaemonSet=false,StaleControllerConsistencyJob=false"))
	p := &player{server: newServer(s), running: map[string]bool{}}
	for _, text := range s.Objects {
		p.apply(text)
	}
	start := time.Now()
	stop := p.start()
	for _, step := range s.Steps {
		advance(start, step.At)
		p.step(step)
	}
	advance(start, s.Until)
	statuses := p.statuses()
	trace := p.log.Sorted()
	stop()
	// The last kubelets end.
	time.Sleep(time.Minute)
	synctest.Wait()
	return outcome{trace, statuses}
}

func advance(start time.Time, seconds float64) {
	time.Sleep(time.Until(start.Add(time.Duration(seconds * float64(time.Second)))))
	synctest.Wait()
}

func (p *player) apply(text json.RawMessage) {
	name, wanted := decode(text)
	p.running[name] = true
	resource := kinds[name].resource
	if created := wanted.GetCreationTimestamp(); created.IsZero() {
		wanted.SetCreationTimestamp(metav1.NewTime(time.Now().Add(-time.Hour)))
	}
	wanted.SetResourceVersion(p.version())
	if _, err := p.Tracker().Get(resource, wanted.GetNamespace(), wanted.GetName()); err == nil {
		must(p.Tracker().Update(resource, wanted, wanted.GetNamespace()))
		return
	}
	must(p.Tracker().Create(resource, wanted, wanted.GetNamespace()))
}

func (p *player) step(s step) {
	switch {
	case s.Apply != nil:
		p.apply(s.Apply)
	case s.Evict != "":
		p.change(s.Evict, func(pod *v1.Pod) { setCondition(pod, v1.DisruptionTarget, v1.ConditionTrue) })
		p.request(s.Evict, nil)
	case s.Fail != "":
		p.change(s.Fail, func(pod *v1.Pod) { fail(pod, s.ExitCode) })
	case s.Succeed != "":
		p.change(s.Succeed, func(pod *v1.Pod) {
			if pod.Status.Phase != v1.PodFailed {
				pod.Status.Phase = v1.PodSucceeded
				setReady(pod, v1.ConditionFalse)
			}
		})
	case s.Unready != "":
		p.change(s.Unready, func(pod *v1.Pod) { setReady(pod, v1.ConditionFalse) })
	case s.Ready != "":
		p.change(s.Ready, func(pod *v1.Pod) {
			if pod.Status.Phase == v1.PodPending || pod.Status.Phase == v1.PodRunning {
				pod.Status.Phase = v1.PodRunning
				setReady(pod, v1.ConditionTrue)
			}
		})
	case s.Force != "":
		none := int64(0)
		p.request(s.Force, &none)
	case s.Release != "":
		p.release(s.Release)
	}
}

// start starts the controllers of the kinds that the scenario has.
func (p *player) start() func() {
	ctx, cancel := context.WithCancel(context.Background())
	factory := informers.NewSharedInformerFactory(p.Clientset, 0)
	podsOf := factory.Core().V1().Pods()
	var running sync.WaitGroup
	var runs []func()
	if p.running["ReplicaSet"] {
		c := replicaset.NewReplicaSetController(ctx, factory.Apps().V1().ReplicaSets(), podsOf, p.Clientset, replicaset.BurstReplicas)
		runs = append(runs, func() { c.Run(ctx, 1) })
	}
	if p.running["StatefulSet"] {
		c := statefulset.NewStatefulSetController(ctx, podsOf, factory.Apps().V1().StatefulSets(),
			factory.Core().V1().PersistentVolumeClaims(), factory.Apps().V1().ControllerRevisions(), p.Clientset)
		runs = append(runs, func() { c.Run(ctx, 1) })
	}
	if p.running["DaemonSet"] {
		c, err := daemon.NewDaemonSetsController(ctx, factory.Apps().V1().DaemonSets(), factory.Apps().V1().ControllerRevisions(),
			podsOf, factory.Core().V1().Nodes(), p.Clientset, flowcontrol.NewBackOff(time.Second, 15*time.Minute))
		must(err)
		runs = append(runs, func() { c.Run(ctx, 1) })
	}
	if p.running["Job"] {
		c, err := job.NewController(ctx, p.Clientset, podsOf, factory.Batch().V1().Jobs(),
			factory.Scheduling().V1alpha2().Workloads(), factory.Scheduling().V1alpha2().PodGroups())
		must(err)
		runs = append(runs, func() { c.Run(ctx, 1) })
	}
	if p.running["PodDisruptionBudget"] {
		c := disruption.NewDisruptionController(ctx, podsOf, factory.Policy().V1().PodDisruptionBudgets(),
			factory.Core().V1().ReplicationControllers(), factory.Apps().V1().ReplicaSets(), factory.Apps().V1().Deployments(),
			factory.Apps().V1().StatefulSets(), p.Clientset, nil, nil, nil)
		runs = append(runs, func() { c.Run(ctx) })
	}
	factory.Start(ctx.Done())
	for _, run := range runs {
		running.Go(run)
	}
	return func() {
		cancel()
		running.Wait()
		factory.Shutdown()
	}
}

func (p *player) statuses() map[string]status {
	statuses := map[string]status{}
	for name, kind := range kinds {
		list, err := p.Tracker().List(kind.resource, kind.resource.GroupVersion().WithKind(name), "shop")
		must(err)
		for _, one := range itemsOf(list) {
			if status := statusOf(one); status != nil {
				statuses[name+"/"+one.GetName()] = status
			}
		}
	}
	return statuses
}

func itemsOf(list any) []object {
	var items []object
	switch list := list.(type) {
	case *apps.ReplicaSetList:
		for index := range list.Items {
			items = append(items, &list.Items[index])
		}
	case *apps.StatefulSetList:
		for index := range list.Items {
			items = append(items, &list.Items[index])
		}
	case *apps.DaemonSetList:
		for index := range list.Items {
			items = append(items, &list.Items[index])
		}
	case *batch.JobList:
		for index := range list.Items {
			items = append(items, &list.Items[index])
		}
	case *policy.PodDisruptionBudgetList:
		for index := range list.Items {
			items = append(items, &list.Items[index])
		}
	}
	return items
}

func statusOf(one object) status {
	switch one := one.(type) {
	case *apps.ReplicaSet:
		return status{"replicas": one.Status.Replicas, "ready": one.Status.ReadyReplicas}
	case *apps.StatefulSet:
		return status{"ready": one.Status.ReadyReplicas}
	case *apps.DaemonSet:
		return status{"desired": one.Status.DesiredNumberScheduled, "ready": one.Status.NumberReady}
	case *batch.Job:
		ended := ""
		for _, condition := range one.Status.Conditions {
			if condition.Status == v1.ConditionTrue && (condition.Type == batch.JobFailed || condition.Type == batch.JobComplete) {
				ended = fmt.Sprintf("%s %s", condition.Type, condition.Reason)
			}
		}
		failedIndexes := ""
		if one.Status.FailedIndexes != nil {
			failedIndexes = *one.Status.FailedIndexes
		}
		return status{"active": one.Status.Active, "failed": one.Status.Failed, "succeeded": one.Status.Succeeded,
			"completedIndexes": one.Status.CompletedIndexes, "failedIndexes": failedIndexes, "ended": ended}
	case *policy.PodDisruptionBudget:
		return status{"currentHealthy": one.Status.CurrentHealthy, "desiredHealthy": one.Status.DesiredHealthy,
			"expectedPods": one.Status.ExpectedPods}
	}
	return nil
}
