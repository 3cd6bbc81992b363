import {readFileSync, writeFileSync} from 'node:fs';
import {expect, test} from 'vitest';
import {second} from '../../src/core/time/instant.ts';
import type {NodeForecastJson} from '../../src/print/contract/nodeForecast.ts';
import {outageDumps} from '../support/outageDumps.ts';
import type {Json} from '../support/printedJson.ts';
import {TemporaryFolder} from '../support/testEnvironment.ts';
import {printedFor} from './printed.ts';

/** When the simulated controllers' pass sets the zone's four nodes to Unknown. */
const turned = '2026-01-31T14:00:58.900Z';

test.for([16, 19.5, 20.5, 22, 24, 26])(
	'%d s after the start no late node is said to turn Unknown later than it does',
	async (after) => {
		using folder = new TemporaryFolder();
		const [dump] = outageDumps(folder.path, ['zone-dies'], [after * second]);
		const {out} = await printedFor('nodes', '-f', String(dump?.file), '--at', String(dump?.at), '-o', 'json');
		const nodes: readonly Json<NodeForecastJson>[] = JSON.parse(out).items;
		const late = nodes.filter(({metadata, verdict}) => verdict === 'Late' && metadata.name.startsWith('b'));
		expect(late.length).toBeGreaterThan(0);
		for (const {unknown} of late)
			expect(Date.parse(String(unknown?.earliest))).toBeLessThan(Date.parse(turned));
	},
);

test('status and zones tell what no flag shows as a range or as possible, not the default', async () => {
	using folder = new TemporaryFolder();
	const [dump] = outageDumps(folder.path, ['zone-dies'], [24 * second]);
	const file = String(dump?.file);
	const told = async (...command: string[]) =>
		(await printedFor(...command, '-f', file, '--at', String(dump?.at))).out.replace(/\s+/g, ' ');
	const losses = ['what-if', '--how-many-more'];
	expect(await told('status')).toContain('(the first monitor pass after the grace period of 50s)');
	expect(await told('zones')).toContain('3 more down: evictions stop (PartialDisruption)');
	const {items, ...list} = JSON.parse(readFileSync(file, 'utf8'));
	const shown = items.filter(
		({metadata}: {metadata: {name: string}}) => !/controller-manager-/.test(metadata.name),
	);
	writeFileSync(file, JSON.stringify({...list, items: shown}));
	expect(await told('status')).toContain('(the first monitor pass after the grace period of 20s-2m)');
	expect(await told('zones')).toContain('3 more down: evictions may stop (PartialDisruption)');
	expect(await told(...losses)).toMatch(/0\.1\/s\? 3 more: evictions may stop \(PartialDisruption\)/);
	expect(await told('explain', 'zone/eu/a', '--full')).toContain('unhealthy-zone-threshold=0.55-1');
});

test('explain tells of a zone what comes next, and whose silence brings it', async () => {
	using folder = new TemporaryFolder();
	const dumps = outageDumps(folder.path, ['partial-small-zone'], [30 * second, 130 * second]);
	const told = dumps.map(({file, at}) => printedFor('explain', 'zone/eu/b', '-f', file, '--at', at));
	const [first, then] = (await Promise.all(told)).map(({out}) => out.replace(/\s+/g, ' '));
	expect(first).toMatch(
		/Why: 14:00:58Z\/14:01:00Z The 1st taint of the zone goes to a node that turns Unknown by then\. .* If 1 more of its nodes fails: evictions stop/,
	);
	expect(then).toMatch(
		/Why: 14:02:2\dZ\/14:02:3\dZ As b3 turns Unknown: evictions stop \(PartialDisruption\)\./,
	);
});
