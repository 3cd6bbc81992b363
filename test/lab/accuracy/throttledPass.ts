import {minute} from '../../../src/core/time/instant.ts';
import type {NodeForecast} from '../../../src/forecast/nodeForecast.ts';
import {isInside, type Kind, kinds} from './judge.ts';
import type {Recording} from './recording.ts';
import {type Look, replay} from './replay.ts';
import {seconds, share, widthOf} from './statistics.ts';
import {describeOrder, unreachable} from './throttledOrder.ts';

/** Compares one look's forecast of the rest of a long pass with what happened. */
export function describePass(recording: Recording): string {
	const firstUnknown = recording.changes.find(
		({what, object, at}) =>
			what === 'Ready=Unknown' && object.startsWith('node/') && at > (recording.steps[0]?.at ?? 0),
	)?.at;
	if (firstUnknown === undefined) return 'No node turned Unknown.';
	const snapshots = recording.snapshots.filter(({observedAt}) => observedAt >= firstUnknown);
	const rows = snapshots.flatMap(({observedAt}) => observedAt).map((at) => at - firstUnknown);
	const wanted = nearest(rows, minute);
	const lines = [
		'| Into the pass | look | what | still to come | each in its range | median width | the last foretold within | came after |',
		'| --- | --- | --- | --- | --- | --- | --- | --- |',
	];
	// Later looks show whether the forecast stays consistent; the one after one minute of the pass is judged.
	const chosen = new Set([
		wanted,
		nearest(rows, 2 * minute),
		nearest(rows, 4 * minute),
		nearest(rows, 6 * minute),
	]);
	for (const look of replay(recording)) {
		const into = look.at - firstUnknown;
		if (!chosen.has(into)) continue;
		for (const kind of kinds) lines.push(...rowsOf(look, kind, into, recording));
	}
	return [lines.join('\n'), describeOrder(recording, firstUnknown)].join('\n\n');
}

const nearest = (values: readonly number[], wanted: number) =>
	values.toSorted((a, b) => Math.abs(a - wanted) - Math.abs(b - wanted))[0];

function rowsOf(look: Look, kind: Kind, into: number, {changes}: Recording): string[] {
	const nodes = (kind === 'warm' ? look.warm : look.fresh?.cold)?.nodes ?? [];
	const asked = [
		{name: 'Unknown', what: 'Ready=Unknown', rangeOf: ({unknown}: NodeForecast) => unknown},
		{name: 'NoExecute', what: unreachable, rangeOf: ({noExecute}: NodeForecast) => noExecute},
	];
	return asked.map(({name, what, rangeOf}) => {
		const truths = new Map(
			changes
				.filter((change) => change.what === what && change.at > look.at)
				.map(({object, at}) => [object.slice('node/'.length), at]),
		);
		const ranges = nodes.flatMap((node) => rangeOf(node) ?? []);
		const own = nodes.flatMap((node) => {
			const truth = truths.get(node.name);
			return truth === undefined ? [] : [isInside({truth, range: rangeOf(node)})];
		});
		const widths = ranges.map(widthOf).sort((a, b) => a - b);
		const last = truths.size > 0 ? Math.max(...truths.values()) - look.at : Number.NaN;
		return `| ${[
			seconds(into),
			kind,
			name,
			`${truths.size} (${ranges.length} foretold)`,
			share(own.filter(Boolean).length, own.length),
			seconds(widths[Math.floor(widths.length / 2)] ?? Number.NaN),
			seconds(Math.max(...ranges.map(({latest}) => latest ?? Number.POSITIVE_INFINITY)) - look.at),
			seconds(last),
		].join(' | ')} |`;
	});
}
