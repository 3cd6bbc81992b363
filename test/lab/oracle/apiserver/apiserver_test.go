package apiserver

import (
	"encoding/json"
	"testing"

	v1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	clienttesting "k8s.io/client-go/testing"
)

func storeWithNode(t *testing.T) (*Store, *v1.Node) {
	t.Helper()
	store := NewStore()
	store.AddNode(&v1.Node{ObjectMeta: metav1.ObjectMeta{Name: "a"}})
	node, err := store.node("a")
	if err != nil {
		t.Fatal(err)
	}
	return store, node
}

func TestAnUpdateOfAnOldVersionIsRefused(t *testing.T) {
	store, old := storeWithNode(t)
	store.ChangeNode("a", func(node *v1.Node) { node.Spec.Unschedulable = true })
	_, _, err := store.updateNode(clienttesting.NewUpdateAction(nodes, "", old))
	if !apierrors.IsConflict(err) {
		t.Fatalf("expected a conflict, got %v", err)
	}
}

func TestAStatusUpdateLeavesTheRest(t *testing.T) {
	store, wanted := storeWithNode(t)
	wanted.Spec.Unschedulable = true
	wanted.Status.Phase = v1.NodeRunning
	if _, _, err := store.updateNode(clienttesting.NewUpdateSubresourceAction(nodes, "status", "", wanted)); err != nil {
		t.Fatal(err)
	}
	node, _ := store.node("a")
	if node.Spec.Unschedulable || node.Status.Phase != v1.NodeRunning {
		t.Fatalf("got %+v", node)
	}
}

func TestAPatchIsRefusedWhereItNamesAnOldVersion(t *testing.T) {
	store, _ := storeWithNode(t)
	store.ChangeNode("a", func(*v1.Node) {})
	for version, isRefused := range map[string]bool{"": false, "7": true} {
		patch, err := json.Marshal(map[string]any{"metadata": map[string]any{"resourceVersion": version, "labels": map[string]string{"zone": "b"}}})
		must(err)
		_, _, err = store.patchNode(clienttesting.NewPatchAction(nodes, "", "a", types.StrategicMergePatchType, patch))
		if apierrors.IsConflict(err) != isRefused {
			t.Fatalf("with version %q: %v", version, err)
		}
	}
	if node, _ := store.node("a"); node.Labels["zone"] != "b" {
		t.Fatal("the patch that names no version was not applied")
	}
}

func TestADeletedPodLingersWhereNoKubeletRuns(t *testing.T) {
	store := NewStore()
	var again []bool
	store.OnPodDelete = func(_ *v1.Pod, isAgain bool) { again = append(again, isAgain) }
	store.SetKubelet("alive", true)
	for _, node := range []string{"alive", "dead"} {
		store.AddPod(&v1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: node}, Spec: v1.PodSpec{NodeName: node}})
		for range 2 {
			_, _, _ = store.deletePod(clienttesting.NewDeleteAction(pods, "default", node))
		}
	}
	left := store.List(0).Pods
	if len(left) != 1 || left[0].Name != "dead" || left[0].DeletionTimestamp == nil {
		t.Fatalf("left: %+v", left)
	}
	if len(again) != 3 || again[0] || again[1] || !again[2] {
		t.Fatalf("told of %v", again)
	}
}

func TestAWriterOfAPodsStatusTakesNoDeletionBack(t *testing.T) {
	store := NewStore()
	store.OnPodDelete = func(*v1.Pod, bool) {}
	seen := &v1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "p"}, Spec: v1.PodSpec{NodeName: "dead"}}
	store.AddPod(seen.DeepCopy())
	_, _, _ = store.deletePod(clienttesting.NewDeleteAction(pods, "default", "p"))
	seen.Status.Reason = "NodeLost"
	if _, _, err := store.updatePodStatus(clienttesting.NewUpdateSubresourceAction(pods, "status", "default", seen)); err != nil {
		t.Fatal(err)
	}
	if pod := store.List(0).Pods[0]; pod.DeletionTimestamp == nil || pod.Status.Reason != "NodeLost" {
		t.Fatalf("got %+v", pod)
	}
}
