package apiserver

import (
	"encoding/json"

	v1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/strategicpatch"
	clienttesting "k8s.io/client-go/testing"
)

// patchNode applies a strategic merge patch; it refuses a patch with an outdated resourceVersion.
func (s *Store) patchNode(action clienttesting.Action) (bool, runtime.Object, error) {
	patch := action.(clienttesting.PatchAction)
	current, err := s.node(patch.GetName())
	if err != nil {
		return true, nil, err
	}
	var head struct {
		Metadata struct{ ResourceVersion string }
	}
	must(json.Unmarshal(patch.GetPatch(), &head))
	if based := head.Metadata.ResourceVersion; based != "" && based != current.ResourceVersion {
		return true, nil, conflict(patch.GetName())
	}
	before, err := json.Marshal(current)
	must(err)
	after, err := strategicpatch.StrategicMergePatch(before, patch.GetPatch(), v1.Node{})
	must(err)
	patched := &v1.Node{}
	must(json.Unmarshal(after, patched))
	patched.ResourceVersion = current.ResourceVersion
	return true, s.write(patched), nil
}

// updateNode replaces a node or its status, if the writer has read the current version.
func (s *Store) updateNode(action clienttesting.Action) (bool, runtime.Object, error) {
	wanted := action.(clienttesting.UpdateAction).GetObject().(*v1.Node)
	current, err := s.node(wanted.Name)
	if err != nil {
		return true, nil, err
	}
	if wanted.ResourceVersion != current.ResourceVersion {
		return true, nil, conflict(wanted.Name)
	}
	if action.GetSubresource() == "status" {
		current.Status = *wanted.Status.DeepCopy()
	} else {
		current = wanted.DeepCopy()
	}
	return true, s.write(current), nil
}

// updatePodStatus replaces only a pod's status, so that a writer with an old version does not undo a deletion. A real API
// server would report a conflict, and the writer would retry at once; pods have no versions here, so the write succeeds.
func (s *Store) updatePodStatus(action clienttesting.Action) (bool, runtime.Object, error) {
	if action.GetSubresource() != "status" {
		return false, nil, nil
	}
	wanted := action.(clienttesting.UpdateAction).GetObject().(*v1.Pod)
	object, err := s.tracker().Get(pods, wanted.Namespace, wanted.Name)
	if err != nil {
		return true, nil, err
	}
	pod := object.(*v1.Pod).DeepCopy()
	pod.Status = *wanted.Status.DeepCopy()
	s.ReplacePod(pod)
	return true, pod, nil
}

func (s *Store) write(node *v1.Node) *v1.Node {
	bump(&node.ObjectMeta)
	must(s.tracker().Update(nodes, node, ""))
	return node
}

func conflict(node string) error { return apierrors.NewConflict(nodes.GroupResource(), node, nil) }
