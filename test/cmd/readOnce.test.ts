import {expect, test} from 'vitest';
import {asked} from './askedOutage.ts';

// Sentences that fresh users had to read twice.

const onOneLine = (text = ''): string => text.replaceAll(/\s+/g, ' ');

test('what may go before the pod that is surely next is told without a range of its own order; paces have one form', async () => {
	const {texts} = await asked('partial-large-zone', 80, 'status', 'explain zone/eu/b');
	const [status, zone] = texts.map(onOneLine);
	expect(status).toMatch(/Next: \S+ on \S+, in \S+ \(/);
	expect(status).toContain('not ready: one node tainted every 1m40s');
	expect(status).toContain('wait for their taint (zone eu/b: one node every 1m40s)');
	expect(zone).toContain('one node tainted every 1m40s, 37 nodes wait');
});

test('status and what-if agree on what one more lost node does to its zone', async () => {
	const {texts} = await asked('rack-dies', 110, 'status', 'what-if --node-down b3');
	const [status, whatIf] = texts.map(onOneLine);
	const [, pods = '-', zone] =
		status?.match(/if one more node of zone eu\/b fails, as b3: - (.*?) - (evictions .*?) if /) ?? [];
	expect(whatIf).toContain(`Pods: ${pods};`);
	expect(pods).toMatch(/pods? might be evicted/);
	expect(zone).toBe('evictions in zone eu/b stop (PartialDisruption); running countdowns go on');
	expect(whatIf).toMatch(/eu\/b: Normal, then PartialDisruption in \S+ \(evictions stop,/);
	expect(whatIf).toContain('zone eu/b stops evicting, and node b3 may get its taint before that');
});

test('a zone that is wholly lost is said to evict on, as its name sounds as if it stopped; effects of one more node are a list', async () => {
	const {texts} = await asked('zone-dies', 65, 'status', 'what-if --zone-down eu/a');
	const [status, whatIf] = texts.map(onOneLine);
	expect(whatIf).toMatch(/eu\/a: Normal, then FullDisruption in \S+ \(evictions go on\)/);
	expect(texts[0]).toMatch(
		/^One more node: if cp1 fails[^:]*: [^:]*\n {15}if a\d of zone eu\/a fails[^:]*:\n {15}- \d more pods? will be evicted/m,
	);
	expect(status).toContain(' - no zone changes its state; evictions in zone eu/a go on if a');
});

test('the loss of the only node with a controller manager stops everything, as its what-if says', async () => {
	const {texts} = await asked('rack-dies', 110, 'status', 'what-if --node-down cp1');
	const [status, whatIf] = texts.map(onOneLine);
	expect(status).toContain(
		'if cp1 fails, the only controller manager is lost: nothing more is tainted or evicted until one runs again',
	);
	expect(whatIf).toContain('Until a controller manager runs, nothing is tainted, evicted or set not ready.');
	expect(whatIf).toContain('Zones: all evictions are stopped, as no controller manager runs');
	// As without controllers now, pods with a running countdown are held: a new controller manager begins it again.
	expect(whatIf).not.toMatch(/ (avoided|Stays) /);
});
