import {compareValues} from '../../../core/collections/compareValues.ts';
import {maxOf} from '../../../core/collections/extremes.ts';
import {kept} from '../../../core/collections/kept.ts';
import {readyStatus} from '../../../core/model/node.ts';
import type {
	Machine,
	MachineFailure,
	NodeClaim,
	UnhealthyCondition,
} from '../../../core/model/repairObject.ts';
import {claimedNodes} from '../../../core/noderepair/karpenter.ts';
import {countUnhealthy, repairDue, type UnhealthyCount} from '../../../core/noderepair/nodeRepair.ts';
import type {RepairDue} from '../../../core/noderepair/repairDue.ts';
import type {Repairer} from '../../../core/noderepair/repairer.ts';
import {isMachineOf, repairersOf} from '../../../core/noderepair/repairers.ts';
import {type Instant, minute, never, second} from '../../../core/time/instant.ts';
import {formatDuration} from '../../../dates/duration.ts';
import type {NodeRepair} from '../../nodeForecast.ts';
import type {NodeEvidence} from '../../observe/nodes/nodeEvidence.ts';
import {isSilent} from '../../observe/nodes/nodeLiveness.ts';
import {Range} from '../../range.ts';
import type {Simulated} from '../../simulate/simulated.ts';
import {turnsUnknown} from '../nodeTurn.ts';
import {documentedFor} from './documentedRepairs.ts';
import {foreseenFor, underWay} from './nodeEnds.ts';

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
			('deletionTimestamp' in object && object.deletionTimestamp !== undefined) ||
			('expiresAt' in object && (object.expiresAt ?? never) < now + foreseenFor),
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
		...(reason !== 'unneeded' && {isRepair: true}),
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
