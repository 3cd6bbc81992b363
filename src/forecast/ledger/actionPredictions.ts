import {maxOf} from '../../core/collections/extremes.ts';
import {type Node, readyCondition} from '../../core/model/node.ts';
import {beginningOfTime, type Instant, second} from '../../core/time/instant.ts';
import type {Forecast} from '../forecast.ts';
import type {NodeForecast} from '../nodeForecast.ts';
import {lifecycleTaint} from '../observe/nodes/lifecycleTaint.ts';
import type {PodForecast} from '../podForecast.ts';
import {Range} from '../range.ts';
import type {ActionKind, ControllerAction} from './controllerAction.ts';

/** An action that a forecast predicts; `stateSince` is far in the past if not known. */
export type PredictedAction = Pick<ControllerAction, 'action' | 'object' | 'node' | 'zone' | 'stateSince'> & {
	readonly range: Range;
	/** Whether it depends on the node's turn to Unknown, which is still to come. */
	readonly isAfterUnknown: boolean;
};

/** The action on a pod: for a taint of its node or device, or because its node is gone. Others are not judged. */
function actionOn({cause, verdict}: PodForecast, isOrphan: boolean): ActionKind | undefined {
	const isTimed = verdict === 'Scheduled' || verdict === 'Overdue';
	if (isOrphan) return isTimed || verdict === 'Expected' ? 'CollectPod' : undefined;
	if (!isTimed) return undefined;
	if (cause?.kind === 'DeviceTaint') return 'DeletePodForDevice';
	return cause?.kind === 'Taint' || cause?.kind === 'OutOfService' ? 'DeletePod' : undefined;
}

/** All actions that a forecast predicts, including overdue ones: a shadow that starts may find pods overdue. */
export function* actionsPredictedBy({
	nodes,
	pods,
	zones,
}: Pick<Forecast, 'nodes' | 'pods' | 'zones'>): Generator<PredictedAction> {
	const nextTaints = new Map(zones.map(({zone, taints}) => [zone, taints[0]?.earliest]));
	for (const forecast of nodes) yield* ofNode(forecast, nextTaints.get(forecast.zone));
	const byName = new Map(nodes.map(({name, node}) => [name, node]));
	for (const pod of pods) {
		const {namespace, name, uid, node, zone} = pod;
		const on = byName.get(node);
		const action = actionOn(pod, on === undefined);
		if (!action || !pod.eviction) continue;
		yield {
			action,
			node,
			zone,
			range: pod.eviction,
			isAfterUnknown: false,
			object: {kind: 'Pod', namespace, name, uid},
			stateSince: on && action === 'DeletePod' ? taintedSince(on) : beginningOfTime,
		};
	}
}

function* ofNode(forecast: NodeForecast, nextTaint: Instant | undefined): Generator<PredictedAction> {
	const {name, uid, zone, verdict, unknown, cleared, lastRenewal, node} = forecast;
	const ready = node && readyCondition(node);
	const common = {object: {kind: 'Node', name, uid} as const, node: name, zone};
	const changed = ready?.lastTransitionTime ?? beginningOfTime;
	// A node that is only late is most likely healthy.
	if (verdict === 'Late') return;
	if (unknown)
		yield {
			...common,
			action: 'SetUnknown',
			range: unknown,
			isAfterUnknown: false,
			stateSince: lastRenewal ?? ready?.lastHeartbeatTime ?? beginningOfTime,
		};
	const taint = taintOf(forecast, nextTaint);
	if (taint && node && !lifecycleTaint(node))
		yield {
			...common,
			action: 'TaintNode',
			range: taint,
			isAfterUnknown: verdict === 'Silent',
			stateSince: changed,
		};
	if (cleared)
		yield {...common, action: 'UntaintNode', range: cleared, isAfterUnknown: false, stateSince: changed};
}

function taintOf(node: NodeForecast, nextTaint: Instant | undefined): Range | null {
	const {verdict, unknown, noExecute} = node;
	if (noExecute) return noExecute;
	// A zone that is about to stop gives out tokens until the pass that stops it.
	const isWaiting = verdict === 'Queued' || verdict === 'Held';
	const earliest = isWaiting ? nextTaint : verdict === 'Silent' ? unknown?.earliest : undefined;
	return earliest === undefined ? null : new Range(earliest, earliest, null);
}

/** When a node's newest NoExecute taint came, in whole seconds; taints of users have no time. */
function taintedSince({taints}: Node): Instant {
	const times = taints.flatMap(({timeAdded, effect}) => (effect === 'NoExecute' ? (timeAdded ?? []) : []));
	return times.length > 0 ? maxOf(times) + second : beginningOfTime;
}
