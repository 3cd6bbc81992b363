import {beforeAll, expect, test} from 'vitest';
import {second} from '../../src/core/time/instant.ts';
import type {RescueJson} from '../../src/print/contract/rescue.ts';
import type {WhatIfJson} from '../../src/print/contract/whatIf.ts';
import {outageDumps} from '../support/outageDumps.ts';
import type {Json} from '../support/printedJson.ts';
import {testFolder} from '../support/testFolder.ts';
import {printedFor} from './printed.ts';

// b1 and b2 become silent first, b3 after 100 s; then zone eu/b stops its evictions.
const beforeTaint = 66;
const [oneMoreStops, b3IsSilent, isStopped] = [50, 142, 170];

const folder = testFolder();
const dumps = new Map<number, {readonly file: string; readonly at: string}>();

beforeAll(() => {
	const times = [oneMoreStops, beforeTaint, b3IsSilent, isStopped];
	const made = outageDumps(
		folder.path,
		['partial-small-zone'],
		times.map((after) => after * second),
	);
	for (const [index, after] of times.entries()) {
		const dump = made[index];
		if (dump) dumps.set(after, {file: dump.file, at: String(dump.at)});
	}
});

/** The output of a command this many seconds after the demo's start; text is joined to one line. */
async function asked(after: number, command: string): Promise<string> {
	const {file = '', at = ''} = dumps.get(after) ?? {};
	const {out} = await printedFor(...command.split(' '), '-f', file, '--at', at);
	return out;
}

const onOneLine = async (after: number, command: string) =>
	(await asked(after, command)).replace(/\s+/g, ' ');

const returnOfB2 =
	/then 3 held pods of b3 will be evicted, the first in \S+, the last in \S+ \(evictions resume\)/;

test('what brings a node back tells whose evictions that resumes, the same as the what-if', async () => {
	expect(await onOneLine(isStopped, 'rescue cart-1 -n shop')).toMatch(
		new RegExp(`\\* by \\S+ \\(in \\S+\\): bring its node back; ${returnOfB2.source} \\(on node b2\\)`),
	);
	const stuck = (await onOneLine(isStopped, 'rescue node/b1')).split('Stuck: ')[1];
	expect(stuck).toMatch(new RegExp(`\\(on node b1\\) systemctl restart kubelet ${returnOfB2.source}`));
	const {pods}: Json<RescueJson> = JSON.parse(await asked(isStopped, 'rescue cart-1 -n shop -o json'));
	const whatIf: Json<WhatIfJson> = JSON.parse(await asked(isStopped, 'what-if --node-back b2 -o json'));
	const released = whatIf.pods.filter(({effect}) => effect === 'added');
	const first = released.map(({after}) => after.eviction?.earliest ?? '').toSorted()[0];
	expect(released).toHaveLength(3);
	expect(pods[0]?.remedies.find(({kind}) => kind === 'NodeBack')?.evicts).toMatchObject({
		pods: 3,
		first: {earliest: first},
	});
});

test('the node whose return is best is named first, and by status', async () => {
	const text = await asked(isStopped, 'rescue');
	expect(text.match(/^ {2}b\d (?=recovers)/gm)?.map((name) => name.trim())).toEqual(['b3', 'b2', 'b1']);
	expect(await asked(isStopped, 'status')).toMatch(
		/what-if --node-back b3 .*\s+what the return of b3 would do\n/,
	);
	// Nothing is held yet: the return of b2 can save three pods, that of b1 only one.
	expect(await asked(b3IsSilent, 'status')).toMatch(/what-if --node-back b2 /);
});

