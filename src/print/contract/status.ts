import type {PodEnd} from '../../core/workloads/podEnd.ts';
import type {NodeForecast} from '../../forecast/nodeForecast.ts';
import type {PodForecast} from '../../forecast/podForecast.ts';
import type {Range} from '../../forecast/range.ts';
import type {ZoneStop} from '../../forecast/zoneForecast.ts';
import type {WorkloadImpact} from '../../impact/workloadImpact.ts';
import type {PrintedJson} from './common.ts';

/** Printed by `status`: an outage on one page. */
export type StatusJson = PrintedJson<'Status'> &
	Readonly<{
		/** Null if they may not be read. */
		nodes: {readonly total: number; readonly notReady: number} | null;
		/** The number of pods per verdict, without Safe and without pods that have ended. */
		pods: Readonly<Record<string, number>>;
		/** The pod that is evicted next; null if there is none. */
		next: (Pick<PodForecast, 'namespace' | 'name' | 'node'> & {readonly eviction: Range}) | null;
		/** What stops evictions, what resumes them, and in which zones. */
		held: readonly (Pick<ZoneStop, 'by' | 'releasedBy'> & {
			readonly pods: number;
			readonly zones: readonly string[];
		})[];
		/** Why nothing is evicted yet. */
		notYet: {
			/** Late and silent nodes that are not Unknown yet, the most urgent first. */
			readonly late: readonly Pick<NodeForecast, 'name' | 'zone' | 'verdict' | 'lastRenewal' | 'unknown'>[];
			/** Nodes that wait for their taint. */
			readonly queued: readonly Pick<NodeForecast, 'name' | 'zone' | 'noExecute'>[];
			/** Running countdowns by their length, with the number of their pods. */
			readonly countdowns: readonly {
				readonly seconds: number;
				readonly pods: number;
				readonly nodes: readonly string[];
			}[];
		};
		/** Pods that stay Terminating, and what would remove their objects. */
		stuck: readonly (Pick<PodForecast, 'namespace' | 'name' | 'node'> & PodEnd)[];
		/** Workloads that will have no ready pod. */
		reachZero: readonly WorkloadImpact[];
		/** Further workloads that fall below a PodDisruptionBudget. */
		belowBudget: readonly WorkloadImpact[];
		/** The effect of one more node failing; null if no worker node is ready, or nodes may not be read. */
		oneMoreNode: Readonly<{
			node: string;
			zone: string;
			/** The changes for pods and workloads; null if the pods of the node were not read. */
			impact: {
				/** How many more pods will be evicted, might be evicted, or are held. */
				readonly pods: {readonly evicted: number; readonly unsure: number; readonly held: number};
				/** Workloads that reach zero because of it. */
				readonly reachZero: readonly WorkloadImpact[];
			} | null;
			/** Another node whose loss takes workloads to zero, with their number, if the loss of this one takes none. */
			toZeroInstead?: {readonly node: string; readonly zone: string; readonly workloads: number};
		}> | null;
		/** When the first eviction happens, of whichever pod; null if none is predicted. */
		starts: Range | null;
		/** When the last eviction happens; null if none is predicted. Held pods are evicted later, if at all. */
		ends: Range | null;
	}>;
