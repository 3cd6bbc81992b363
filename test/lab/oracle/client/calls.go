//go:build !v1.16

package client

import (
	"context"

	v1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

func (n *nodes) Get(ctx context.Context, name string, options metav1.GetOptions) (*v1.Node, error) {
	n.pace.call()
	return n.NodeInterface.Get(ctx, name, options)
}

func (n *nodes) UpdateStatus(ctx context.Context, node *v1.Node, options metav1.UpdateOptions) (*v1.Node, error) {
	n.pace.call()
	return n.NodeInterface.UpdateStatus(ctx, node, options)
}

func (n *nodes) Patch(ctx context.Context, name string, kind types.PatchType, patch []byte, options metav1.PatchOptions, subresources ...string) (*v1.Node, error) {
	n.pace.call()
	return n.NodeInterface.Patch(ctx, name, kind, patch, options, subresources...)
}

func (p *pods) Get(ctx context.Context, name string, options metav1.GetOptions) (*v1.Pod, error) {
	p.pace.call()
	return p.PodInterface.Get(ctx, name, options)
}

// UpdateStatus takes time only if the client is throttled, as when the vectors without throttling were recorded.
func (p *pods) UpdateStatus(ctx context.Context, pod *v1.Pod, options metav1.UpdateOptions) (*v1.Pod, error) {
	if p.pace.limiter != nil {
		p.pace.call()
	}
	return p.PodInterface.UpdateStatus(ctx, pod, options)
}

func (p *pods) Patch(ctx context.Context, name string, kind types.PatchType, patch []byte, options metav1.PatchOptions, subresources ...string) (*v1.Pod, error) {
	p.pace.call()
	return p.PodInterface.Patch(ctx, name, kind, patch, options, subresources...)
}

func (p *pods) Delete(ctx context.Context, name string, options metav1.DeleteOptions) error {
	p.pace.call()
	return p.PodInterface.Delete(ctx, name, options)
}
