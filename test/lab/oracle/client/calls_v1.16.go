//go:build v1.16

package client

import (
	v1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

func (n *nodes) Get(name string, options metav1.GetOptions) (*v1.Node, error) {
	n.pace.call()
	return n.NodeInterface.Get(name, options)
}

func (n *nodes) UpdateStatus(node *v1.Node) (*v1.Node, error) {
	n.pace.call()
	return n.NodeInterface.UpdateStatus(node)
}

func (n *nodes) Patch(name string, kind types.PatchType, patch []byte, subresources ...string) (*v1.Node, error) {
	n.pace.call()
	return n.NodeInterface.Patch(name, kind, patch, subresources...)
}

func (p *pods) Get(name string, options metav1.GetOptions) (*v1.Pod, error) {
	p.pace.call()
	return p.PodInterface.Get(name, options)
}

// UpdateStatus takes time only if the client is throttled, as when the vectors without throttling were recorded.
func (p *pods) UpdateStatus(pod *v1.Pod) (*v1.Pod, error) {
	if p.pace.limiter != nil {
		p.pace.call()
	}
	return p.PodInterface.UpdateStatus(pod)
}

func (p *pods) Patch(name string, kind types.PatchType, patch []byte, subresources ...string) (*v1.Pod, error) {
	p.pace.call()
	return p.PodInterface.Patch(name, kind, patch, subresources...)
}

func (p *pods) Delete(name string, options *metav1.DeleteOptions) error {
	p.pace.call()
	return p.PodInterface.Delete(name, options)
}
