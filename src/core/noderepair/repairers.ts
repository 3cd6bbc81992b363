import {mapBy} from '../collections/mapBy.ts';
import type {Node} from '../model/node.ts';
import {nameOf} from '../model/objectName.ts';
import type {Machine, MachineHealthCheck, NodeHealthCheck, RepairObject} from '../model/repairObject.ts';
import {selects} from '../model/workloads/selects.ts';
import {type Duration, second} from '../time/instant.ts';
import {autoscalerRepairers} from './clusterAutoscaler.ts';
import {karpenterRepairers} from './karpenter.ts';
import {conditionsDue, firstDue, type RepairDue} from './repairDue.ts';
import type {Repairer} from './repairer.ts';
import {machineLimit, nodeLimit} from './repairLimit.ts';

/** Finds the controllers that repair a cluster's nodes, from their objects. */
export function repairersOf(objects: Iterable<RepairObject>, nodes: readonly Node[]): readonly Repairer[] {
	const all = [...objects];
	const only = <Kind extends RepairObject['kind']>(kind: Kind) =>
		all.filter((one): one is Extract<RepairObject, {kind: Kind}> => one.kind === kind);
	const machines = only('Machine');
	return [
		...autoscalerRepairers(nodes),
		...karpenterRepairers(only('NodeClaim'), nodes),
		...only('MachineHealthCheck').map((check) => ofMachineCheck(check, machines, nodes)),
		...only('NodeHealthCheck').map((check) => ofNodeCheck(check, nodes)),
	];
}

/**
 * A MachineHealthCheck of Cluster API only asks the owner of a Machine to replace it.
 *
 * @upstream github.com/openshift/machine-api-operator v0.2.1-0.20260226113419-88465550a74b pkg/controller/machinehealthcheck/machinehealthcheck_controller.go Reconcile
 * @upstream sigs.k8s.io/cluster-api v1.14.2 core/reconcilers/machinehealthcheck/machinehealthcheck_controller.go reconcile
 */
function ofMachineCheck(
	check: MachineHealthCheck,
	machines: readonly Machine[],
	nodes: readonly Node[],
): Repairer {
	const {group, namespace, name, conditions, maxUnhealthy, unhealthyRange} = check;
	const byName = mapBy(nodes, nameOf);
	const targets = machines.filter((machine) => isTarget(machine, check));
	const withNode = targets.filter((machine) => {
		const node = byName.get(machine.nodeName);
		return node !== undefined && isMachineOf(machine, node);
	});
	// A Machine that is being deleted counts as unhealthy, whatever its node's state.
	const counted = withNode.filter(
		({deletionTimestamp, isBeingRepaired = false}) => deletionTimestamp === undefined && !isBeingRepaired,
	);
	return {
		name: `MachineHealthCheck ${namespace}/${name}`,
		// External remediation deletes no Machine, so a Machine needs no set that replaces it.
		nodes: new Set(
			withNode.filter(({isControlled}) => isControlled || check.isExternal).map(({nodeName}) => nodeName),
		),
		counted: new Set(counted.map(({nodeName}) => nodeName)),
		unhealthyAnyway: targets.length - counted.length,
		conditions,
		machineDue: new Map(
			withNode.flatMap((machine): readonly [string, RepairDue][] => {
				const due = dueOf(machine, check);
				return due ? [[machine.nodeName, due]] : [];
			}),
		),
		allows: machineLimit(maxUnhealthy, unhealthyRange),
		limit:
			unhealthyRange === undefined
				? `more than ${maxUnhealthy} of its nodes (maxUnhealthy)`
				: `a number of its nodes outside of ${unhealthyRange} (unhealthyRange)`,
		looksAgainAfter: longestBackoff,
		...(group === openShift ? ofOpenShift(check) : ofClusterApi(check)),
		isTimeUnknown: false,
		endsPods: true,
		...(check.isPaused && {stopped: 'it is paused'}),
	};
}

const openShift = 'machine.openshift.io';

const isTarget = (machine: Machine, {group, namespace, cluster, selector}: MachineHealthCheck) =>
	machine.group === group &&
	machine.namespace === namespace &&
	!machine.isSkipped &&
	(cluster === '' || machine.labels[clusterLabel] === cluster) &&
	selects(selector, machine.labels);

