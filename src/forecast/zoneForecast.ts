import type {ZoneState} from '../core/nodelifecycle/zones/zoneState.ts';
import type {Instant} from '../core/time/instant.ts';
import type {Range} from './range.ts';

/** A change of state, and how many more nodes down, or how many nodes back, cause it. */
export type StateStep = Readonly<{
	state: ZoneState;
	/** Nodes tainted per second then; 0 if evictions are stopped. */
	rate: number;
	nodesDown?: number;
	nodesBack?: number;
	/** Whether it takes the only controller manager: no zone evicts any more then, whatever the state. */
	isControllerLost?: true;
	/** Whether it is so by default thresholds, which nothing confirms, or by the nodes that are seen, of which there may be more. */
	isAssumed?: true;
}>;

/** Marks a step whose thresholds, or whose nodes, are not known. A zone without a ready node is fully disrupted by any threshold. */
export const asKnown = <Step extends Pick<StateStep, 'state'>>(
	{areThresholdsAssumed, isStateAssumed}: Pick<ZoneForecast, 'areThresholdsAssumed' | 'isStateAssumed'>,
	step: Step,
): Step =>
	isStateAssumed || (areThresholdsAssumed && step.state !== 'FullDisruption')
		? {...step, isAssumed: true}
		: step;

/** A state that a zone enters, and its rate then, in nodes tainted per second; 0 if evictions are stopped. */
export type ZoneStep = {readonly at: Range; readonly state: ZoneState; readonly rate: number};

/** Whether every zone is down then: a zone without a ready node evicts, unless no other zone has one either. */
export const isAllDown = ({state, rate}: Pick<ZoneStep, 'state' | 'rate'>) =>
	state === 'FullDisruption' && rate === 0;

/** The states that a zone goes through. */
export type ZoneStory = {
	readonly steps: readonly ZoneStep[];
	/** Whether it is the same in all hidden states, apart from the times. */
	readonly isSure: boolean;
};

/** What stops the tainting of a zone's nodes, and what resumes it. */
export type ZoneStop = Readonly<{
	kind: 'ControllerDown' | 'AllZonesDown' | 'ZoneStopped';
	by: string;
	since: Instant | null;
	releasedBy: string;
	/** Whether a pass that is under way sets it at its end: until then a node may be tainted. */
	isToCome?: boolean;
	/** Whether settings, or nodes, that are not seen may let it evict nevertheless: its pods are not Held then. */
	isInDoubt?: boolean;
	/** Whether the controllers never resume by themselves, whatever becomes of the nodes. */
	isForGood?: boolean;
}>;

/** What happens in one zone if nothing else changes. */
export type ZoneForecast = Readonly<{
	/** As people read it: `region/zone`. */
	zone: string;
	state: ZoneState;
	/** Whether nodes that are not seen may be of the zone, or of others, so that its state and rate are open. */
	isStateAssumed?: true;
	/** How many nodes count; nodes excluded from disruption checks do not. */
	size: number;
	notReady: number;
	/** How many ready nodes are silent: they are lost, but no pass has found out yet. */
	silent: number;
	/** How many more ready nodes are late with a renewal: they may be lost. */
	late: number;
	/** Nodes tainted per second. */
	rate: number;
	/** Whether nothing shows that rate: it is only the likeliest one. Absent if evictions are stopped. */
	isRateAssumed?: true;
	/** Whether nothing shows at how many nodes down it changes its state. */
	areThresholdsAssumed?: true;
	/** When the zone may taint one more node, whether or not one waits; null if evictions are stopped. JSON calls it `nextToken`. */
	nextTaint: Range | null;
	/** When the next NoExecute taints are added in the zone: the first, the second, ... Which node gets which is random. */
	taints: readonly Range[];
	/** The names of the waiting nodes, in no meaningful order: their real order is random. */
	queue: readonly string[];
	/** The states that it enters as its silent nodes turn Unknown. */
	coming: ZoneStory;
	/** The fewest further nodes down or back that change the state, or let a stopped zone evict; silent nodes count as down. */
	toNextState: readonly StateStep[];
	because: readonly string[];
	/** Absent if nothing stops it. */
	stopped?: ZoneStop;
	/** Its node with the only controller manager, whose loss stops every eviction; absent if it has none. */
	onlyController?: string;
	/** Whether its release is older than any whose rules are known, so that neither times nor a rate are told. */
	isUntold?: true;
}>;

/** When every zone is down once the silent nodes are Unknown; undefined if they never all are, or no zone evicts at any time. */
export const allDownAhead = ({rate, coming, toNextState}: ZoneForecast): ZoneStep | undefined =>
	[{rate}, ...toNextState].some((one) => one.rate > 0) ? coming.steps.slice(-1).find(isAllDown) : undefined;

/** Whether a node waits for its taint, or may have to: otherwise the zone's rate has no meaning. */
export const hasTaintsToCome = ({queue, taints}: ZoneForecast) => queue.length + taints.length > 0;

/** A zone's rate, in nodes tainted per second, once its silent nodes are Unknown. */
export const rateAhead = ({rate, coming}: ZoneForecast): number => coming.steps.at(-1)?.rate ?? rate;

/** The node whose loss stops every eviction, as the only controller manager runs there; undefined if there is none, or it is not known. */
export const onlyControllerHost = (
	zones: readonly Pick<ZoneForecast, 'onlyController'>[],
): string | undefined => zones.find(({onlyController}) => onlyController !== undefined)?.onlyController;
