import {spawn} from 'node:child_process';

/** What is run, and how long each run of it took, in milliseconds. */
export type Contender = {
	readonly name: string;
	/** @returns how long it took */
	readonly run: () => Promise<number>;
};

/** What is compared: the second may take so many times what the first takes. */
export type Contest = {
	readonly first: Contender;
	readonly second: Contender;
	readonly atMost: number;
	readonly rounds: number;
};

/** Runs both in turns, so that they see the same machine, and prints what they took. */
export async function play({first, second, atMost, rounds}: Contest): Promise<void> {
	const took: Readonly<Record<'first' | 'second', number[]>> = {first: [], second: []};
	// The first round fills caches of the disk and of kubectl.
	for (let round = 0; round <= rounds; round++) {
		const times = {first: await first.run(), second: await second.run()};
		if (round > 0) for (const side of ['first', 'second'] as const) took[side].push(times[side]);
	}
	tell(first.name, took.first);
	tell(second.name, took.second);
	const ratio = median(took.second) / median(took.first);
	console.log(
		`  ${ratio.toFixed(2)} times as long; the goal is at most ${atMost}: ${verdict(ratio <= atMost)}\n`,
	);
}

/** Runs one that may take so many milliseconds, and prints what it took. */
export async function playAlone({name, run}: Contender, atMost: number, rounds: number): Promise<void> {
	await run();
	const took: number[] = [];
	for (let round = 0; round < rounds; round++) took.push(await run());
	tell(name, took);
	console.log(`  the goal is at most ${atMost} ms: ${verdict(median(took) <= atMost)}\n`);
}

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

const median = (values: readonly number[]): number =>
	values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;

function tell(name: string, took: readonly number[]): void {
	const [least, usual] = [Math.min(...took), median(took)].map((time) => time.toFixed(0).padStart(5));
	console.log(`${name.padEnd(52)} median ${usual} ms, least ${least} ms`);
}