test('status tells why one more node is named, and which other zones one more changes, as zones do', async () => {
	const text = await onOneLine(oneMoreStops, 'status');
	expect(text).toContain(
		'if a1 of zone eu/a fails (it has the last ready pods of kube-system/deployment/coredns):',
	);
	expect(text).toMatch(
		/if one more node of zone eu\/b fails, as b\d: .* - evictions in zone eu\/b stop \(PartialDisruption\)/,
	);
	expect(await asked(oneMoreStops, 'zones')).toMatch(
		/^eu\/b .*4\/4, but 2 silent .* 1 more down: evictions stop \(PartialDisruption\)$/m,
	);
	expect(await onOneLine(isStopped, 'status')).toContain(
		'if b4 of zone eu/b fails (then its zone evicts again):',
	);
});

test('that a silent node stops its zone is told before it comes, with when and what follows', async () => {
	expect(await onOneLine(b3IsSilent, 'status')).toMatch(
		/Zones: when b3 turns Unknown, evictions in zone eu\/b stop \(PartialDisruption\) in \S+ \(\S+\); then its pods are held, unless it is tainted before /,
	);
	expect(await asked(b3IsSilent, 'zones')).toMatch(
		/^eu\/b +Normal .* in \S+: evictions stop \(PartialDisruption\); 1 more down: evictions resume at 0\.1\/s \(FullDisruption\); 1 back: evictions resume at 0\.1\/s \(Normal\)$/m,
	);
	const {items} = JSON.parse(await asked(b3IsSilent, 'zones -o json'));
	const {coming} = items.find(({zone}: {readonly zone: string}) => zone === 'eu/b');
	expect(coming).toMatchObject({isSure: true, steps: [{state: 'PartialDisruption', rate: 0}]});
	expect(await asked(isStopped, 'status')).not.toContain('Zones:');
});

test('that a pod may not be evicted at all is told before what would save it', async () => {
	expect(await onOneLine(b3IsSilent, 'rescue -n payments')).toMatch(
		/Not sure: pod\/gateway\S+, pod\/fraud-check\S+ may not be evicted at all\. Zone eu\/b is about to stop its evictions, .* before that\. To save /,
	);
});

test('what a new controller manager does to a pod is the same in rescue as in a what-if', async () => {
	const whatIf: Json<WhatIfJson> = JSON.parse(
		await asked(isStopped, 'what-if --controller-restart= -o json'),
	);
	const cart = whatIf.pods.find(({metadata}) => metadata.name === 'cart-1');
	const {pods}: Json<RescueJson> = JSON.parse(await asked(isStopped, 'rescue cart-1 -n shop -o json'));
	const stop = pods[0]?.remedies.find(({kind}) => kind === 'StopControllers');
	expect(stop?.afterRestart).toBe('Held');
	expect(stop?.afterRestart).toBe(cart?.after.verdict);
	expect(await onOneLine(isStopped, 'rescue cart-1 -n shop')).toContain(
		'nothing is evicted until a new one starts; then it is held as long as evictions are stopped',
	);
});

test('a workload that is at zero and would not be is told by a what-if', async () => {
	expect(await onOneLine(isStopped, 'status')).toContain('Reach zero: shop/import-prices (at zero already)');
	expect(await onOneLine(isStopped, 'what-if --node-back b2')).toMatch(
		/Reach zero: .*ready again: shop\/import-prices Zones:/,
	);
});

test('the commands that status shows for a namespace ask about that namespace', async () => {
	const text = await asked(isStopped, 'status -n payments');
	expect(text).toMatch(/what-if --node-down b4 -n payments /);
	expect(text).toMatch(/what-if --node-back b3 -n payments /);
});

test('a node that waits for its taint is told under why not yet, and the end names its assumption', async () => {
	const text = await onOneLine(beforeTaint, 'status');
	expect(text).toMatch(
		/Why not yet: b1 waits for its taint, which comes between \S+ and \S+ \(zone eu\/b: one node every 10s\) \d+ pods of b2 have a running countdown[^.]* \(tolerationSeconds\) Pods:/,
	);
	expect(text).toMatch(
		/Ends: the last eviction comes in \S+ \(\S+\), if no further node fails; \d+ pods then stay Terminating /,
	);
});
