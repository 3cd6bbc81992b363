// Package apiserver extends client-go's fake with what the controllers need of a real API server: optimistic concurrency for
// nodes, and pods that stay Terminating until a kubelet ends them.
package apiserver

import (
	"strconv"
	"sync"

	v1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes/fake"
	clienttesting "k8s.io/client-go/testing"
)

var (
	nodes = v1.SchemeGroupVersion.WithResource("nodes")
	pods  = v1.SchemeGroupVersion.WithResource("pods")
)

// Store holds the objects. The script and the kubelets bypass the controllers' clients, so their writes take no time.
type Store struct {
	Clientset *fake.Clientset
	// OnPodDelete is called for each deletion that a controller requests, before it takes effect.
	OnPodDelete func(pod *v1.Pod, again bool)

	// VersionsLeases gives leases resource versions.
	VersionsLeases bool

	mu           sync.Mutex
	running      map[string]bool
	leaseVersion int
}

// NewStore makes an empty store.
func NewStore() *Store {
	s := &Store{Clientset: fake.NewSimpleClientset(), running: map[string]bool{}}
	s.Clientset.PrependReactor("delete", "pods", s.deletePod)
	s.Clientset.PrependReactor("patch", "nodes", s.patchNode)
	s.Clientset.PrependReactor("update", "nodes", s.updateNode)
	s.Clientset.PrependReactor("update", "pods", s.updatePodStatus)
	return s
}

// SetKubelet sets whether a node's kubelet runs: deleted pods end only then.
func (s *Store) SetKubelet(node string, runs bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.running[node] = runs
}

func (s *Store) kubeletRuns(node string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.running[node]
}

func (s *Store) tracker() clienttesting.ObjectTracker { return s.Clientset.Tracker() }

// AddNode creates a node.
func (s *Store) AddNode(node *v1.Node) { must(s.tracker().Create(nodes, node, "")) }

// DeleteNode deletes a node and its lease, and leaves its pods.
func (s *Store) DeleteNode(name string) {
	must(s.tracker().Delete(nodes, "", name))
	_ = s.tracker().Delete(leases, v1.NamespaceNodeLease, name)
}

// ChangeNode changes an existing node without a controller's client.
func (s *Store) ChangeNode(name string, change func(*v1.Node)) {
	node, err := s.node(name)
	if err != nil {
		return
	}
	change(node)
	bump(&node.ObjectMeta)
	must(s.tracker().Update(nodes, node, ""))
}

func (s *Store) node(name string) (*v1.Node, error) {
	object, err := s.tracker().Get(nodes, "", name)
	if err != nil {
		return nil, err
	}
	return object.(*v1.Node).DeepCopy(), nil
}

// AddPod creates a pod.
func (s *Store) AddPod(pod *v1.Pod) { must(s.tracker().Create(pods, pod, pod.Namespace)) }

// ReplacePod overwrites an existing pod, whatever its version.
func (s *Store) ReplacePod(pod *v1.Pod) { must(s.tracker().Update(pods, pod, pod.Namespace)) }

// RemovePod removes a pod at once, if it exists.
func (s *Store) RemovePod(namespace, name string) { _ = s.tracker().Delete(pods, namespace, name) }

// ChangePod changes a pod, if it exists.
func (s *Store) ChangePod(namespace, name string, change func(*v1.Pod)) {
	object, err := s.tracker().Get(pods, namespace, name)
	if err != nil {
		return
	}
	pod := object.(*v1.Pod).DeepCopy()
	change(pod)
	s.ReplacePod(pod)
}

func bump(meta *metav1.ObjectMeta) {
	version, _ := strconv.Atoi(meta.ResourceVersion)
	meta.ResourceVersion = strconv.Itoa(version + 1)
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}
