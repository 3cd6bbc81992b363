//go:build !v1.16

package client

import (
	"context"

	v1 "k8s.io/api/core/v1"
	corev1 "k8s.io/client-go/kubernetes/typed/core/v1"
)

// Events wraps the calls of an event sink, whose names and parameters differ between releases.
func (c *core) Events(namespace string) corev1.EventInterface {
	return &events{c.CoreV1Interface.Events(namespace), c.pace, c.onEvent}
}

type events struct {
	corev1.EventInterface
	pace    *pace
	onEvent func(*v1.Event)
}

func (e *events) created(event *v1.Event) {
	e.pace.call()
	e.onEvent(event)
}

func (e *events) CreateWithEventNamespace(event *v1.Event) (*v1.Event, error) {
	e.created(event)
	return e.EventInterface.CreateWithEventNamespace(event)
}

func (e *events) PatchWithEventNamespace(event *v1.Event, patch []byte) (*v1.Event, error) {
	e.pace.call()
	return e.EventInterface.PatchWithEventNamespace(event, patch)
}

// sinkWithContext has the methods that newer releases call.
type sinkWithContext interface {
	CreateWithEventNamespaceWithContext(context.Context, *v1.Event) (*v1.Event, error)
	PatchWithEventNamespaceWithContext(context.Context, *v1.Event, []byte) (*v1.Event, error)
}

func (e *events) CreateWithEventNamespaceWithContext(ctx context.Context, event *v1.Event) (*v1.Event, error) {
	e.created(event)
	return e.EventInterface.(sinkWithContext).CreateWithEventNamespaceWithContext(ctx, event)
}

func (e *events) PatchWithEventNamespaceWithContext(ctx context.Context, event *v1.Event, patch []byte) (*v1.Event, error) {
	e.pace.call()
	return e.EventInterface.(sinkWithContext).PatchWithEventNamespaceWithContext(ctx, event, patch)
}
