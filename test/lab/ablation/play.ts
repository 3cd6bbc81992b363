import {globSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {scoreForecasts} from '../../conformance/checkForecast.ts';
import {isForecastVector} from '../../conformance/forecastVector.ts';
import {wrongMidPass} from '../../support/midPass.ts';
import {type SoundnessOptions, wrongForecasts, wrongIn} from '../../support/soundness.ts';
import {throttledOutageWithChanges, throttledOutageWithReturns} from '../../support/throttledOutages.ts';
import {type DrawnOutage, drawnOutage} from '../accuracy/drawnOutage.ts';
import {isInside, judge} from '../accuracy/judge.ts';
import {largeOutage} from '../accuracy/largeOutage.ts';
import {playSimulated} from '../accuracy/simulated.ts';

// Plays outages with the forecast of this copy of the source: node play.ts VECTORS SEED TIMES. Prints what was wrong, and how wide.

const kinds: Readonly<Record<string, SoundnessOptions>> = {
	'nodes alone': {},
	'user taints, events': {hasUserTaints: true, lostEvents: 0},
	throttled: {isThrottled: true},
	'wrong clocks': {hasWrongClocks: true},
	restart: {hasRestart: true, hasUserTaints: true},
	burst: {endsInBurst: true},
	'restart, burst': {hasRestart: true, endsInBurst: true},
	'wrong clocks, burst': {hasWrongClocks: true, endsInBurst: true},
	'no leases': {hasNoLeases: true},
	'v1.37': {version: 'v1.37.2', isThrottled: true, touchesLeases: true},
	'v1.24': {version: 'v1.24.17', isThrottled: true, hasUserTaints: true},
	'without taints': {version: 'v1.20.15', withoutTaints: true, endsInBurst: true},
};

/** What the forecasts of a copy said, as `play.ts` prints it. */
export type Played = {
	readonly outages: number;
	/** What was wrong, by outage. */
	readonly wrong: Readonly<Record<string, string>>;
	/** The widths of ranges, in milliseconds; without end: null. */
	readonly cold: readonly (number | null)[];
	readonly warm: readonly (number | null)[];
	/** The share of the forecasts of evictions that came which were `Unsure`. */
	readonly unsure: number;
	/** The CPU time of the forecasts, in seconds. */
	readonly cpu: number;
};

if (import.meta.main) {
	const [vectors = '', seed = '1', times = '1'] = process.argv.slice(2);
	console.log(JSON.stringify(played(vectors, Number(seed), Number(times))));
}

function played(vectors: string, firstSeed: number, times: number): Played {
	const wrong: Record<string, string> = {};
	const widths = {cold: [] as (number | null)[], warm: [] as (number | null)[]};
	const verdicts: string[] = [];
	let [outages, cpu] = [0, 0];
	const play = (kind: string, count: number, wrongOf: (seed: number) => readonly string[]) => {
		for (let seed = firstSeed; seed < firstSeed + count; seed += 1) {
			outages += 1;
			let [first]: readonly (string | undefined)[] = [];
			try {
				[first] = wrongOf(seed);
			} catch (error) {
				first = `throws ${error}`;
			}
			if (first !== undefined) wrong[`${kind} ${seed}`] = first;
		}
	};
	const timed = <Result>(work: () => Result): Result => {
		const before = process.cpuUsage().user;
		const result = work();
		cpu += (process.cpuUsage().user - before) / 1e6;
		return result;
	};
	const wide = (look: 'cold' | 'warm', verdict: string, width: number | null) => {
		widths[look].push(width);
		verdicts.push(verdict);
	};
	const drawn = (outage: DrawnOutage): readonly string[] => {
		const recording = playSimulated(outage);
		// More outages show more than more looks at one.
		const {askedEvery = 0, snapshots} = recording;
		const thinned = {
			...recording,
			askedEvery: 3 * askedEvery,
			snapshots: snapshots.filter((_, n) => n % 3 === 0),
		};
		const {deletions, nodeSteps, alarmFacts} = timed(() => judge(thinned));
		// One outage with many pods would decide all widths.
		const every = Math.ceil(deletions.length / 40);
		for (const {kind, verdict, range} of deletions.filter((_, n) => n % every === 0))
			if (range) wide(kind, verdict, range.latest === null ? null : range.latest - range.earliest);
		const misses = [...deletions, ...nodeSteps].filter((one) => !isInside(one));
		return [...misses.map(({subject, kind, at}) => `${subject}, ${kind} at ${at}`), ...alarmFacts];
	};
	for (const [kind, options] of Object.entries(kinds))
		play(kind, 20 * times, (seed) => timed(() => wrongForecasts(seed, options)));
	play('plain', 2 * times, (seed) => drawn(drawnOutage(seed, 'often')));
	play('rare', times, (seed) => drawn(drawnOutage(seed, 'seldom')));
	play('crowded', times, (seed) => drawn(drawnOutage(seed, 'crowded')));
	play('large', times, (seed) => drawn(largeOutage(seed)));
	play('throttled, returns', 2 * times, (seed) =>
		timed(() => wrongIn(throttledOutageWithReturns(seed), seed)),
	);
	play('throttled, changes', 4 * times, (seed) =>
		timed(() => wrongIn(throttledOutageWithChanges(seed), seed)),
	);
	for (const [version, callDuration] of [
		['v1.36.3', 15],
		['v1.24.17', 40],
	] as const)
		play(`in mid pass, ${version}`, 6 * times, (seed) =>
			timed(() => wrongMidPass(seed, {version, callDuration}).wrong),
		);
	for (const file of globSync('*.json', {cwd: vectors})) {
		const vector: unknown = JSON.parse(readFileSync(join(vectors, file), 'utf8'));
		if (!isForecastVector(vector)) continue;
		outages += 1;
		for (const {pod, look, verdict, truth, range, isRight} of timed(() => scoreForecasts(vector))) {
			if (!isRight) wrong[file] ??= `${pod} ${look}`;
			if (truth !== undefined && range) wide(look, verdict, range[1] === null ? null : range[1] - range[0]);
		}
	}
	const unsure = verdicts.filter((verdict) => verdict === 'Unsure').length / verdicts.length;
	return {outages, wrong, ...widths, unsure, cpu};
}
