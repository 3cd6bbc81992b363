import {type Instant, median} from '../../core/time/instant.ts';
import {Range} from '../range.ts';
import type {Run} from '../simulate/run.ts';
import type {Trajectory, ZoneMoment} from '../simulate/trajectory.ts';
import type {ZoneStep, ZoneStory} from '../zoneForecast.ts';

/** The states of the zones over all trajectories; if these differ, those of the largest group that agrees. */
export function zoneStories(runs: readonly Run[]): ReadonlyMap<string, ZoneStory> {
	const trajectories = runs.map(({trajectory}) => trajectory);
	const zones = new Set(trajectories.flatMap((trajectory) => [...trajectory.zones.keys()]));
	return new Map([...zones].map((zone) => [zone, storyOf(zone, trajectories)]));
}

/** The states that one zone enters from now on. */
export function storyAhead(zone: string, runs: readonly Run[], now: Instant): ZoneStory {
	const {steps, isSure} = storyOf(
		zone,
		runs.map(({trajectory}) => trajectory),
	);
	return {steps: steps.filter(({at}) => at.expected > now), isSure};
}

function storyOf(zone: string, trajectories: readonly Trajectory[]): ZoneStory {
	const stories = trajectories.map(({zones}) => settled(zones.get(zone) ?? []));
	const alike = [
		...Map.groupBy(stories, (moments) => moments.map(({state, rate}) => `${state} ${rate}`).join()).values(),
	];
	const most = alike.toSorted((a, b) => b.length - a.length)[0] ?? [];
	const steps = (most[0] ?? []).flatMap(({state, rate}, index): readonly ZoneStep[] =>
		state === ''
			? []
			: [{at: rangeOf(most.flatMap((moments) => moments[index]?.at ?? [])), state, rate: decimal(rate)}],
	);
	return {steps, isSure: alike.length <= 1};
}

/** A rate with the precision of its flag: the controller's is a float32. */
const decimal = (rate: number): number => Number(rate.toPrecision(7));

/** A zone that has no nodes, or was not judged yet, has no state. */
const settled = (moments: readonly ZoneMoment[]): readonly ZoneMoment[] =>
	moments.filter(({state}, index) => state !== '' && (state !== 'Initial' || index === moments.length - 1));

const rangeOf = (times: readonly Instant[]): Range =>
	new Range(Math.min(...times), median(times) ?? 0, Math.max(...times));
