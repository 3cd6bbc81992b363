package apiserver

import (
	"time"

	v1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	clienttesting "k8s.io/client-go/testing"
)

const gracePeriodSeconds = int64(30)

// deletePod deletes a pod at once if its kubelet runs; otherwise the pod only gets a deletionTimestamp, once.
func (s *Store) deletePod(action clienttesting.Action) (bool, runtime.Object, error) {
	asked := action.(clienttesting.DeleteAction)
	object, err := s.tracker().Get(pods, asked.GetNamespace(), asked.GetName())
	if err != nil {
		return true, nil, err
	}
	pod := object.(*v1.Pod).DeepCopy()
	isAgain := pod.DeletionTimestamp != nil
	s.OnPodDelete(pod, isAgain)
	if s.kubeletRuns(pod.Spec.NodeName) {
		must(s.tracker().Delete(pods, pod.Namespace, pod.Name))
		return true, nil, nil
	}
	if !isAgain {
		due, grace := metav1.NewTime(time.Now().Add(time.Duration(gracePeriodSeconds)*time.Second)), gracePeriodSeconds
		pod.DeletionTimestamp, pod.DeletionGracePeriodSeconds = &due, &grace
		s.ReplacePod(pod)
	}
	return true, pod, nil
}
