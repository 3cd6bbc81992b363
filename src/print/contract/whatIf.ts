import type {Instant} from '../../core/time/instant.ts';
import type {DrainFlag} from '../../core/workloads/eviction.ts';
import type {Ending} from '../../forecast/conclude/endings.ts';
import type {PodForecast} from '../../forecast/podForecast.ts';
import type {ChangeKind} from '../../forecast/simulate/change.ts';
import type {PodChange, ZoneChange} from '../../forecast/whatif/whatIf.ts';
import type {Drain, DrainedNode, DrainedPod} from '../../impact/drain.ts';
import type {LossOutlook} from '../../impact/moreLosses.ts';
import type {OutOfServicePreview} from '../../impact/outOfService.ts';
import type {SupposedLoss} from '../../impact/supposedLoss.ts';
import type {WorkloadImpact} from '../../impact/workloadImpact.ts';
import type {ApiVersion, ListJson, PrintedJson} from './common.ts';

type PodNameJson = Pick<PodForecast, 'namespace' | 'name'>;

/** The prospects of a pod, as in its forecast. */
type OutlookJson = Pick<PodForecast, 'verdict' | 'eviction' | 'cause' | 'because' | 'after'> & {
	/** Everything that ends it without intervention, the earliest first. */
	readonly endings: readonly Ending[];
};

/** Printed by `what-if`: the effect of changes. */
export type WhatIfJson = PrintedJson<'WhatIf'> &
	Readonly<{
		/** The assumed changes, in chronological order, also as text. */
		changes: readonly {
			readonly at: Instant;
			readonly type: ChangeKind['type'];
			readonly what: string;
		}[];
		/** The pods of affected or changed nodes, and those that a device taint evicts. */
		pods: readonly (Pick<PodForecast, 'node' | 'zone'> &
			Pick<PodChange, 'effect'> &
			Readonly<{
				metadata: PodNameJson & Pick<PodForecast, 'uid'>;
				/** How much later it is evicted; null unless it is evicted with and without the changes. */
				shiftSeconds: number | null;
				before: OutlookJson;
				after: OutlookJson;
			}>)[];
		/** One for each node that the changes taint out-of-service. */
		outOfService: readonly (Pick<OutOfServicePreview, 'node' | 'isReady' | 'volumes'> & {
			readonly deleted: readonly PodNameJson[];
			/** Pods that were already Terminating. */
			readonly terminating: readonly PodNameJson[];
			readonly staying: readonly PodNameJson[];
		})[];
		zones: readonly ZoneChange[];
		/** Null if the workload loses no pod. */
		workloads: readonly {
			readonly before: WorkloadImpact | null;
			readonly after: WorkloadImpact | null;
		}[];
	}>;

/** Printed by `workloads`, those that reach zero first. */
export type WorkloadImpactListJson = ListJson<'WorkloadImpact', WorkloadImpact>;

/** Printed by `what-if --drain`: what `kubectl drain` would do. */
export type DrainJson = PrintedJson<'Drain'> &
	Pick<Drain, 'toZero' | 'belowBudget'> & {
		/** In the order in which they are drained. */
		readonly nodes: readonly (Pick<DrainedNode, 'node' | 'verdict' | 'blocks'> &
			Readonly<{
				/** At least, where it waits; at most, where nothing does. */
				takesSeconds: number;
				/** The flags without which kubectl evicts none of its pods. */
				refusedWithout: readonly DrainFlag[];
				pods: readonly (Omit<DrainedPod, 'namespace' | 'name' | 'uid'> & {
					readonly metadata: PodNameJson & Pick<PodForecast, 'uid'>;
				})[];
				/** How to go on, where it is refused, fails or waits. */
				ways: readonly {readonly text: string; readonly command?: string}[];
			}>)[];
	};

/** Printed by `what-if --how-many-more`: how many more nodes each zone can lose. */
export type LossOutlookJson = PrintedJson<'LossOutlook'> & LossOutlook;

/** What the loss of one node, or of one zone, would do. */
export type SupposedLossJson = Omit<SupposedLoss, 'name'> &
	Readonly<{
		/** Present if the object stands alone. */
		apiVersion?: ApiVersion;
		kind: 'SupposedLoss';
		metadata: Pick<SupposedLoss, 'name'>;
		place: 'node' | 'zone';
	}>;

/** Printed by `what-if --each-node` and `what-if --each-zone`, the worst first. */
export type SupposedLossListJson = ListJson<'SupposedLoss', SupposedLossJson>;
