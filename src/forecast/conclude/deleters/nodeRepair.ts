import {compareValues} from '../../../core/collections/compareValues.ts';
import {maxOf} from '../../../core/collections/extremes.ts';
import {kept} from '../../../core/collections/kept.ts';
import {type Node, readyStatus} from '../../../core/model/node.ts';
import type {
	Machine,
	MachineFailure,
	NodeClaim,
	UnhealthyCondition,
} from '../../../core/model/repairObject.ts';
import {
	countUnhealthy,
	endMarkOf,
	repairDue,
	type UnhealthyCount,
} from '../../../core/noderepair/nodeRepair.ts';
import type {RepairDue} from '../../../core/noderepair/repairDue.ts';
import type {Repairer} from '../../../core/noderepair/repairer.ts';
import {claimedNodes, isMachineOf, poolLabel, repairersOf} from '../../../core/noderepair/repairers.ts';
import {type Duration, type Instant, minute, never, second} from '../../../core/time/instant.ts';
import {formatDuration} from '../../../dates/duration.ts';
import type {NodeRepair} from '../../nodeForecast.ts';
import type {NodeEvidence} from '../../observe/nodes/nodeEvidence.ts';
import {isReadyAndAlive, isSilent} from '../../observe/nodes/nodeLiveness.ts';
import {Range} from '../../range.ts';
import type {Simulated} from '../../simulate/simulated.ts';
import {clockTime} from '../../words.ts';
import {turnsUnknown} from '../nodeTurn.ts';
import {cloudDeletion, nodeEnd, podsFollow} from './cloudDeletion.ts';

/** The repairs of unhealthy nodes, determined once for a node and all of its pods. */
export class Repairs {
	readonly #simulated: Simulated;
	#all: ReturnType<typeof repairIn> | undefined;
	readonly #ofNodes = new Map<string, readonly NodeRepair[]>();

	constructor(simulated: Simulated) {
		this.#simulated = simulated;
	}

