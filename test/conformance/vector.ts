import type {Scenario} from '../support/scenario/scenario.ts';

/** An action of the real controllers or of the script; `at` in milliseconds since the controllers' first start. */
export type Action = {
	readonly at: number;
	readonly kind: string;
	readonly node?: string;
	readonly pod?: string;
	readonly detail?: string;
};

/** The controller's own view of a zone when it was sampled. */
export type ZoneSample = {
	readonly at: number;
	readonly zone: string;
	readonly state: string;
	readonly size: number;
	readonly notReady: number;
	readonly qps: number;
};

/** A golden trace of both controllers. */
export type TraceVector = {
	readonly kubernetesVersion: string;
	readonly order: 'decided' | 'undecided';
	readonly toleranceMs?: number;
	readonly firstPassAt: number;
	readonly scenario: Scenario;
	readonly trace: readonly Action[];
	readonly zones: readonly ZoneSample[];
};

/** Detects the kind of a vector by its content. */
export function isTraceVector(content: unknown): content is TraceVector {
	const has = (key: string) => typeof content === 'object' && content !== null && key in content;
	return has('scenario') && has('trace') && has('zones') && has('firstPassAt');
}
