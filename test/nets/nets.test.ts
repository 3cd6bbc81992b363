import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {isDeep} from '../support/drawn.ts';
import {testFolder} from '../support/testFolder.ts';
import type {Played, Said, Source} from './calls.ts';
import {contradictions, differentPaths} from './counts.ts';
import {factsOf} from './extractors.ts';
import {type Difference, differencesIn, formatDifference, type SaidFact} from './facts.ts';
import {pathDifferences} from './paths.ts';

// Two nets, by what commands print, whatever made it: two outputs say the same of the same thing (contradictions), and a
// consumer says the same of an outage whatever its source is (paths). Their counts of differences may only fall.

/** Compiled code of the commands, which each play needs. */
const compiled = join(import.meta.dirname, '../../node_modules/.cache/nets');
const folder = testFolder();

const sources: readonly Source[] = ['live', 'demo', 'recording', 'look', 'file', 'folder'];
/** Every so many seconds in place of the chosen moments: to look for more; counts are not compared then. */
const every = Number(process.env['EVICTWATCH_NETS_EVERY'] ?? 0);
const momentsOf = (chosen: readonly number[]): readonly number[] =>
	every > 0 ? Array.from({length: Math.floor(600 / every)}, (_, index) => (index + 1) * every) : chosen;

/** Outages of the demo. The first is played always, so it ends early. */
const demos: readonly Played[] = [
	'node-dies',
	'rack-dies',
	'zone-dies',
	'all-zones-down',
	'partial-small-zone',
	'flapping-node',
	'controller-restart',
	'recovery',
].map((outage, index) => ({
	outage,
	moments: momentsOf(index === 0 ? [40, 75] : [40, 75, 135, 335]),
	sources,
	isRecording: false,
}));

/** Recordings of real control planes, and when something was said wrongly in them. */
const real: readonly Played[] = [
	{file: 'stopped-untold.jsonl.gz', moments: [40, 100]},
	{file: 'n1-failover.jsonl.gz', moments: [80, 160]},
	{file: 'n13-flags-changed.jsonl.gz', moments: [120]},
	{file: 'hidden-secondary-rate.jsonl.gz', moments: [160]},
	{file: 'n6-throttled.jsonl.gz', moments: [70]},
	{file: 'rate1-words.json.gz', moments: [0]},
].map(({file, moments}) => ({
	outage: join(import.meta.dirname, 'outages', file),
	moments: momentsOf(moments),
	sources: ['recording'],
	isRecording: true,
}));

const nameOf = ({outage}: Played) => outage.replace(/.*\/|\.jsonl?\.gz$/g, '');

/** `npm test` plays these; `EVICTWATCH_NETS=all`, as `npm run test:release` does, plays all: that takes minutes. */
const alwaysPlayed = ['node-dies', 'stopped-untold'];
const played = [...demos, ...real].filter(
	(plan) => process.env['EVICTWATCH_NETS'] === 'all' || alwaysPlayed.includes(nameOf(plan)),
);

async function play(plan: Played): Promise<readonly Said[]> {
	const file = join(folder.path, `${nameOf(plan)}.json`);
	const child = spawn(
		process.execPath,
		[...process.execArgv, join(import.meta.dirname, 'play.ts'), JSON.stringify(plan), file],
		{
			stdio: ['ignore', 'ignore', 'pipe'],
			env: {...process.env, NODE_ENV: 'production', NODE_COMPILE_CACHE: compiled},
			timeout: isDeep ? 1_600_000 : 270_000,
			// While virtual time stands still, the commands hold back any other.
			killSignal: 'SIGKILL',
		},
	);
	let errors = '';
	child.stderr.on('data', (data) => {
		errors += data;
	});
	const [code] = await once(child, 'close');
	if (code !== 0) throw new Error(`${nameOf(plan)} cannot be played; it said last: ${errors.slice(-2000)}`);
	return JSON.parse(readFileSync(file, 'utf8'));
}

/** What was said, at each moment from one kind of evidence: of what was watched, or of one look. */
function* momentsIn(said: readonly Said[]): Generator<readonly SaidFact[]> {
	const groups = Map.groupBy(said, ({moment, source}) => `${moment} ${source}`);
	for (const group of groups.values()) yield group.flatMap(factsOf);
}

function countsOf(differences: readonly {readonly kind: string}[]): Readonly<Record<string, number>> {
	const groups = Map.groupBy(differences, ({kind}) => kind);
	return Object.fromEntries([...groups].map(([kind, list]) => [kind, list.length] as const).toSorted());
}

/** Fails where a count is above the stored one; says which are below. */
function hold(differences: readonly Difference[], stored: Readonly<Record<string, number>> = {}): void {
	const counts = countsOf(differences);
	const lineOf = ([kind, count]: readonly [string, number]) => {
		const example = differences.find((difference) => difference.kind === kind);
		return `${kind}: ${count}, stored ${stored[kind] ?? 0}${example ? `\n    ${formatDifference(example)}` : ''}`;
	};
	const entries = Object.entries(counts);
	if (every > 0) {
		console.log(entries.map(lineOf).join('\n'));
		return;
	}
	const fewer = Object.keys(stored).filter((kind) => (counts[kind] ?? 0) < (stored[kind] ?? 0));
	if (fewer.length > 0) console.log(`lower in test/nets/counts.ts: ${fewer.join(', ')}`);
	expect(entries.filter(([kind, count]) => count > (stored[kind] ?? 0)).map(lineOf)).toEqual([]);
}

test.for(played)('$outage: outputs and paths say the same', async (plan) => {
	const said = await play(plan);
	expect(said.length).toBeGreaterThan(10);
	const name = nameOf(plan);
	const contradicting = [...momentsIn(said)].flatMap((facts) => differencesIn(name, facts));
	hold(contradicting, contradictions[name]);
	hold(pathDifferences(name, said), differentPaths[name]);
});
