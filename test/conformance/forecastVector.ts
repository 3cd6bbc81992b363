import type {ScenarioConfig} from '../support/scenario/scenario.ts';
import type {Action} from './vector.ts';

/** A client's list at one instant. */
export type Listed = {
	readonly at: number;
	readonly now: string;
	readonly nodes: readonly unknown[];
	readonly leases: readonly unknown[];
	readonly pods: readonly unknown[] | null;
};

/** An event of a watch. */
export type Watched = {
	readonly at: number;
	readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
	readonly kind: 'Node' | 'Pod' | 'Lease';
	readonly object: unknown;
};

/** A client's observations, and the real controllers' later actions while nothing else changed. */
export type ForecastVector = {
	readonly kubernetesVersion: string;
	readonly name: string;
	readonly config: ScenarioConfig;
	/** `undecided` if it is random which of several queued nodes is tainted next. */
	readonly order: 'decided' | 'undecided';
	readonly until: number;
	readonly before: Listed;
	readonly watched: readonly Watched[] | null;
	readonly now: Listed;
	readonly truth: readonly Action[] | null;
};

/** Detects a forecast vector by its content. */
export function isForecastVector(content: unknown): content is ForecastVector {
	const has = (key: string) => typeof content === 'object' && content !== null && key in content;
	return has('before') && has('watched') && has('truth') && has('config');
}
