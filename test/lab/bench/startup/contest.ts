import {spawn} from 'node:child_process';
import {median} from '../figures.ts';

/** A program to measure. */
export type Contender = {
	readonly name: string;
	/** @returns its duration, in milliseconds */
	readonly run: () => Promise<number>;
};

/** The duration of each run, in milliseconds. */
type Times = {readonly name: string; readonly took: readonly number[]};

/** The times of two contenders; the second may take up to `atMost` times as long as the first. */
export type Contest = {readonly first: Times; readonly second: Times; readonly atMost: number};

/** The times of one contender; it may take up to `atMost` milliseconds. */
export type Alone = Times & {readonly atMost: number};

type Rules = {readonly atMost: number; readonly rounds: number};

/** Runs both in turns, so that both meet the same machine load. */
export async function play(first: Contender, second: Contender, {atMost, rounds}: Rules): Promise<Contest> {
	const took: Readonly<Record<'first' | 'second', number[]>> = {first: [], second: []};
	// The first round fills the caches of the disk and of kubectl.
	for (let round = 0; round <= rounds; round++) {
		const times = {first: await first.run(), second: await second.run()};
		if (round > 0) for (const side of ['first', 'second'] as const) took[side].push(times[side]);
	}
	const times = (side: 'first' | 'second', {name}: Contender) => ({name, took: took[side]});
	return {first: times('first', first), second: times('second', second), atMost};
}

/** Runs one contender alone. */
export async function playAlone({name, run}: Contender, {atMost, rounds}: Rules): Promise<Alone> {
	await run();
	const took: number[] = [];
	for (let round = 0; round < rounds; round++) took.push(await run());
	return {name, took, atMost};
}

/** The ratio of the second one's median to the first one's. */
export const ratioOf = ({first, second}: Contest): number => median(second.took) / median(first.took);

/** Formats a contest. */
export const contestOf = (contest: Contest): string =>
	[
		timesOf(contest.first),
		timesOf(contest.second),
		`  ${ratioOf(contest).toFixed(2)} times as long; the goal is at most ${contest.atMost}: ${verdict(ratioOf(contest) <= contest.atMost)}\n`,
	].join('\n');

/** Formats the times of one contender. */
export const textOf = (alone: Alone): string =>
	`${timesOf(alone)}\n  the goal is at most ${alone.atMost} ms: ${verdict(median(alone.took) <= alone.atMost)}\n`;

/** A command, from its start to its end. Its run fails if the command fails. */
export const command = (
	name: string,
	env: NodeJS.ProcessEnv,
	file: string,
	...args: string[]
): Contender => ({
	name,
	run: () => {
		const begun = performance.now();
		return new Promise((resolve, reject) => {
			const child = spawn(file, args, {env, stdio: ['ignore', 'ignore', 'pipe']});
			let errors = '';
			child.stderr.on('data', (text) => {
				errors += text;
			});
			child.once('error', reject);
			child.once('close', (code) =>
				code === 0
					? resolve(performance.now() - begun)
					: reject(new Error(`${file} ${args.join(' ')}: exit ${code}: ${errors}`)),
			);
		});
	},
});

const verdict = (isMet: boolean): string => (isMet ? 'met' : 'MISSED');

function timesOf({name, took}: Times): string {
	const [least, usual] = [Math.min(...took), median(took)].map((time) => time.toFixed(0).padStart(5));
	return `${name.padEnd(52)} median ${usual} ms, least ${least} ms`;
}
