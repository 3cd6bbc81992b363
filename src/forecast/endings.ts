import type {ControllerSettings} from '../core/model/controllerSettings.ts';
import {type Node, nodeCondition} from '../core/model/node.ts';
import type {Pod} from '../core/model/pod.ts';
import {taintOutOfService} from '../core/model/taint.ts';
import {gcCheckPeriod} from '../core/podgc/podGcController.ts';
import {matchingTolerations} from '../core/tainteviction/tolerations.ts';
import {type Instant, second} from '../core/time/instant.ts';
import {latency} from './merge.ts';
import type {Cause, PodForecast, Range} from './podForecast.ts';
import {collectionOf} from './whatif/collection.ts';

/** One of the ways in which a pod may come to its end, and when. */
export type Ending = {
	readonly cause: Cause['kind'];
	/** When it comes; where somebody must act first, if they did so at the instant of the forecast. Null where that is not known. */
	readonly at: Range | null;
	/** Whether its object goes then, whatever its kubelet does; otherwise its deletion is asked for. */
	readonly isForced: boolean;
	/** Whether somebody must act for it: `DeleteNode`, `TaintOutOfService`; null for what comes by itself. */
	readonly needs: 'DeleteNode' | 'TaintOutOfService' | null;
};

/** What a pod's ends depend on, beside its forecast. */
export type EndingScene = {
	readonly pod: Pick<Pod, 'tolerations' | 'deletionTimestamp'>;
	/** Undefined where there is no such node. */
	readonly node: Node | undefined;
	/** Whether its kubelet is not heard, though nobody has found out yet. */
	readonly isSilent: boolean;
	readonly now: Instant;
	readonly settings: Pick<ControllerSettings, 'nodeOutOfServiceVolumeDetach' | 'comparisonOperators'>;
};

/** All that may end a pod, whoever gets there first at the top; what nobody can tell the time of comes last. */
export function endingsOf(forecast: PodForecast, scene: EndingScene): readonly Ending[] {
	const {node, isSilent} = scene;
	const isReady = node !== undefined && nodeCondition(node, 'Ready')?.status === 'True';
	const endings: readonly (Ending | undefined)[] = [
		own(forecast),
		node && forecast.cause?.kind !== 'NodeDeleted' ? ifDeleted(scene) : undefined,
		node && !isReady ? ifOutOfService(forecast, node, scene) : undefined,
		// A kubelet that is silent measures nothing, and evicts nobody.
		isReady && !isSilent && forecast.cause?.kind !== 'NodePressure'
			? {cause: 'NodePressure', at: null, isForced: false, needs: null}
			: undefined,
	];
	const startOf = ({at}: Ending) => at?.earliest ?? Number.POSITIVE_INFINITY;
	const endOf = ({at}: Ending) => at?.latest ?? Number.POSITIVE_INFINITY;
	return endings
		.flatMap((ending) => ending ?? [])
		.toSorted((a, b) => compare(startOf(a), startOf(b)) || compare(endOf(a), endOf(b)));
}

const compare = (a: number, b: number): number => (a === b ? 0 : a < b ? -1 : 1);

function own({eviction, cause}: PodForecast): Ending | undefined {
	if (!eviction || !cause) return undefined;
	return {cause: cause.kind, at: eviction, isForced: cause.kind === 'NodeDeleted', needs: null};
}

/** Pod garbage collection finds that the node is gone, waits for it, and deletes. */
function ifDeleted({now}: EndingScene): Ending | undefined {
	const range = collectionOf(now, [], true, 0)?.range;
	if (!range) return undefined;
	const at = {earliest: range.lo, expected: (range.lo + range.hi) / 2, latest: range.hi};
	return {cause: 'NodeDeleted', at, isForced: true, needs: 'DeleteNode'};
}

/** The taint asks for the deletion at once, and the next look of pod garbage collection forces it. */
function ifOutOfService(
	{verdict}: PodForecast,
	node: Node,
	{pod, now, settings}: EndingScene,
): Ending | undefined {
	if (!settings.nodeOutOfServiceVolumeDetach) return undefined;
	const isThere = node.taints.some(({key}) => key === taintOutOfService);
	const taint = {key: taintOutOfService, value: 'nodeshutdown', effect: 'NoExecute'} as const;
	const isTerminating = verdict === 'Terminating' || pod.deletionTimestamp !== undefined;
	const isTolerated =
		matchingTolerations([taint], pod.tolerations, settings.comparisonOperators) !== undefined;
	if (isTolerated && !isTerminating) return undefined;
	const at = {
		earliest: now,
		expected: now + gcCheckPeriod / 2,
		latest: now + gcCheckPeriod + second + latency,
	};
	return {cause: 'OutOfService', at, isForced: true, needs: isThere ? null : 'TaintOutOfService'};
}

/** How one that needs somebody to act stands to the end that comes by itself: in words. */
export function againstOwn(at: Range, eviction: Range | null): string {
	if (!eviction) return '';
	if (at.latest !== null && at.latest < eviction.earliest) return ', before its countdown ends';
	if (eviction.latest !== null && eviction.latest < at.earliest) return ', after its countdown has ended';
	return ', and either may come first';
}
