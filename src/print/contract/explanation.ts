import type {ListJson, RangeJson, TimestampJson} from './common.ts';
import type {NodeForecastJson} from './nodeForecast.ts';
import type {HeldJson, PodForecastJson} from './podForecast.ts';
import type {ZoneForecastJson} from './zoneForecast.ts';

/** One step in the chain from a node's last sign of life to a deletion. */
export type StepJson = {
	/** When it happened or will happen; null if it has no time. */
	readonly at: TimestampJson | RangeJson | null;
	readonly what: string;
	/** The controllers' rule behind it; null if there is none. */
	readonly rule: string | null;
	/** The observations behind it. */
	readonly evidence: readonly {
		/** `node/n1`, `lease/kube-node-lease/n1`; `controller` for what no object shows. */
		readonly object: string;
		readonly field: string;
		readonly value: string;
		/** How to read the value; empty if it needs no note. */
		readonly note: string;
	}[];
};

/** Something that prevents an eviction, may prevent it, or is wrongly expected to. */
export type ReasonJson = StepJson & {
	/**
	 * For machines: `ZoneStopped`.
	 *
	 * @pattern ^[A-Z][A-Za-z0-9]*$
	 */
	readonly reason: string;
	readonly effect: 'Prevents' | 'MayPrevent' | 'DoesNotPrevent';
};

/** The reasons for the forecast of a pod, node or zone. */
export type ExplanationJson = {
	readonly kind: 'Explanation';
	readonly target:
		| {readonly kind: 'pod'; readonly namespace: string; readonly name: string}
		| {readonly kind: 'node' | 'zone'; readonly name: string};
	readonly verdict: PodForecastJson['verdict'] | NodeForecastJson['verdict'] | ZoneForecastJson['state'];
	/** One sentence. */
	readonly summary: string;
	/** When the pod is deleted, or the node gets its taint; null if neither happens. */
	readonly eviction: RangeJson | null;
	readonly held: HeldJson | null;
	readonly steps: readonly StepJson[];
	readonly whyNot: readonly ReasonJson[];
	readonly assumptions: readonly string[];
};

/** Printed by `explain`. */
export type ExplanationListJson = ListJson<'Explanation', ExplanationJson>;
