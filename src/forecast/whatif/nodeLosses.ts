import {ascending} from '../../core/collections/ascending.ts';
import {grouped} from '../../core/collections/grouped.ts';
import {mapBy} from '../../core/collections/mapBy.ts';
import {isControlPlaneNode} from '../../core/model/node.ts';
import {isPodTerminal} from '../../core/model/pod.ts';
import type {Instant} from '../../core/time/instant.ts';
import {isWellNode, type NodeForecast} from '../nodeForecast.ts';
import type {PodForecast} from '../podForecast.ts';
import {Range} from '../range.ts';
import type {Change} from '../simulate/change.ts';
import {type PodChange, unchanged, type WhatIf} from './whatIf.ts';

/** The loss of one node, supposed. */
type NodeLoss = {readonly node: NodeForecast; readonly found: WhatIf};

/** The nodes that can be lost still. */
export const nodesToLose = (nodes: readonly NodeForecast[]) => nodes.filter(isWellNode);

/**
 * What the loss of each node would do, if it fell silent now. Of nodes that are alike only the two are simulated that renewed
 * first and last: if these lose their pods alike, the others lose theirs between them.
 *
 * @param pods all pods, as they are forecast
 */
export function* nodeLosses(
	nodes: readonly NodeForecast[],
	pods: readonly PodForecast[],
	now: Instant,
	ask: (changes: readonly Change[]) => WhatIf,
): Generator<NodeLoss> {
	const byNode = Map.groupBy(pods, ({node}) => node);
	const podsOf = ({name}: NodeForecast) => byNode.get(name) ?? [];
	const asked = (node: NodeForecast): NodeLoss => ({
		node,
		found: ask([{type: 'nodeDown', node: node.name, at: now}]),
	});
	for (const [, alike] of grouped(nodes, (node) => nodeKind(node, podsOf(node)))) {
		const renewedAt = ({lastRenewal}: NodeForecast) => lastRenewal ?? 0;
		const [first, ...others] = alike.toSorted(ascending(renewedAt));
		const last = others.pop();
		if (!first) continue;
		const ends = [first, ...(last ? [last] : [])].map(asked);
		yield* ends;
		const [one, other] = ends;
		const areAlike = one && other && summaryOf(one) === summaryOf(other);
		yield* others.map((node) => (areAlike ? between(node, podsOf(node), one, other) : asked(node)));
	}
}

/** Pods of a DaemonSet, static ones and those that have ended go with no node. */
const isOwn = ({owner, phase}: PodForecast) =>
	owner?.kind !== 'DaemonSet' && owner?.kind !== 'Node' && !isPodTerminal({phase});

/** Nodes of the same text lose their pods alike, but for when they renewed. */
function nodeKind(
	{name, zone, verdict, ready, lastRenewal, node}: NodeForecast,
	pods: readonly PodForecast[],
) {
	const own = pods.filter(isOwn);
	const isUnique =
		!node || isControlPlaneNode(node) || own.some(({object}) => object?.claims !== undefined || !object);
	const kinds = new Set(own.map(podKind));
	return JSON.stringify([
		isUnique ? name : '',
		[zone, verdict, ready, lastRenewal === null, node?.taints],
		[...kinds].toSorted(),
	]);
}

const podKind = ({verdict, ready, object}: PodForecast) =>
	JSON.stringify([verdict, ready, object?.phase, object?.deletionTimestamp, object?.tolerations]);

/** The change of each kind of a node's own pods. */
const changesOf = ({node, found}: NodeLoss) =>
	mapBy(
		found.pods.filter(({before}) => before.node === node.name && isOwn(before)),
		({before}) => podKind(before),
	);

/** What a loss does, without names and times of the node and its pods. */
function summaryOf(loss: NodeLoss): string {
	const {node, found} = loss;
	const outlook = ({effect, before, after}: PodChange) => [effect, before.verdict, after.verdict];
	return JSON.stringify([
		found.isControlled,
		found.changes.length,
		found.zones.map(({zone, before, after}) => [zone, before === after, after.steps.map(({state}) => state)]),
		[...changesOf(loss)].map(([kind, change]) => [kind, ...outlook(change)]).toSorted(),
		found.pods.filter(({before}) => before.node !== node.name).map(outlook),
	]);
}

/** The loss of a node that is like two others, and renewed between them. */
function between(
	node: NodeForecast,
	pods: readonly PodForecast[],
	first: NodeLoss,
	last: NodeLoss,
): NodeLoss {
	const [changes, others] = [changesOf(first), changesOf(last)];
	const {found} = first;
	const changeOf = (pod: PodForecast): PodChange => {
		const [one, other] = [changes, others].map((all) => (isOwn(pod) ? all.get(podKind(pod)) : undefined));
		if (!one || !other) return {...unchanged(pod), endings: {before: [], after: []}};
		const {verdict, eviction, cause, held, because} = one.after;
		const joined = Range.covering([eviction, other.after.eviction].flatMap((range) => range ?? []));
		return {...one, before: pod, after: {...pod, verdict, eviction: joined, cause, held, because}};
	};
	const end = last.found.nodes.find(({name}) => name === last.node.name);
	return {
		node,
		found: {
			...found,
			changes: [{type: 'nodeDown', node: node.name, at: found.at}],
			pods: [...found.pods.filter(({before}) => before.node !== first.node.name), ...pods.map(changeOf)],
			nodes: found.nodes.map((one) =>
				one.name === first.node.name
					? {
							...one,
							name: node.name,
							turnsAt: Range.covering([one.turnsAt, end?.turnsAt].flatMap((range) => range ?? [])),
						}
					: one,
			),
		},
	};
}
