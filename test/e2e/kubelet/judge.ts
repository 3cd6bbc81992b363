import {type Check, isInside} from '../judge.ts';
import type {Report, WrittenRange} from '../pressureForecasts.ts';
import type {Eviction} from './truth.ts';

/** The predictions for a node, and what its kubelet did. Instants are milliseconds since the epoch. */
export type Played = {
	readonly scenario: string;
	/** Whether one pod's usage grew steadily for minutes. */
	readonly isSteady: boolean;
	readonly reports: readonly Report[];
	readonly evictions: readonly Eviction[];
	readonly endedAt: number;
};

/** A prediction for a pod. */
type Prediction = {
	readonly seenAt: number;
	readonly pod: string;
	readonly eviction: WrittenRange;
	readonly isCertain: boolean;
	readonly isFirst: boolean;
};

/** How far ahead the first victim of a steady leak must be named, in milliseconds. */
const lead = 60_000;

/** Checks that ranges hold, that certain evictions come, and that the first victim is named in time. */
export function judgePlayed(played: Played): Check[] {
	const {scenario, isSteady} = played;
	const checks = [
		{name: `${scenario}: each victim falls inside each range that named it`, failures: outside(played)},
		{name: `${scenario}: nobody who is certain stays`, failures: stayed(played)},
	];
	const named = {name: `${scenario}: the first victim is named a minute ahead`, failures: unnamed(played)};
	return isSteady ? [...checks, named] : checks;
}

/** The figures of one play, for the table. */
export function measure(played: Played) {
	const predictions = allPredictions(played);
	const [first] = played.evictions;
	const victims = played.evictions.map(({pod, at}) =>
		predictions.filter((one) => one.pod === pod && one.seenAt < at),
	);
	const named = victims.flat();
	const certain = predictions.filter(({isCertain}) => isCertain);
	// The pods named as first, in the reports that name any before the first eviction.
	const firsts = Map.groupBy(
		predictions.filter(({isFirst, seenAt}) => isFirst && first !== undefined && seenAt < first.at),
		({seenAt}) => seenAt,
	);
	return {
		victims: played.evictions.map(({pod}) => pod),
		inside: named.length - outside(played).length,
		named: named.length,
		certain: certain.length,
		stayed: stayed(played).length,
		rightFirst: [...firsts.values()].filter((some) => some.some(({pod}) => pod === first?.pod)).length,
		saidFirst: firsts.size,
		/** How far ahead the first victim was named, in milliseconds. */
		lead: leadOf(played),
	};
}

function allPredictions({reports}: Played): Prediction[] {
	return reports.flatMap(({seenAt, items}) =>
		items.flatMap(({evictions, overLimits}) => [
			...evictions.map(({name, eviction, certain, place}) => ({
				seenAt,
				pod: name,
				eviction,
				isCertain: certain,
				isFirst: place.first === 1,
			})),
			...overLimits.flatMap(({name, eviction}) =>
				eviction ? [{seenAt, pod: name, eviction, isCertain: false, isFirst: false}] : [],
			),
		]),
	);
}

function outside(played: Played): string[] {
	const predictions = allPredictions(played);
	return played.evictions.flatMap(({pod, at}) =>
		predictions
			.filter((one) => one.pod === pod && one.seenAt < at && !isInside(at, rangeOf(one.eviction)))
			.map(
				({seenAt, eviction}) => `${pod} at ${clock(at)}, ${seconds(at - seenAt)} before: ${shown(eviction)}`,
			),
	);
}

/** Whether a pod stayed can only be decided after its range. */
function stayed(played: Played): string[] {
	const {evictions, endedAt} = played;
	return allPredictions(played)
		.filter(({isCertain, eviction: {latest}}) => isCertain && latest !== null && Date.parse(latest) < endedAt)
		.filter(({pod, seenAt}) => !evictions.some((eviction) => eviction.pod === pod && eviction.at > seenAt))
		.filter(({pod, seenAt}) => !isLate(pod, seenAt, evictions))
		.map(({pod, seenAt, eviction}) => `${pod}, said at ${clock(seenAt)}: ${shown(eviction)}`);
}

/** A report that was already under way at the eviction is not a miss. */
const isLate = (pod: string, seenAt: number, evictions: readonly Eviction[]) =>
	evictions.some((eviction) => eviction.pod === pod && seenAt - eviction.at < 2000);

function leadOf(played: Played): number {
	const [first] = played.evictions;
	if (!first) return 0;
	const named = allPredictions(played).find(({pod, seenAt}) => pod === first.pod && seenAt < first.at);
	return named ? first.at - named.seenAt : 0;
}

function unnamed(played: Played): string[] {
	const [first] = played.evictions;
	if (!first) return ['nothing was evicted'];
	return leadOf(played) >= lead ? [] : [`${first.pod} was named ${seconds(leadOf(played))} ahead`];
}

const rangeOf = ({earliest, expected, latest}: WrittenRange) => ({
	earliest: Date.parse(earliest),
	expected: Date.parse(expected),
	latest: latest === null ? null : Date.parse(latest),
});

const seconds = (milliseconds: number) => `${(milliseconds / 1000).toFixed(1)} s`;
const clock = (at: number) => new Date(at).toISOString().slice(11, 23);
const shown = ({earliest, latest}: WrittenRange) =>
	`${earliest.slice(11, 23)} to ${latest === null ? 'open' : latest.slice(11, 23)}`;
