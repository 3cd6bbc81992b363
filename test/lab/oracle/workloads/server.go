//go:build !v1.16 && !v1.32

package workloads

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"time"

	v1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes/fake"
	clienttesting "k8s.io/client-go/testing"
	core "k8s.io/kubernetes/pkg/apis/core"
	corev1 "k8s.io/kubernetes/pkg/apis/core/v1"
	"k8s.io/kubernetes/pkg/registry/core/pod"

	"evictwatch.dev/oracle/observe"
)

// jobTracking is the finalizer with which the Job controller counts pods.
const jobTracking = "batch.kubernetes.io/job-tracking"

var pods = v1.SchemeGroupVersion.WithResource("pods")

// server is client-go's fake with what the controllers need of the API server, and with kubelets.
type server struct {
	*fake.Clientset
	scenario *scenario
	log      *observe.Log
	mu       sync.Mutex
	made     map[string]int
	versions int
}

func newServer(s *scenario) *server {
	server := &server{Clientset: fake.NewSimpleClientset(), scenario: s, log: observe.NewLog(), made: map[string]int{}}
	server.PrependReactor("create", "pods", server.create)
	server.PrependReactor("delete", "pods", server.delete)
	server.PrependReactor("patch", "pods", server.patch)
	return server
}

// create names a pod by its prefix and how many of that prefix there were.
func (s *server) create(action clienttesting.Action) (bool, runtime.Object, error) {
	made := action.(clienttesting.CreateAction).GetObject().(*v1.Pod)
	if made.Name != "" && s.pod(made.Name) != nil {
		return true, nil, apierrors.NewAlreadyExists(pods.GroupResource(), made.Name)
	}
	s.mu.Lock()
	prefix := made.GenerateName
	if prefix == "" {
		prefix = made.Name
	}
	s.made[prefix]++
	number := s.made[prefix]
	s.mu.Unlock()
	if made.Name == "" {
		made.Name = fmt.Sprintf("%sc%d", prefix, number)
	}
	made.Namespace = action.GetNamespace()
	made.UID = types.UID(fmt.Sprintf("%s-made-%d", made.Name, number))
	made.CreationTimestamp = metav1.NewTime(time.Now())
	made.Status.Phase = v1.PodPending
	made.ResourceVersion = s.version()
	if made.Spec.NodeName == "" {
		made.Spec.NodeName = targetOf(made)
	}
	s.log.Add(observe.Action{Kind: "create", Pod: made.Name, Detail: made.Annotations["batch.kubernetes.io/job-index-failure-count"]})
	if s.scenario.ReadyAfter >= 0 {
		uid, name := made.UID, made.Name
		go func() {
			time.Sleep(time.Duration(s.scenario.ReadyAfter * float64(time.Second)))
			s.change(name, func(pod *v1.Pod) {
				if pod.UID == uid && pod.DeletionTimestamp == nil && pod.Status.Phase == v1.PodPending {
					pod.Status.Phase = v1.PodRunning
					setReady(pod, v1.ConditionTrue)
				}
			})
		}()
	}
	return false, nil, nil
}

// targetOf is the node that a DaemonSet chose; other pods run on a node of no interest.
func targetOf(made *v1.Pod) string {
	if affinity := made.Spec.Affinity; affinity != nil && affinity.NodeAffinity != nil {
		for _, term := range affinity.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution.NodeSelectorTerms {
			for _, field := range term.MatchFields {
				return field.Values[0]
			}
		}
	}
	return "fresh"
}

func (s *server) delete(action clienttesting.Action) (bool, runtime.Object, error) {
	asked := action.(clienttesting.DeleteAction)
	if _, err := s.Tracker().Get(pods, asked.GetNamespace(), asked.GetName()); err != nil {
		return true, nil, err
	}
	s.log.Add(observe.Action{Kind: "delete", Pod: asked.GetName()})
	s.request(asked.GetName(), nil)
	return true, nil, nil
}

