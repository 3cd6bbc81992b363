import type {ZoneState} from '../../core/nodelifecycle/zones/zoneState.ts';
import type {NodeVerdict} from '../nodeForecast.ts';
import type {Held, PodVerdict} from '../podForecast.ts';
import type {Range} from '../range.ts';
import type {When} from '../words.ts';

/** What to explain. A zone's name is `region/zone`. */
export type Target =
	| {readonly kind: 'pod'; readonly namespace: string; readonly name: string}
	| {readonly kind: 'node' | 'zone'; readonly name: string};

/** One piece of evidence: the value of an object's field, or what a controller must have done. */
export type Fact = {
	/** `node/n1`, `lease/kube-node-lease/n1`; `controller` for what no object shows. */
	readonly object: string;
	/** As kubectl's JSONPath names it, as far as there is such a field. */
	readonly field: string;
	readonly value: string;
	/** Who wrote it, or how to read it; empty where nothing needs to be said. */
	readonly note: string;
};

/** One step between a node's last sign of life and a pod's deletion. */
export type Step = {
	readonly at: When;
	readonly what: string;
	/** The controllers' rule behind it, with the flag that sets it; null where there is none. */
	readonly rule: string | null;
	readonly evidence: readonly Fact[];
	/** Whether it leads to nothing: a short answer leaves it out. */
	readonly isAside?: true;
};

/** The names of what keeps a pod, may keep it, or is often believed to. */
type ReasonName =
	| 'AllZonesDown'
	| 'AlreadyTerminating'
	| 'BudgetIgnored'
	| 'ContainerLimit'
	| 'ControllerDisabled'
	| 'ControllerDown'
	| 'DaemonSetPod'
	| 'DeletionDenied'
	| 'ExcludedFromDisruptionChecks'
	| 'FinishedPod'
	| 'LeftoverKey'
	| 'NodeGone'
	| 'NodeReturned'
	| 'NodeWell'
	| 'NodeUnseen'
	| 'NotBound'
	| 'NothingShort'
	| 'OnlyNoSchedule'
	| 'OthersFirst'
	| 'Overdue'
	| 'PressureUnseen'
	| 'ProtectedFromKubelet'
	| 'StaticPod'
	| 'ToleratesForEver'
	| 'Undecided'
	| 'ZoneStopped';

/** Something that keeps a pod from eviction, may keep it, or is wrongly believed to. */
export type Reason = Step & {
	readonly reason: ReasonName;
	/** `DoesNotPrevent` marks what is wrongly believed to prevent it. */
	readonly effect: 'Prevents' | 'MayPrevent' | 'DoesNotPrevent';
};

/** Why a pod, node or zone has its forecast: everything that `explain` shows. */
export type Explanation = {
	readonly target: Target;
	readonly verdict: PodVerdict | NodeVerdict | ZoneState;
	/** One sentence. */
	readonly summary: string;
	/** When the pod is deleted, or the node gets its taint; null where neither happens. */
	readonly eviction: Range | null;
	readonly held: Held | null;
	readonly steps: readonly Step[];
	readonly whyNot: readonly Reason[];
	readonly assumptions: readonly string[];
};
