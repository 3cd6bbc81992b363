import type {Instant} from '../../../src/core/time/instant.ts';
import type {Forecast} from '../../../src/forecast/forecast.ts';
import type {Range} from '../../../src/forecast/range.ts';
import {isInside, kinds} from './judge.ts';
import type {Recording} from './recording.ts';
import {replay} from './replay.ts';
import {seconds, share, widthOf} from './statistics.ts';

/** The taint of a node that is Unknown, as a change. */
export const unreachable = '+node.kubernetes.io/unreachable:NoExecute';

/** The forecast of a pass independent of node names: the k-th node that becomes Unknown, the k-th taint, the end. */
export function describeOrder(recording: Recording, passBegan: Instant): string {
	const turns = timesOf('Ready=Unknown', recording);
	const taints = timesOf(unreachable, recording);
	const passEnds = turns.at(-1) ?? passBegan;
	const lines = [
		'Whichever node is next, within the pass: an event counts as narrow where its range is no wider than a fifth of the ' +
			'time that is left until the pass has come to its last node.',
		'',
		'| Into the pass | look | what | still to come | inside | median width | widest | a fifth of what is left | narrow |',
		'| --- | --- | --- | --- | --- | --- | --- | --- | --- |',
	];
	for (const {at, warm, fresh} of replay(recording)) {
		if (at < passBegan || at > passEnds || !fresh) continue;
		const fifth = (passEnds - at) / 5;
		const later = (times: readonly Instant[]) => times.filter((time) => time > at && time <= passEnds);
		for (const kind of kinds) {
			const {pass, zones} = kind === 'warm' ? warm : fresh.cold;
			const rows = [
				row('k-th Unknown', later(turns), pass?.unknown ?? [], fifth),
				row('k-th taint', later(taints), foretoldTaints(zones), fifth),
				row('last Unknown', [passEnds], pass?.endsAt ? [pass.endsAt] : [], fifth),
			];
			lines.push(...rows.map((cells) => `| ${[seconds(at - passBegan), kind, ...cells].join(' | ')} |`));
		}
	}
	return lines.join('\n');
}

function timesOf(what: string, {changes}: Recording): readonly Instant[] {
	return changes
		.filter((change) => change.what === what && change.object.startsWith('node/'))
		.map(({at}) => at)
		.toSorted((a, b) => a - b);
}

/** Only one zone of the recording loses nodes. */
const foretoldTaints = (zones: Forecast['zones']) =>
	zones.find(({taints}) => taints.length > 0)?.taints ?? [];

function row(what: string, truths: readonly Instant[], ranges: readonly Range[], fifth: number): string[] {
	const widths = truths.map((_, k) => widthOf(ranges[k] ?? nothing)).toSorted((a, b) => a - b);
	const inside = truths.filter((truth, k) => isInside({truth, range: ranges[k] ?? null}));
	const narrow = widths.filter((width) => width <= fifth);
	return [
		what,
		`${truths.length}`,
		share(inside.length, truths.length),
		seconds(widths[Math.floor(widths.length / 2)] ?? Number.NaN),
		seconds(widths.at(-1) ?? Number.NaN),
		seconds(fifth),
		share(narrow.length, truths.length),
	];
}

/** In the place of a range that was not predicted. */
const nothing = {earliest: 0, latest: null};
