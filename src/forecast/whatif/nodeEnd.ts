import type {Instant} from '../../core/time/instant.ts';
import type {Course} from './course.ts';
import type {Trial} from './courses.ts';

/** How a node stands at the end of what was looked at: in all courses, or in none where they differ. */
export type NodeEnd = {
	readonly isTainted: boolean;
	/** When it turned ready for good; undefined where it did not turn. */
	readonly isBack: boolean;
	readonly isNotReady: boolean;
	readonly isGone: boolean;
	readonly turnsAt: Instant | undefined;
};

/** How a node stands at the end. `isReady` is how it stands at the beginning. */
export function endOf(name: string, isReady: boolean, trials: readonly Trial[]): NodeEnd {
	const courses = trials.flatMap(({courses}) => courses.flatMap(({nodes}: Course) => nodes.get(name) ?? []));
	const last = courses.map(({readiness}) => readiness.at(-1));
	return {
		isTainted: courses.some(({taints}) => (taints.at(-1)?.taints.length ?? 0) > 0),
		isBack: last.every((moment) => moment?.isReady ?? false),
		isNotReady: last.every((moment) => !(moment?.isReady ?? isReady)),
		isGone: courses.some(({goneAt}) => goneAt !== undefined),
		turnsAt: last[0]?.at,
	};
}
