import type {Explanation, Step} from '../../forecast/explain/explanation.ts';
import type {ListJson} from './common.ts';

type StepJson = Pick<Step, 'at' | 'what' | 'rule' | 'evidence'>;

/** The reasons for the forecast of a pod, node or zone. */
export type ExplanationJson = Pick<
	Explanation,
	'target' | 'verdict' | 'summary' | 'eviction' | 'held' | 'assumptions'
> & {
	readonly kind: 'Explanation';
	/** The chain from a node's last sign of life to a deletion. */
	readonly steps: readonly StepJson[];
	/** What prevents an eviction, may prevent it, or is wrongly expected to. */
	readonly whyNot: readonly (StepJson & {
		/**
		 * For machines: `ZoneStopped`.
		 *
		 * @pattern ^[A-Z][A-Za-z0-9]*$
		 */
		readonly reason: string;
		readonly effect: 'Prevents' | 'MayPrevent' | 'DoesNotPrevent';
	})[];
};

/** Printed by `explain`. */
export type ExplanationListJson = ListJson<'Explanation', ExplanationJson>;
