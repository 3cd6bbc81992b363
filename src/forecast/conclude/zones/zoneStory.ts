import {maxOf, minOf} from '../../../core/collections/extremes.ts';
import {median} from '../../../core/time/instant.ts';
import {Range} from '../../range.ts';
import type {Simulated} from '../../simulate/simulated.ts';
import type {ZoneMoment} from '../../simulate/trajectory.ts';
import type {ZoneStep, ZoneStory} from '../../zoneForecast.ts';
import {slackOf} from '../nodeTurn.ts';

/** The states of the zones over all trajectories; if these differ, those of the largest group that agrees. */
export function zoneStories(situation: Simulated): ReadonlyMap<string, ZoneStory> {
	const zones = new Set(situation.runs.flatMap(({trajectory}) => [...trajectory.zones.keys()]));
	return new Map([...zones].map((zone) => [zone, storyOf(zone, situation)]));
}

/** The states that one zone enters from now on. */
export function storyAhead(zone: string, situation: Simulated): ZoneStory {
	const {steps, isSure} = storyOf(zone, situation);
	return {steps: steps.filter(({at}) => at.expected > situation.now), isSure};
}

function storyOf(zone: string, situation: Simulated): ZoneStory {
	const stories = situation.runs.map(({trajectory}) => settled(trajectory.zones.get(zone) ?? []));
	const alike = [
		...Map.groupBy(stories, (moments) =>
			moments.map(({state, rate}) => `${state} ${rate > 0}`).join(),
		).values(),
	];
	const most = alike.toSorted((a, b) => b.length - a.length)[0] ?? [];
	const steps = (most[0] ?? []).flatMap(({state}, index): readonly ZoneStep[] => {
		if (state === '') return [];
		const moments = most.flatMap((story) => story[index] ?? []);
		// Where the rates of the flags are ranges, the likeliest settings lie in the middle.
		const rates = moments.map((moment) => moment.rate).toSorted((a, b) => a - b);
		const rate = rates[Math.floor(rates.length / 2)] ?? 0;
		return [{at: rangeOf(moments, situation), state, rate: decimal(rate)}];
	});
	return {steps, isSure: alike.length <= 1 && !situation.evidence.lacksNodes};
}

/** A rate with the precision of its flag: the controller's is a float32. */
const decimal = (rate: number): number => Number(rate.toPrecision(7));

/** A zone that has no nodes, or was not judged yet, has no state. */
const settled = (moments: readonly ZoneMoment[]): readonly ZoneMoment[] =>
	moments.filter(({state}, index) => state !== '' && (state !== 'Initial' || index === moments.length - 1));

/** When a zone enters a state; `now` if it has it at the beginning. New controllers give a zone its first state later. */
function rangeOf(moments: readonly ZoneMoment[], {passes, now}: Simulated): Range {
	if (moments.every(({at}) => at <= now)) return new Range(now, now, now);
	const slack = slackOf(passes);
	const earliest = minOf(moments.map(({from}) => from)) - slack;
	const latest = maxOf(moments.map(({at}) => at)) + slack;
	const middle = median(moments.map(({from, at}) => (from + at) / 2)) ?? latest;
	return new Range(earliest, middle, latest).notBefore(now);
}
