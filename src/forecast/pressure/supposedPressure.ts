import type {Signal} from '../../core/nodepressure/thresholds/signal.ts';
import type {Instant} from '../../core/time/instant.ts';
import type {PressureEvidence} from './observe/pressureEvidence.ts';
import type {PressureForecast} from './pressureForecast.ts';
import {withAvailable} from './simulate/withAvailable.ts';

/**
 * The same node with other amounts left from now on, and no trend: what `what-if --pressure NODE=memory.available=50Mi`
 * asks for. Unchanged where the node was never measured.
 */
export function withSupposedPressure(
	evidence: PressureEvidence,
	left: ReadonlyMap<Signal, bigint>,
	now: Instant,
): PressureEvidence {
	const newest = evidence.samples.at(-1);
	if (!newest) return evidence;
	const summary = {...newest.summary, node: withAvailable(newest.summary, left, now)};
	return {...evidence, samples: [{seenAt: now, summary}], isSupposed: true};
}

/** What is supposed to be left of a signal of a node. */
export type SupposedPressure = {
	readonly node: string;
	readonly signal: Signal;
	/** Bytes, inodes or processes. */
	readonly left: bigint;
};

/** What pressure does to a node as it is, and if other amounts were left from now on. */
export type PressureWhatIf = {
	readonly supposed: readonly SupposedPressure[];
	readonly before: PressureForecast;
	readonly after: PressureForecast;
};
