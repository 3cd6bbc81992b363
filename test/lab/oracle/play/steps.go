package play

import (
	"sort"
	"strings"

	v1 "k8s.io/api/core/v1"

	"evictwatch.dev/oracle/scenario"
)

func inOrder(steps []scenario.Step) []scenario.Step {
	sorted := append([]scenario.Step(nil), steps...)
	sort.SliceStable(sorted, func(i, j int) bool { return sorted[i].At < sorted[j].At })
	return sorted
}

func (p *player) perform(step scenario.Step) {
	does, known := deeds[step.Do]
	if !known {
		panic("unknown step " + step.Do)
	}
	does(p, step)
}

// deeds are the possible steps. The vectors' documentation describes each.
var deeds = map[string]func(*player, scenario.Step){
	"stop-kubelet":      func(p *player, s scenario.Step) { p.fleet.Stop(s.Node) },
	"start-kubelet":     func(p *player, s scenario.Step) { p.fleet.Start(p.end, p.specs[s.Node], 0, true) },
	"add-node":          (*player).addNode,
	"delete-node":       (*player).deleteNode,
	"add-pod":           func(p *player, s scenario.Step) { p.store.AddPod(s.PodSpec.Object()) },
	"delete-pod":        (*player).deletePod,
	"add-taint":         (*player).addTaint,
	"remove-taint":      (*player).removeTaint,
	"set-tolerations":   (*player).setTolerations,
	"set-condition":     (*player).setCondition,
	"set-labels":        (*player).setLabels,
	"cordon":            func(p *player, s scenario.Step) { p.setUnschedulable(s.Node, true) },
	"uncordon":          func(p *player, s scenario.Step) { p.setUnschedulable(s.Node, false) },
	"stop-controllers":  func(p *player, _ scenario.Step) { p.stopControllers() },
	"start-controllers": func(p *player, _ scenario.Step) { p.startControllers() },
	"touch-lease":       func(p *player, s scenario.Step) { p.store.TouchLease(s.Node) },
	"snapshot":          func(p *player, _ scenario.Step) { p.snapshot() },
}

func (p *player) addNode(step scenario.Step) {
	spec := *step.NodeSpec
	if spec.CreatedAt == 0 {
		spec.CreatedAt = step.At
	}
	p.specs[spec.Name] = spec
	p.store.AddNode(spec.Object(p.start))
	if !spec.Silent {
		p.fleet.Start(p.end, spec, 0, spec.Ready != "none" && spec.Ready != "False")
	}
}

func (p *player) deleteNode(step scenario.Step) {
	p.fleet.Stop(step.Node)
	p.store.DeleteNode(step.Node)
}

func (p *player) deletePod(step scenario.Step) {
	namespace, name, _ := strings.Cut(step.Pod, "/")
	p.store.RemovePod(namespace, name)
}

func (p *player) addTaint(step scenario.Step) {
	p.store.ChangeNode(step.Node, func(node *v1.Node) { node.Spec.Taints = append(node.Spec.Taints, *step.Taint) })
}

func (p *player) removeTaint(step scenario.Step) {
	p.store.ChangeNode(step.Node, func(node *v1.Node) {
		var kept []v1.Taint
		for _, taint := range node.Spec.Taints {
			if taint.Key != step.Taint.Key || taint.Effect != step.Taint.Effect {
				kept = append(kept, taint)
			}
		}
		node.Spec.Taints = kept
	})
}

func (p *player) setTolerations(step scenario.Step) {
	namespace, name, _ := strings.Cut(step.Pod, "/")
	p.store.ChangePod(namespace, name, func(pod *v1.Pod) { pod.Spec.Tolerations = step.Tolerations })
}

func (p *player) setCondition(step scenario.Step) {
	p.store.ChangeNode(step.Node, func(node *v1.Node) {
		scenario.SetCondition(node, step.Condition.Type, step.Condition.Status, step.Condition.Reason)
	})
}

func (p *player) setLabels(step scenario.Step) {
	p.store.ChangeNode(step.Node, func(node *v1.Node) { node.Labels = step.Labels })
}

func (p *player) setUnschedulable(name string, unschedulable bool) {
	p.store.ChangeNode(name, func(node *v1.Node) { node.Spec.Unschedulable = unschedulable })
}

// snapshot lists everything; the stream is open between the first and the second.
func (p *player) snapshot() {
	p.outcome.Snapshots = append(p.outcome.Snapshots, p.store.List(p.log.Now()))
	p.stream.SetOpen(len(p.outcome.Snapshots) == 1)
}
