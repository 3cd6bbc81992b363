import {second} from '../../../src/core/time/instant.ts';
import {calibrationTable} from './calibration.ts';
import {drawnExperiment} from './drawnExperiment.ts';
import {type DrawnOutage, drawnOutage, type Mix} from './drawnOutage.ts';
import {isInside} from './judge.ts';
import {largeOutage} from './largeOutage.ts';
import type {Recording} from './recording.ts';
import {overview, type Result, resultOf} from './report.ts';
import {playSimulated} from './simulated.ts';

/** The outages to draw: a number of consecutive seeds, and their mix. */
type Drawn = {readonly seed: number; readonly count: number; readonly mix: Mix | 'large'};

/** Plays a drawn outage on a real control plane. */
export type PlayReal = (experiment: ReturnType<typeof drawnExperiment>) => Promise<Recording>;

/**
 * Draws outages, plays each on the simulated control plane or on real ones, and prints the wrong forecasts.
 *
 * @returns how many outages had a miss or a false alarm; those with hidden flags are reported separately, and not counted
 */
export async function playDrawn(
	{seed, count, mix}: Drawn,
	print: (line: string) => void,
	playReal?: PlayReal,
): Promise<number> {
	const results: Result[] = [];
	const [withFlags, hidden] = [
		{all: 0, right: 0},
		{all: 0, right: 0},
	];
	for (let index = 0; index < count; index += 1) {
		const outage = mix === 'large' ? largeOutage(seed + index) : drawnOutage(seed + index, mix);
		const recording = playReal
			? await playReal(drawnExperiment(outage))
			: playSimulated({...outage, beginsAt: phaseOf(outage)});
		const result = resultOf(recording);
		results.push(result);
		const isWrong = !isRight(result);
		const tally = outage.hidesFlags ? hidden : withFlags;
		tally.all += 1;
		tally.right += isWrong ? 0 : 1;
		print(lineOf(outage, result, isWrong));
		if (isWrong)
			for (const line of [...result.misses, ...result.nodeMisses, ...result.alarmFacts]) print(`  ${line}`);
	}
	print(`\n${overview(results)}\n`);
	print(`${calibrationTable(results.flatMap(({cases}) => cases))}\n`);
	const rightOf = ({right, all}: typeof withFlags) =>
		`${right} of ${all} without a miss and without a false alarm`;
	print(`flags told: ${rightOf(withFlags)}; hidden: ${rightOf(hidden)}`);
	return withFlags.all - withFlags.right;
}

/** Passes begin at any part of a second. */
const phaseOf = ({seed}: DrawnOutage): number => Math.round(((seed * goldenSection) % 1) * second);
const goldenSection = 0.618034;

const isRight = ({deletions, nodeSteps, alarms}: Result): boolean =>
	alarms.cold.size + alarms.warm.size === 0 && [...deletions, ...nodeSteps].every(isInside);

function lineOf({seed, title}: DrawnOutage, {deleted, deletions}: Result, isWrong: boolean): string {
	const inside = deletions.filter(isInside).length;
	return `${isWrong ? 'WRONG' : 'right'} seed ${seed}: ${title}; ${deleted} deletions, ${inside} of ${deletions.length} forecasts inside`;
}
