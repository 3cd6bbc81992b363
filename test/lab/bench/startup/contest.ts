import {spawn} from 'node:child_process';
import {median} from '../figures.ts';

/** What is run. */
export type Contender = {
	readonly name: string;
	/** @returns how long it took, in milliseconds */
	readonly run: () => Promise<number>;
};

/** How long each run of something took, in milliseconds. */
type Times = {readonly name: string; readonly took: readonly number[]};

/** What two took that were compared: the second may take so many times what the first takes. */
export type Contest = {readonly first: Times; readonly second: Times; readonly atMost: number};

/** What one took that may take so many milliseconds. */
export type Alone = Times & {readonly atMost: number};

type Rules = {readonly atMost: number; readonly rounds: number};

/** Runs both in turns, so that they see the same machine. */
export async function play(first: Contender, second: Contender, {atMost, rounds}: Rules): Promise<Contest> {
	const took: Readonly<Record<'first' | 'second', number[]>> = {first: [], second: []};
	// The first round fills caches of the disk and of kubectl.
	for (let round = 0; round <= rounds; round++) {
		const times = {first: await first.run(), second: await second.run()};
		if (round > 0) for (const side of ['first', 'second'] as const) took[side].push(times[side]);
	}
	const times = (side: 'first' | 'second', {name}: Contender) => ({name, took: took[side]});
	return {first: times('first', first), second: times('second', second), atMost};
}

/** Runs one that may take so many milliseconds. */
export async function playAlone({name, run}: Contender, {atMost, rounds}: Rules): Promise<Alone> {
	await run();
	const took: number[] = [];
	for (let round = 0; round < rounds; round++) took.push(await run());
	return {name, took, atMost};
}

/** How many times as long as the first the second usually took. */
export const ratioOf = ({first, second}: Contest): number => median(second.took) / median(first.took);

/** What two took, in words. */
export const contestOf = (contest: Contest): string =>
	[
		timesOf(contest.first),
		timesOf(contest.second),
		`  ${ratioOf(contest).toFixed(2)} times as long; the goal is at most ${contest.atMost}: ${verdict(ratioOf(contest) <= contest.atMost)}\n`,
	].join('\n');

/** What one took, in words. */
export const textOf = (alone: Alone): string =>
	`${timesOf(alone)}\n  the goal is at most ${alone.atMost} ms: ${verdict(median(alone.took) <= alone.atMost)}\n`;

/** A command, from its start to its end. Its run fails where the command does. */
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
			let said = '';
			child.stderr.on('data', (text) => {
				said += text;
			});
			child.once('error', reject);
			child.once('close', (code) =>
				code === 0
					? resolve(performance.now() - begun)
					: reject(new Error(`${file} ${args.join(' ')}: exit ${code}: ${said}`)),
			);
		});
	},
});

const verdict = (isMet: boolean): string => (isMet ? 'met' : 'MISSED');

function timesOf({name, took}: Times): string {
	const [least, usual] = [Math.min(...took), median(took)].map((time) => time.toFixed(0).padStart(5));
	return `${name.padEnd(52)} median ${usual} ms, least ${least} ms`;
}
