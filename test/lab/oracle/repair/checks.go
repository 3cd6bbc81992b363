//go:build machineapi || clusterapi

package repair

import (
	"context"
	"encoding/json"
	"io"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/tools/record"
	"k8s.io/klog/v2"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/manager"
)

func init() {
	klog.LogToStderr(false)
	klog.SetOutput(io.Discard)
}

// heard is a manager with our event recorder.
type heard struct {
	manager.Manager
	events *events
}

func hear(m manager.Manager, p *player) heard {
	return heard{m, &events{player: p, last: map[string]time.Time{}}}
}

func (h heard) GetEventRecorderFor(string) record.EventRecorder { return h.events }

// events records the checks whose limit blocks repairs: each once, until it has not been blocked for a second.
type events struct {
	*player
	mu   sync.Mutex
	last map[string]time.Time
}

func (e *events) Event(of runtime.Object, _, reason, _ string) {
	if reason != "RemediationRestricted" {
		return
	}
	name := of.(client.Object).GetName()
	e.mu.Lock()
	defer e.mu.Unlock()
	if last, known := e.last[name]; !known || time.Since(last) > time.Second {
		e.add(action{Kind: "repair-blocked", Detail: name})
	}
	e.last[name] = time.Now()
}

func (e *events) Eventf(of runtime.Object, kind, reason, message string, _ ...any) {
	e.Event(of, kind, reason, message)
}

func (e *events) AnnotatedEventf(of runtime.Object, _ map[string]string, kind, reason, message string, _ ...any) {
	e.Event(of, kind, reason, message)
}

// template is the template of remediation requests for checks that name one; nothing handles these requests.
func template(namespace string) client.Object {
	return &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "remediation.example.com/v1",
		"kind":       "ExampleRemediationTemplate",
		"metadata":   map[string]any{"namespace": namespace, "name": "example"},
		"spec":       map[string]any{"template": map[string]any{"spec": map[string]any{}}},
	}}
}

// requested records a request for remediation when it is created.
func (p *player) requested(ctx context.Context, o client.Object) {
	if ctx.Value(own{}) == nil && o.GetObjectKind().GroupVersionKind().Kind == "ExampleRemediation" {
		p.add(action{Kind: "remediation-requested", Detail: o.GetName()})
	}
}

// decodeAs reads a Node, a Machine or a check, and adds an existing node's UID, which vectors leave out.
func decodeAs(text json.RawMessage, machine, check client.Object) client.Object {
	var head metav1.TypeMeta
	must(json.Unmarshal(text, &head))
	decoded := check
	switch head.Kind {
	case "Node":
		decoded = &corev1.Node{}
	case "Machine":
		decoded = machine
	}
	must(json.Unmarshal(text, decoded))
	if node, is := decoded.(*corev1.Node); is {
		node.UID = "uid-of-" + types.UID(node.Name)
	}
	return decoded
}
