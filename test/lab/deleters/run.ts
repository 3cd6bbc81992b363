import {execFile} from 'node:child_process';
import {join} from 'node:path';
import {parseArgs} from 'node:util';
import {mapWithConcurrency} from '../../../src/async/mapWithConcurrency.ts';
import {buildControlPlane, skipsWithoutGo} from '../../e2e/buildControlPlane.ts';

const {
	values: {seed, count, lanes},
} = parseArgs({
	options: {
		seed: {type: 'string', default: '1'},
		count: {type: 'string', default: '20'},
		lanes: {type: 'string', default: '2'},
	},
});

if (skipsWithoutGo()) process.exit(0);
buildControlPlane(console.log);
const suite = join(import.meta.dirname, '../../e2e/deleters/run.ts');
const seeds = Array.from({length: Number(count)}, (_, index) => Number(seed) + index);
const outages = await mapWithConcurrency(seeds, play, Number(lanes));
const sums = outages
	.map(({numbers}) => numbers)
	.reduce((all, one) => all.map((number, index) => number + (one[index] ?? 0)), [0, 0, 0, 0, 0]);
const [ended, others, named, predicted, known] = sums;
const right = outages.filter(({isRight}) => isRight).length;
console.log(
	`${outages.length} outages: ${ended} pods ended, ${others} by others; ${named} named; ${predicted} of ${known} that could be known predicted`,
);
console.log(`${right} passed, ${outages.length - right} failed`);
process.exit(right === outages.length ? 0 : 1);

/** Plays one outage on a control plane of its own, and prints its numbers and what failed. */
async function play(one: number) {
	const {output, isRight} = await new Promise<{output: string; isRight: boolean}>((resolve) => {
		execFile(process.execPath, [suite, '--seed', String(one)], {maxBuffer: 1e8}, (error, text, errors) =>
			resolve({output: text + errors, isRight: !error}),
		);
	});
	const summary = /(\d+) pods ended, (\d+) by others: (\d+) named; (\d+) of (\d+) that could be known/.exec(
		output,
	);
	console.log(
		`${isRight ? 'right' : 'WRONG'} seed ${one}: ${summary?.[0] ?? 'it was not played to its end'}`,
	);
	if (!isRight) console.log(output.replaceAll(/^/gm, '  | '));
	return {isRight, numbers: summary?.slice(1).map(Number) ?? []};
}
