import {type ChildProcess, execFile} from 'node:child_process';
import {cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {parseArgs, promisify} from 'node:util';
import {compareValues} from '../../../src/core/collections/compareValues.ts';
import {writeSection} from '../../support/pageSection.ts';
import {linesOf, type Mechanism, mechanisms, without} from './mechanisms.ts';
import type {Played} from './play.ts';

// Takes mechanisms of the forecast out, one at a time, in a copy of the source, and plays the same outages without each: what is
// wrong without it, and how much wider ranges are, is what it earns.

const root = join(import.meta.dirname, '../../..');
const vectors = join(root, 'test/conformance/vectors/forecast');
const page = join(root, 'docs/how-forecasts-are-made.md');

const {values, positionals} = parseArgs({
	allowPositionals: true,
	options: {
		/** The first seed; those of the suites are small numbers, by which the code was mended. */
		seed: {type: 'string', default: '100001'},
		/** Plays so many times as many outages. */
		times: {type: 'string', default: '1'},
		jobs: {type: 'string', default: '2'},
		/** Writes the table into the page. */
		write: {type: 'boolean', default: false},
	},
});

const chosen = mechanisms.filter(({name}) => positionals.length === 0 || positionals.includes(name));
const folder = mkdtempSync(join(tmpdir(), 'ablation-'));
/** The source as it is when this begins. */
const original = join(folder, 'original');
const playing = new Set<ChildProcess>();
process.on('exit', () => {
	for (const child of playing) child.kill();
	rmSync(folder, {recursive: true});
});
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1));
process.exitCode = await main();

async function main(): Promise<number> {
	const strange = positionals.filter((name) => !chosen.some((one) => one.name === name));
	if (strange.length > 0) {
		console.error(`error: there is no ${strange}; there are: ${mechanisms.map(({name}) => name).join('; ')}`);
		return 2;
	}
	for (const part of ['src', 'test'])
		cpSync(join(root, part), join(original, part), {
			recursive: true,
			filter: (path) => !path.includes('conformance/vectors'),
		});
	for (const part of ['package.json', 'node_modules', 'tools'])
		symlinkSync(join(root, part), join(original, part));
	const baseline = await played();
	const header = [
		'| Taken out | lines | wrong | one look: median, 90 % | watched: median, 90 % | `Unsure` | CPU |',
		'| --- | --- | --- | --- | --- | --- | --- |',
	];
	const rows = [rowOf('nothing', 0, baseline, baseline)];
	console.log([...header, ...rows].join('\n'));
	const waiting = [...chosen];
	const work = async () => {
		for (let next = waiting.shift(); next; next = waiting.shift()) {
			const result = await played(next);
			const read = (file: string) => readFileSync(join(original, 'src/forecast', file), 'utf8');
			const lines = next.parts.reduce((sum, part) => sum + linesOf(part, read), 0);
			const row = rowOf(`\`${next.name}\``, lines, result, baseline);
			rows.push(row);
			console.log(row);
			const news = Object.entries(result.wrong).filter(([outage]) => !(outage in baseline.wrong));
			for (const [outage, what] of news.slice(0, 2)) console.log(`    ${outage}: ${what}`);
		}
	};
	await Promise.all(Array.from({length: Number(values.jobs)}, work));
	const order = new Map(chosen.map(({name}, index) => [`| \`${name}\` |`, index]));
	const place = (row: string) => [...order].find(([name]) => row.startsWith(name))?.[1] ?? -1;
	const table = [...header, ...rows.toSorted((a, b) => place(a) - place(b))].join('\n');
	if (values.write) writeSection(page, 'ablation', table);
	return 0;
}

/** Plays all outages in a copy of the source without a mechanism. */
async function played(mechanism?: Mechanism): Promise<Played> {
	const copy = mkdtempSync(join(folder, 'copy-'));
	cpSync(original, copy, {recursive: true, verbatimSymlinks: true});
	if (mechanism) {
		const file = join(copy, 'src/forecast', mechanism.file);
		writeFileSync(file, without(mechanism, readFileSync(file, 'utf8')));
	}
	const args = [
		...process.execArgv,
		join(copy, 'test/lab/ablation/play.ts'),
		vectors,
		values.seed,
		values.times,
	];
	const player = promisify(execFile)(process.execPath, args, {maxBuffer: 2 ** 30});
	playing.add(player.child);
	const {stdout} = await player;
	playing.delete(player.child);
	rmSync(copy, {recursive: true});
	return JSON.parse(stdout);
}

function rowOf(name: string, lines: number, result: Played, baseline: Played): string {
	const quantiles = (widths: readonly (number | null)[]) => {
		const sorted = widths.map((width) => width ?? Number.POSITIVE_INFINITY).toSorted(compareValues);
		const at = (share: number) => sorted[Math.floor(share * (sorted.length - 1))] ?? 0;
		return [0.5, 0.9]
			.map((share) => (Number.isFinite(at(share)) ? `${(at(share) / 1000).toFixed(1)} s` : 'open'))
			.join(', ');
	};
	const cells = [
		name,
		lines,
		`${Object.keys(result.wrong).length} of ${result.outages}`,
		quantiles(result.cold),
		quantiles(result.warm),
		`${(100 * result.unsure).toFixed(1)} %`,
		`${((100 * result.cpu) / baseline.cpu).toFixed(0)} %`,
	];
	return `| ${cells.join(' | ')} |`;
}
