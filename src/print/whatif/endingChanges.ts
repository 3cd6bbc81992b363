import type {Instant} from '../../core/time/instant.ts';
import type {PodChange} from '../../forecast/whatif/whatIf.ts';
import {endingsOnLine} from './endings.ts';

/** The headings of the rows of `endingChanges`. */
export const endingHeaders = ['NODE', 'PODS', 'ENDED BEFORE BY', 'ENDED AFTER BY'];

/**
 * The causes that compete for pods, before and after the changes: of pods that several may end, or that another cause ends
 * first than before. Equal pods of a node share a row.
 */
export function endingChanges(pods: readonly PodChange[], now: Instant): readonly (readonly string[])[] {
	const told = pods.filter(tellsSomething).map(({after: {node, name}, endings: {before, after}}) => ({
		name,
		rest: [endingsOnLine(before, now), endingsOnLine(after, now)],
		node,
	}));
	const alike = Map.groupBy(told, ({node, rest}) => [node, ...rest].join('\n'));
	return [...alike.values()].flatMap((ones) => {
		const [first] = ones;
		if (!first) return [];
		const more = ones.length > 1 ? ` and ${ones.length - 1} more` : '';
		return [[first.node, first.name + more, ...first.rest]];
	});
}

function tellsSomething({endings: {before, after}}: PodChange): boolean {
	if (before.length > 1 || after.length > 1) return true;
	const [first, then] = [before[0], after[0]];
	return first !== undefined && then !== undefined && first.cause !== then.cause;
}