const dueOf = (
	{failure, conditions = []}: Machine,
	{machineConditions = []}: MachineHealthCheck,
): RepairDue | undefined =>
	firstDue([
		failure && {at: Number.NEGATIVE_INFINITY, reason: failure},
		conditionsDue(conditions, machineConditions),
	]);

type HowItRepairs = Pick<Repairer, 'slack' | 'delays' | 'doubt' | 'action'>;

const ofOpenShift = ({isExternal}: MachineHealthCheck): HowItRepairs => ({
	slack: 2 * second,
	...(isExternal
		? {doubt: 'what its external remediation does cannot be seen', action: 'requests its remediation'}
		: {action: 'deletes its Machine: its pods are drained, then its machine and the Node are deleted'}),
});

/**
 * Since v1.13 it checks every 15 s at most.
 *
 * @quirk where a template is given, one request that is there keeps those behind it in the list from being made
 * @upstream sigs.k8s.io/cluster-api v1.14.2 core/reconcilers/machinehealthcheck/machinehealthcheck_controller.go patchUnhealthyTargets
 * @upstream sigs.k8s.io/cluster-api v1.14.2 core/reconcilers/machineset/machineset_controller.go reconcileUnhealthyMachines
 */
const ofClusterApi = ({isExternal}: MachineHealthCheck): HowItRepairs => ({
	slack: 17 * second,
	...(isExternal
		? {
				delays: 'while the remediation of another machine lasts, its own may not be requested',
				doubt: 'what its remediation template does cannot be seen',
				action: 'requests its remediation',
			}
		: {
				delays:
					'its owner may delay that: a MachineSet by maxInFlight or preflight checks, a control plane until it is safe',
				action:
					'has its Machine replaced by its owner: its pods are drained, then its machine and the Node are deleted',
			}),
});

const clusterLabel = 'cluster.x-k8s.io/cluster-name';

/** Whether a Machine belongs to a Node. A Machine of another cluster may have a node of the same name. */
export const isMachineOf = ({nodeName, providerId}: Machine, node: Node) =>
	nodeName === node.name &&
	(providerId === '' || node.providerId === undefined || providerId === node.providerId);

/** The upper limit of a reconciler's exponential backoff. */
const longestBackoff: Duration = 1000 * second;

/** A node with this label set to true is not repaired; older releases ignore the value. */
const excludedLabel = 'remediation.medik8s.io/exclude-from-remediation';

/**
 * @quirk a node that is excluded from remediation counts as unhealthy all the same
 * @upstream github.com/medik8s/node-healthcheck-operator v0.0.0-00010101000000-1cf0d07c01b6 internal/controller/nodehealthcheck_controller.go Reconcile
 */
function ofNodeCheck(check: NodeHealthCheck, nodes: readonly Node[]): Repairer {
	const {name, selector, conditions, minHealthy, maxUnhealthy, template, isPaused} = check;
	const selected = nodes.filter(({labels}) => selects(selector, labels));
	const namesOf = (some: readonly Node[]) => new Set(some.map(nameOf));
	return {
		name: `NodeHealthCheck ${name}`,
		nodes: namesOf(selected.filter(({labels}) => labels[excludedLabel] !== 'true')),
		counted: namesOf(selected),
		unhealthyAnyway: 0,
		conditions,
		allows: nodeLimit(minHealthy, maxUnhealthy),
		limit:
			maxUnhealthy === undefined
				? `so many that fewer than ${minHealthy ?? '51%'} of its nodes are healthy (minHealthy)`
				: `more than ${maxUnhealthy} of its nodes (maxUnhealthy)`,
		looksAgainAfter: longestBackoff,
		slack: 2 * second,
		delays:
			'an upgrade of the cluster, a lease that somebody else holds, another control plane node, or its cooldown after too many were unhealthy may delay that',
		isTimeUnknown: false,
		endsPods: true,
		...(isPaused && {stopped: 'it is paused or disabled'}),
		action: `starts its remediation${template === '' ? '' : ` (${template})`}: the node is fenced, and its pods are deleted`,
	};
}