	/** The repairs of a node, the first to come first; none if it is healthy, or no repairer is known. */
	of(one: NodeEvidence): readonly NodeRepair[] {
		return kept(this.#ofNodes, one.node.name, () => this.#find(one));
	}

	#find(one: NodeEvidence): readonly NodeRepair[] {
		const {node} = one;
		this.#all ??= repairIn(this.#simulated);
		const found = this.#all.repairers.get(node.name) ?? [];
		// A node that Karpenter manages is in no node group; the cluster autoscaler repairs none.
		const isInGroup = found.every(({repairer}) => repairer.unneeded);
		const documented = isInGroup ? documentedFor(node) : undefined;
		const own = documented ? [...found, {repairer: documented, count: alone}] : found;
		const all = [
			...underWay(one, this.#all.ending.get(node.name) ?? [], this.#simulated),
			...own.flatMap(({repairer, count}) => repairBy(repairer, count, one, this.#simulated) ?? []),
		];
		const start = ({at}: NodeRepair) => at?.earliest ?? never;
		return all.toSorted((a, b) => compareValues(start(a), start(b)));
	}
}

/** A repairer that is assumed by documentation counts no other nodes. */
const alone: UnhealthyCount = {unhealthy: 1, total: 1, isAllowed: true};

/** Something that repairs nodes, and how many of its nodes are unhealthy. */
type CountedRepairer = {readonly repairer: Repairer; readonly count: UnhealthyCount};

/** By node name: the repairers, and the objects whose deletion ends the node. */
function repairIn({evidence, now}: Simulated) {
	const repairers = new Map<string, CountedRepairer[]>();
	const ending = new Map<string, (NodeClaim | Machine)[]>();
	const nodes = [...evidence.nodes.values()].map(({node}) => node);
	const isFalling = (name: string) => {
		const one = evidence.nodes.get(name);
		return one !== undefined && isSilent(one, now);
	};
	for (const repairer of repairersOf(evidence.repair.values(), nodes)) {
		const count = countUnhealthy(repairer, (name) => evidence.nodes.get(name)?.node, isFalling);
		for (const name of repairer.nodes)
			repairers.set(name, [...(repairers.get(name) ?? []), {repairer, count}]);
	}
	if (evidence.repair.size === 0) return {repairers, ending};
	const deleted = [...evidence.repair.values()].filter(
		(object): object is NodeClaim | Machine =>
			'deletionTimestamp' in object || ('expiresAt' in object && object.expiresAt < now + soon),
	);
	const claimed = claimedNodes(
		deleted.filter((object) => object.kind === 'NodeClaim'),
		nodes,
	);
	for (const object of deleted) {
		const node =
			object.kind === 'NodeClaim' ? claimed.get(object) : evidence.nodes.get(object.nodeName)?.node;
		if (!node || (object.kind === 'Machine' && !isMachineOf(object, node))) continue;
		ending.set(node.name, [...(ending.get(node.name) ?? []), object]);
	}
	return {repairers, ending};
}

/** The ends of a node that have already begun, and what its cloud does to it. */
function underWay(
	one: NodeEvidence,
	objects: readonly (NodeClaim | Machine)[],
	simulated: Simulated,
): readonly NodeRepair[] {
	const {node} = one;
	const {now} = simulated;
	const mark = endMarkOf(node);
	return [
		node.deletionTimestamp === undefined ? undefined : deletionOf(node, node.deletionTimestamp, now),
		cloudDeletion(one, simulated),
		mark &&
			begun(
				mark.by,
				`its mark ${mark.mark} says so: ${mark.by} may evict its pods, or stop or delete its machine, at any time`,
				now,
			),
		...objects.map((object) => {
			const {kind, name} = object;
			// Of a node that is well it belongs to no outage.
			if (object.deletionTimestamp === undefined)
				return isReadyAndAlive(one, now) ? undefined : expiryOf(object, now);
			const why = `the ${kind} of node ${node.name} is being deleted: its pods go, then its machine and the Node`;
			return begun(`${kind} ${name}`, why, now);
		}),
	].filter((end) => end !== undefined);
}

/** An expiry that is farther ahead is not told: an outage is over before. */
const soon: Duration = 60 * minute;

/** @upstream sigs.k8s.io/karpenter v1.14.1 pkg/controllers/nodeclaim/expiration/controller.go Reconcile */
function expiryOf(object: NodeClaim | Machine, now: Instant): NodeRepair | undefined {
	if (object.kind === 'Machine' || object.expiresAt === undefined) return undefined;
	const {name, expiresAt} = object;
	const why = `NodeClaim ${name} expires at ${clockTime(expiresAt)} (expireAfter): Karpenter then evicts the pods of its node and deletes it, however healthy it is, and whatever its disruption budgets allow`;
	return begun(`NodeClaim ${name}`, why, Math.max(now, expiresAt));
}

/** An end that takes the node's pods along from now on. */
const begun = (by: string, why: string, now: Instant): NodeRepair => ({
	by,
	why,
	isSure: true,
	endsPods: true,
	at: new Range(now, now, null),
});

/** The deletion of a Node that its finalizers hold. Karpenter's has the node drained first. */
function deletionOf({labels}: Node, since: Instant, now: Instant): NodeRepair {
	const by = 'the deletion of its Node';
	const why = `its Node has been deleted since ${clockTime(since)}, and goes once its finalizers are off`;
	return labels[poolLabel] === undefined
		? {...begun(by, `${why}: ${podsFollow}`, now), ...nodeEnd(since, now)}
		: begun(by, `${why}: Karpenter evicts its pods before`, now);
}

/** What a repairer does to a node; undefined if it considers the node healthy. */
function repairBy(
	repairer: Repairer,
	count: UnhealthyCount,
	one: NodeEvidence,
	situation: Simulated,
): NodeRepair | undefined {
	const {now} = situation;
	const due = repairDue(one.node, repairer);
	const ready = readyStatus(one.node);
	const isFalling = isSilent(one, now) && ready !== 'Unknown';
	const coming = isFalling ? turnDue(repairer.conditions, one, situation) : undefined;
	if (!due && !coming) return undefined;
	const stopped = repairer.stopped ?? (count.isAllowed ? undefined : overLimit(repairer, count));
	const reason = due?.reason ?? coming?.reason;
	const inTime = rangeOf(repairer, due?.at, coming?.at, now);
	const when = repairer.delays === undefined ? inTime : inTime.until(null);
	const doubt = [repairer.delays, repairer.doubt]
		.map((one) => (one === undefined ? '' : `; ${one}`))
		.join('');
	const {name: by, action, isTimeUnknown, looksAgainAfter} = repairer;
	const after = isTimeUnknown || !reason ? '' : ` ${reasonWords(reason)}`;
	const again = `it looks again within ${formatDuration(looksAgainAfter)}`;
	return {
		by,
		at: stopped === undefined && !isTimeUnknown ? when : null,
		isSure: repairer.doubt === undefined,
		endsPods: repairer.endsPods,
		why:
			stopped === undefined
				? `${by} ${action}${after}${doubt}`
				: `${by} repairs a node${after}, but not now: ${stopped}; ${again}${doubt}`,
	};
}

const reasonWords = (reason: RepairDue['reason']): string =>
	typeof reason === 'string'
		? `as ${failureWords[reason]}`
		: `after ${reason.type}=${reason.status} for ${formatDuration(reason.timeout)}`;

const failureWords: Readonly<Record<MachineFailure | 'unneeded', string>> = {
	phase: 'the phase of its Machine is Failed',
	annotation: 'the annotation cluster.x-k8s.io/remediate-machine of its Machine asks for it',
	unneeded:
		'its taint DeletionCandidateOfClusterAutoscaler has said for 20m (10m while it is Ready) that it is unneeded',
	failureReason: 'the status of its Machine tells of a failure',
};

const overLimit = ({limit}: Repairer, {unhealthy, total}: UnhealthyCount): string =>
	`${limit} are unhealthy (${unhealthy} of ${total})`;

/** When the timeout ends that starts once the node turns Unknown. */
function turnDue(conditions: readonly UnhealthyCondition[], one: NodeEvidence, situation: Simulated) {
	const condition = conditions.find(({type, status}) => type === 'Ready' && status === 'Unknown');
	const turn = condition && turnsUnknown(one, situation)?.range;
	if (!condition || !turn) return undefined;
	const {timeout} = condition;
	const latest = turn.latest === null ? null : turn.latest + timeout;
	// The time of a transition is truncated to seconds.
	return {
		reason: condition,
		at: new Range(turn.earliest - second + timeout, turn.expected + timeout, latest),
	};
}

/** When it acts. If that is already due, it waits for its next check. */
function rangeOf(
	{slack, looksAgainAfter}: Repairer,
	due: Instant | undefined,
	coming: Range | undefined,
	now: Instant,
): Range {
	if (due !== undefined && due + slack < now)
		return new Range(now, now + Math.min(looksAgainAfter, minute) / 2, now + looksAgainAfter);
	const ends = [due === undefined ? undefined : due + slack, coming?.latest].filter(
		(one) => one !== undefined,
	);
	const latest = ends.includes(null) ? null : maxOf(ends.map(Number));
	const earliest = Math.min(due ?? never, coming?.earliest ?? never);
	return new Range(
		earliest,
		due ?? coming?.expected ?? earliest,
		latest === null ? null : latest + slack,
	).notBefore(now);
}

/** Node repair of clouds that no object shows, by their documentation; `label` is on their nodes. */
const documentedRepairs: readonly (Pick<Repairer, 'name' | 'slack' | 'action' | 'endsPods'> & {
	readonly label: string;
	readonly timeout: Duration;
	readonly doubt: string;
	readonly page: string;
})[] = [
	{
		name: 'GKE node auto-repair',
		label: 'cloud.google.com/gke-nodepool',
		endsPods: true,
		timeout: 10 * minute,
		slack: 5 * minute,
		action: 'drains and recreates the node',
		doubt: 'whether it is on for its node pool cannot be seen (it is by default)',
		page: 'cloud.google.com/kubernetes-engine/docs/how-to/node-auto-repair',
	},
	{
		name: 'EKS node auto repair',
		label: 'eks.amazonaws.com/nodegroup',
		endsPods: true,
		timeout: 30 * minute,
		slack: 5 * minute,
		action: 'replaces the node',
		doubt: 'whether it is on for its node group cannot be seen (it is off by default)',
		page: 'docs.aws.amazon.com/eks/latest/userguide/node-repair.html',
	},
	{
		name: 'AKS node auto-repair',
		label: 'kubernetes.azure.com/agentpool',
		endsPods: false,
		timeout: 5 * minute,
		slack: 10 * minute,
		action: 'reboots the node, and reimages it where that does not help',
		doubt: 'its pods stay bound to it',
		page: 'learn.microsoft.com/azure/aks/node-auto-repair',
	},
];

/** An assumption that is stated as such: nothing in the cluster shows it. */
function documentedFor({name, labels}: Node): Repairer | undefined {
	const found = documentedRepairs.find(({label}) => labels[label] !== undefined);
	if (!found) return undefined;
	const {label: _, timeout, doubt, page, ...own} = found;
	return {
		...own,
		nodes: new Set([name]),
		counted: new Set([name]),
		unhealthyAnyway: 0,
		allows: () => true,
		limit: '',
		looksAgainAfter: 10 * minute,
		isTimeUnknown: false,
		conditions: [
			{type: 'Ready', status: 'False', timeout},
			{type: 'Ready', status: 'Unknown', timeout},
		],
		doubt: `${doubt}; the time is assumed by ${page}`,
	};
}
