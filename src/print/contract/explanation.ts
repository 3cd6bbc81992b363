import type {ListJson, RangeJson, TimestampJson} from './common.ts';
import type {NodeForecastJson} from './nodeForecast.ts';
import type {HeldJson, PodForecastJson} from './podForecast.ts';
import type {ZoneForecastJson} from './zoneForecast.ts';

/** One link of the chain from a node's last sign of life to a deletion. */
export type StepJson = {
	/** When it happened or will; null for what has no time. */
	readonly at: TimestampJson | RangeJson | null;
	readonly what: string;
	/** The controllers' rule behind it; null where there is none. */
	readonly rule: string | null;
	/** What was seen. */
	readonly evidence: readonly {
		/** `node/n1`, `lease/kube-node-lease/n1`; `controller` for what no object shows. */
		readonly object: string;
		readonly field: string;
		readonly value: string;
		/** How it is to be read; empty where nothing needs to be said. */
		readonly note: string;
	}[];
};

/** Something that keeps a pod, or may, or is trusted in vain. */
export type ReasonJson = StepJson & {
	/**
	 * For machines: `ZoneStopped`.
	 *
	 * @pattern ^[A-Z][A-Za-z0-9]*$
	 */
	readonly reason: string;
	readonly effect: 'Prevents' | 'MayPrevent' | 'DoesNotPrevent';
};

/** Why a pod, node or zone has the forecast that it has. */
export type ExplanationJson = {
	readonly kind: 'Explanation';
	readonly target:
		| {readonly kind: 'pod'; readonly namespace: string; readonly name: string}
		| {readonly kind: 'node' | 'zone'; readonly name: string};
	readonly verdict: PodForecastJson['verdict'] | NodeForecastJson['verdict'] | ZoneForecastJson['state'];
	/** One sentence. */
	readonly summary: string;
	/** When the pod is deleted, or the node gets its taint; null where neither happens. */
	readonly eviction: RangeJson | null;
	readonly held: HeldJson | null;
	readonly steps: readonly StepJson[];
	readonly whyNot: readonly ReasonJson[];
	readonly assumptions: readonly string[];
};

/** What `explain` prints. */
export type ExplanationListJson = ListJson<'Explanation', ExplanationJson>;
