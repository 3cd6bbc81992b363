import {minOf} from '../../core/collections/extremes.ts';
import type {ControllerSettings} from '../../core/model/controllerSettings.ts';
import {zoneKey} from '../../core/model/zone.ts';
import {isExcludedFromDisruptionChecks} from '../../core/nodelifecycle/nodeLabels.ts';
import {countNode, type ZoneCount} from '../../core/nodelifecycle/zones/zoneState.ts';
import type {Duration, Instant} from '../../core/time/instant.ts';
import {evictionStartOf, leavesNoTrace} from './countdowns/evictionStart.ts';
import type {Evidence} from './evidence.ts';
import type {Interval} from './interval.ts';
import {
	type DeletedNode,
	type DeletedWaiting,
	deletedWhileWaiting,
	zonesLeftWaiting,
} from './nodes/deletedNodes.ts';
import {type NodeEvidence, namesOf} from './nodes/nodeEvidence.ts';
import {returnedAt, returnsMatterFor} from './nodes/nodeLiveness.ts';
import {overlookedNodes} from './nodes/overlooked.ts';

/** The nodes that are simulated one by one, and the counts of the healthy others by zone. */
export type AffectedNodes = Readonly<{
	nodes: readonly NodeEvidence[];
	others: ReadonlyMap<string, ZoneCount>;
	/** When each of them that is not ready was tainted or evicted, by name. */
	evictionStarts: ReadonlyMap<string, Interval>;
	/** The names of those whose eviction would leave no trace; empty where nodes are tainted. */
	traceless: ReadonlySet<string>;
	/** The nodes that became ready again recently. */
	returned: readonly {readonly zone: string; readonly at: Interval}[];
	/** The nodes that were recently deleted, or changed how they count, each with its eviction start. */
	deleted: readonly (DeletedNode & {readonly evictionStart: Interval | undefined})[];
	/** The nodes that were deleted while they may have waited for their taint. */
	deletedWaiting: readonly DeletedWaiting[];
	/** The names of those on which the node lifecycle controller does not act (`overlookedNodes`). */
	overlooked: ReadonlySet<string>;
	/** The zones that affected nodes left while they waited for their taint, by name (`zonesLeftWaiting`). */
	zonesLeft: ReadonlyMap<string, readonly string[]>;
	/** Deleted and missing nodes that may have counted for a zone; the zone is undefined if the node was never seen. */
	mayHaveCounted: readonly {readonly zone: string | undefined; readonly at: Interval}[];
}>;

/** Grouped once for all zones, of which there may be as many as nodes. */
const grouped = new WeakMap<AffectedNodes['nodes'], ReadonlyMap<string, AffectedNodes['nodes']>>();

/** The affected nodes of a zone. */
export function nodesIn(zone: string, {nodes}: AffectedNodes): AffectedNodes['nodes'] {
	const byZone = grouped.get(nodes) ?? Map.groupBy(nodes, ({node}) => zoneKey(node));
	grouped.set(nodes, byZone);
	return byZone.get(zone) ?? [];
}

/** Stands for the zones of nodes of which only is known that they are there. */
export const unseenZone = '\0';

/**
 * Selects the nodes with which something is or may be wrong; counts the others by zone.
 *
 * @param longestGrace the longest grace period that is possible
 */
export function findAffectedNodes(
	evidence: Evidence,
	now: Instant,
	settings: ControllerSettings,
	longestGrace: Duration = settings.nodeMonitorGracePeriod,
): AffectedNodes {
	const remembered = returnsMatterFor(settings);
	const others = new Map<string, ZoneCount>();
	const nodes: NodeEvidence[] = [];
	for (const one of evidence.nodes.values()) {
		if (evidence.isAffected(one, now)) {
			nodes.push(one);
		} else if (!isExcludedFromDisruptionChecks(one.node, settings)) {
			countNode(others, zoneKey(one.node), true);
		}
	}
	// Unseen nodes are likelier well than not, and so not all zones are down.
	for (const _ of evidence.unseenNodes) countNode(others, unseenZone, true);
	const returned = nodes.flatMap((one) => {
		const at = returnedAt(one, now, remembered);
		return at ? [{zone: zoneKey(one.node), at}] : [];
	});
	const deleted = evidence.deletedNodes
		.since(now - remembered)
		.map((one) => ({...one, evictionStart: evictionStartOf(one.one, evidence, settings)}));
	const evictionStarts = nodes.flatMap((one): readonly [string, Interval][] => {
		const start = evictionStartOf(one, evidence, settings);
		return start ? [[one.node.name, start]] : [];
	});
	const sorted = nodes.toSorted((a, b) => (a.node.name < b.node.name ? -1 : 1));
	const traceless = settings.taintBasedEvictions ? [] : nodes.filter((one) => leavesNoTrace(one, evidence));
	return {
		nodes: sorted,
		others,
		evictionStarts: new Map(evictionStarts),
		traceless: namesOf(traceless),
		overlooked: overlookedNodes({evidence, affected: {nodes}, settings, now}, longestGrace),
		returned,
		deleted,
		deletedWaiting: [...deletedWhileWaiting(deleted), ...missingWhileWaiting(evidence)],
		zonesLeft: zonesLeftWaiting(deleted, evidence.nodes),
		mayHaveCounted: nodesThatMayHaveCounted(evidence),
	};
}

function nodesThatMayHaveCounted({deletedNodes, missingNodes}: Evidence): AffectedNodes['mayHaveCounted'] {
	const unseen = missingNodes.nodes.filter(({wasSeen}) => !wasSeen);
	return [...deletedNodes.byZone, ...unseen.map(({missing}) => ({zone: undefined, at: missing}))];
}

/** The missing nodes that were never seen, and were found silent: their pods are marked. New controllers queue them again. */
const missingWhileWaiting = ({missingNodes, pods, controllersStarted}: Evidence): readonly DeletedWaiting[] =>
	missingNodes.nodes.flatMap(({name, wasSeen, missing}) => {
		if (wasSeen || missing.hi < controllersStarted.lo) return [];
		const marks = pods
			.onNode(name)
			.flatMap(({ready, readyChangedAt}) => (ready === 'False' ? (readyChangedAt ?? []) : []));
		return marks.length > 0 ? [{name, zone: undefined, at: missing, since: minOf(marks)}] : [];
	});