// request deletes as the API server does: CheckGracefulDelete decides for how long, and finalizers hold the object.
func (s *server) request(name string, period *int64) {
	found := s.pod(name)
	if found == nil {
		return
	}
	options := &metav1.DeleteOptions{GracePeriodSeconds: period}
	internal := &core.Pod{}
	must(corev1.Convert_v1_Pod_To_core_Pod(found, internal, nil))
	pod.Strategy.CheckGracefulDelete(context.Background(), internal, options)
	grace := *options.GracePeriodSeconds
	if known := found.DeletionGracePeriodSeconds; known != nil && *known <= grace {
		return
	}
	if grace == 0 && len(found.Finalizers) == 0 {
		must(s.Tracker().Delete(pods, found.Namespace, name))
		return
	}
	due := metav1.NewTime(time.Now().Add(time.Duration(grace) * time.Second))
	s.change(name, func(pod *v1.Pod) { pod.DeletionTimestamp, pod.DeletionGracePeriodSeconds = &due, &grace })
	if grace > 0 && s.lives(found.Spec.NodeName) {
		go s.end(name, found.UID)
	}
}

// end is what a kubelet does with a deleted pod.
func (s *server) end(name string, uid types.UID) {
	time.Sleep(time.Second)
	if found := s.pod(name); found == nil || found.UID != uid {
		return
	}
	s.change(name, func(pod *v1.Pod) { fail(pod, 137) })
	time.Sleep(time.Millisecond)
	none := int64(0)
	s.request(name, &none)
}

func (s *server) lives(node string) bool {
	for _, dead := range s.scenario.DeadNodes {
		if dead == node {
			return false
		}
	}
	return true
}

func (s *server) patch(action clienttesting.Action) (bool, runtime.Object, error) {
	handled, patched, err := clienttesting.ObjectReaction(s.Tracker())(action)
	s.change(action.(clienttesting.PatchAction).GetName(), func(*v1.Pod) {})
	return handled, patched, err
}

func (s *server) pod(name string) *v1.Pod {
	found, err := s.Tracker().Get(pods, "shop", name)
	if err != nil {
		return nil
	}
	return found.(*v1.Pod).DeepCopy()
}

func (s *server) change(name string, change func(*v1.Pod)) {
	found := s.pod(name)
	if found == nil {
		return
	}
	change(found)
	found.ResourceVersion = s.version()
	must(s.Tracker().Update(pods, found, found.Namespace))
	s.removeIfDone(name)
}

// version is a new resource version: controllers pass over updates that have none.
func (s *server) version() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.versions++
	return strconv.Itoa(s.versions)
}

func (s *server) removeIfDone(name string) {
	found := s.pod(name)
	if found != nil && found.DeletionTimestamp != nil && *found.DeletionGracePeriodSeconds == 0 && len(found.Finalizers) == 0 {
		must(s.Tracker().Delete(pods, found.Namespace, name))
	}
}

func setReady(pod *v1.Pod, status v1.ConditionStatus) { setCondition(pod, v1.PodReady, status) }

func setCondition(pod *v1.Pod, kind v1.PodConditionType, status v1.ConditionStatus) {
	made := v1.PodCondition{Type: kind, Status: status, LastTransitionTime: metav1.NewTime(time.Now())}
	for index, condition := range pod.Status.Conditions {
		if condition.Type == kind {
			if condition.Status != status {
				pod.Status.Conditions[index] = made
			}
			return
		}
	}
	pod.Status.Conditions = append(pod.Status.Conditions, made)
}

func fail(pod *v1.Pod, exitCode int32) {
	if pod.Status.Phase == v1.PodSucceeded || pod.Status.Phase == v1.PodFailed {
		return
	}
	pod.Status.Phase = v1.PodFailed
	setReady(pod, v1.ConditionFalse)
	if exitCode != 0 {
		pod.Status.ContainerStatuses = []v1.ContainerStatus{{
			Name:  "c",
			State: v1.ContainerState{Terminated: &v1.ContainerStateTerminated{ExitCode: exitCode, FinishedAt: metav1.NewTime(time.Now())}},
		}}
	}
}

func (s *server) release(name string) {
	s.change(name, func(pod *v1.Pod) {
		kept := []string{}
		for _, finalizer := range pod.Finalizers {
			if strings.HasPrefix(finalizer, jobTracking) {
				kept = append(kept, finalizer)
			}
		}
		pod.Finalizers = kept
	})
}
