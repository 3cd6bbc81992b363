import type {ConditionStatus} from '../../core/model/node.ts';
import type {NodeForecast, NodePressure, NodeVerdict} from '../../forecast/nodeForecast.ts';
import type {Reason} from '../../forecast/podForecast.ts';
import type {Range} from '../../forecast/range.ts';
import type {ItemJson, ListJson} from './common.ts';

/** What happens to one node if nothing else changes, and why. */
export type NodeForecastJson = ItemJson<'NodeForecast', Pick<NodeForecast, 'name' | 'uid' | 'labels'>> &
	Pick<
		NodeForecast,
		| ('zone' | 'lastRenewal' | 'unknown' | 'noExecute' | 'eviction')
		| ('nextProbability' | 'because' | 'repairs')
	> &
	Readonly<{
		/** `Gone` only occurs in a watch, once the node is deleted. */
		verdict: NodeVerdict | 'Gone';
		/** The status of its Ready condition; null if it has none. */
		ready: ConditionStatus | null;
		/** The steps of `because` that programs may tell apart. */
		reasons: readonly Reason[];
		/** The resources that it is short of, whatever its verdict: kubelets evict by their own rules. Absent if there are none. */
		pressure?: Pick<NodePressure, 'conditions'> & {
			/** The pod that its kubelet evicts next; null if there is none, or it is not known. */
			readonly next: Readonly<{
				namespace: string;
				name: string;
				eviction: Range;
				/** Whether it is evicted in every possible random order. */
				certain: boolean;
			}> | null;
		};
	}>;

/** Printed by `nodes`. */
export type NodeForecastListJson = ListJson<'NodeForecast', NodeForecastJson>;
