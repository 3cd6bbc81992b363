import {readFileSync} from 'node:fs';
import {expect, test} from 'vitest';
import {second} from '../../src/core/time/instant.ts';
import type {WorkloadImpact} from '../../src/impact/workloadImpact.ts';
import type {NodeForecastJson} from '../../src/print/contract/nodeForecast.ts';
import type {PodForecastJson, PodForecastListJson} from '../../src/print/contract/podForecast.ts';
import type {WhatIfJson} from '../../src/print/contract/whatIf.ts';
import type {ZoneForecastJson} from '../../src/print/contract/zoneForecast.ts';
import {outageDumps} from '../support/outageDumps.ts';
import type {Json} from '../support/printedJson.ts';
import {TemporaryFolder} from '../support/testEnvironment.ts';
import {asked, askedOn} from './askedOutage.ts';
import {printedFor} from './printed.ts';

type Pod = Json<PodForecastJson>;

type DumpedPod = {
	readonly kind: string;
	readonly metadata: {readonly name: string};
	readonly status: {
		readonly conditions?: readonly {
			readonly type: string;
			readonly status: string;
			readonly lastTransitionTime: string;
		}[];
	};
};

test('zones, and explain of one, say what evictions do in the next state', async () => {
	const {texts} = await asked('partial-small-zone', 150, 'zones', 'explain zone/eu/a');
	expect(texts[0]).toMatch(
		/^eu\/b .*1 more down: evictions resume at 0.1\/s \(FullDisruption\); 1 back: evictions resume at 0.1\/s \(Normal\)$/m,
	);
	expect(texts[0]).toMatch(/^eu\/a .*3 more down: evictions stop \(PartialDisruption\)$/m);
	expect(texts[1]?.replace(/\s+/g, ' ')).toContain(
		'If 3 more of its nodes fail: evictions stop (PartialDisruption).',
	);
});

test('zones, and explain of one, say how many nodes are silent, and that evictions are about to stop', async () => {
	const {texts} = await asked('partial-small-zone', 142, 'zones', 'explain zone/eu/b');
	expect(texts[0]).toMatch(/^eu\/b +Normal +2\/4, but 1 silent /m);
	expect(texts[1]?.replace(/\s+/g, ' ')).toMatch(
		/2 of 4 nodes are not ready, 1 more silent; .* What stops it: Evictions in zone eu\/b are about to stop, as 3 of 4 nodes are silent or not ready\. Evictions resume when/,
	);
});

test('rescue of a node has each deed once, with its deadline for each pod', async () => {
	const {texts} = await asked('zone-dies', 45, 'rescue node/b1');
	const text = texts[0]?.replace(/\s+/g, ' ') ?? '';
	expect(text.match(/systemctl restart kubelet/g)).toHaveLength(1);
	expect(text).toMatch(
		/bring its node back by \S+ \(in \w+\) for storefront-\S+; by \S+ \(in \w+\) for checkout-\S+; by .* for coredns-\S+: \(on node b1\)/,
	);
	expect(text.match(/it then waits, not ready/g)).toHaveLength(1);
});

test('zones count late nodes apart from those that are well', async () => {
	const {texts} = await asked('rack-dies', 20, 'zones', 'zones -o json', 'what-if --how-many-more');
	expect(texts[0]).toMatch(/^eu\/b +Normal +4\/4, but 2 late /m);
	const zones: readonly Json<ZoneForecastJson>[] = JSON.parse(texts[1] ?? '').items;
	expect(zones.map(({zone, late}) => [zone, late])).toContainEqual(['eu/b', 2]);
	expect(texts[2]).toMatch(/^eu\/b +Normal +4\/4, but 2 late /m);
});

test('the zone of the only controller manager stops everything when it is lost: in the table, below it and in JSON', async () => {
	const {texts, errors} = await asked('rack-dies', 70, 'zones', 'zones -o json');
	expect(texts[0]).toMatch(
		/^eu\/control .* 1 more down: all evictions stop, as no controller manager is left \(FullDisruption\)$/m,
	);
	expect(errors[0]).toContain(
		'\nIf cp1 fails, the only controller manager is lost: nothing more is tainted or evicted until one runs again.\n',
	);
	const zones: readonly Json<ZoneForecastJson>[] = JSON.parse(texts[1] ?? '').items;
	const lost = zones.find(({zone}) => zone === 'eu/control')?.toNextState;
	expect(lost).toEqual([{state: 'FullDisruption', rate: 0, nodesDown: 1, isControllerLost: true}]);
});

test('the pod that stands for others in rescue leaves a person the time to act', async () => {
	const {texts} = await asked('partial-large-zone', 90, 'status', 'rescue', 'pods -A -o json');
	const pods: readonly Json<PodForecastJson>[] = JSON.parse(texts[2] ?? '').items;
	const now = Date.parse(JSON.parse(texts[2] ?? '').metadata.observedAt);
	const leftOf = (name: string | undefined) => {
		const eviction = pods.find(({metadata}) => metadata.name === name)?.eviction;
		return Date.parse(eviction?.earliest ?? '') - now;
	};
	expect(
		Math.min(...pods.flatMap(({eviction, metadata}) => (eviction ? leftOf(metadata.name) : []))),
	).toBeLessThan(30_000);
	expect(leftOf(/^ +kubectl evictwatch rescue (?!node)(\S+) -n /m.exec(texts[0] ?? '')?.[1])).toBeGreaterThan(
		30_000,
	);
	expect(leftOf(/^For example, to save pod\/(\S+) /m.exec(texts[1] ?? '')?.[1])).toBeGreaterThan(30_000);
});

test('the pod that stands for others in rescue is one that is surely evicted, if there is one', async () => {
	const {texts} = await asked('partial-small-zone', 130, 'rescue', 'pods -A');
	expect(texts[1]).toMatch(/ Unsure +b3 /);
	const example = /^For example, to save pod\/(\S+) /m.exec(texts[0] ?? '')?.[1];
	expect(texts[1]).toMatch(new RegExp(`${example} .* Scheduled `));
});

test.for([
	['late', 112],
	['silent', 116],
] as const)(
	'where a node is %s, a what-if about another zone tells of its zone what zones tell',
	async ([, after]) => {
		const {texts} = await asked(
			'partial-small-zone',
			after,
			'zones -o json',
			'what-if --node-down a1 -o json',
		);
		const forecasts: readonly Json<ZoneForecastJson>[] = JSON.parse(texts[0] ?? '').items;
		const {zones}: Json<WhatIfJson> = JSON.parse(texts[1] ?? '');
		for (const {zone, coming, state} of forecasts) {
			const told = zones.find((one) => one.zone === zone);
			expect(told?.after).toEqual(told?.before);
			expect([told?.before.steps[0]?.state, told?.before.steps.slice(1)]).toEqual([state, coming.steps]);
		}
	},
);

test('a pod without an owner has one name on a page', async () => {
	const {texts} = await asked('node-dies', 15, 'status --time-zone utc');
	expect(texts[0]?.replace(/\s+/g, ' ')).toMatch(/last ready pods of [^)]*shop\/import-prices/);
	expect(texts[0]).not.toContain('shop/pod/');
});

test('of a zone that is slowed down, status says how slowly', async () => {
	const {texts} = await asked('partial-large-zone', 120, 'status');
	expect(texts[0]?.replace(/\s+/g, ' ')).toContain(
		'zone eu/b is in PartialDisruption, with 40 of 60 not ready: one node tainted every 1m40s',
	);
});

test('where every zone is down, zones say what evictions of others do once a node is back', async () => {
	const {texts} = await asked('all-zones-down', 80, 'zones');
	expect(texts[0]).toMatch(
		/^eu\/b .*1 back: others evict \(PartialDisruption\); 2 back: evictions resume at 0.1\/s \(Normal\)$/m,
	);
	expect(texts[0]).toMatch(/^eu\/control .*1 back: evictions resume at 0.1\/s \(Normal\)$/m);
});

test('on a terminal of 80 columns tables fit, and what is left out is said; a pipe and -o wide have all of it', async () => {
	const commands = ['pods -A', 'zones', 'nodes', 'what-if --node-back a1', 'rescue', 'workloads -A'];
	const {texts} = await askedOn(80, 'all-zones-down', 130, commands);
	// A command to copy stays on one line.
	const lines = texts.flatMap((text) => text.split('\n').filter((line) => !/kubectl|\(on /.test(line)));
	expect(lines.filter((line) => line.length > 80)).toEqual([]);
	const said = texts.map((text) => text.match(/(?<=^No room for ).*(?=: -o wide shows all columns\.$)/gm));
	expect(said.flat()).toEqual([
		'AT, ZONE, CAUSE',
		'RATE, WAITING',
		'TAINT-IN, TAINT-AT',
		'NODE, THEN, BECAUSE',
		'NODE, VERDICT',
		'AT, EVICTING, READY-AGAIN',
	]);
	const wide = ['pods -A -o wide', 'zones -o wide', 'what-if --node-back a1 -o wide'];
	const onTerminal = await askedOn(80, 'all-zones-down', 130, wide);
	expect(onTerminal.texts).toEqual((await asked('all-zones-down', 130, ...wide)).texts);
});

test('of a zone that dies as a whole it is said that its evictions go on, at the rate of the flag', async () => {
	const {texts} = await asked('zone-dies', 45, 'zones', 'status');
	expect(texts[0]).toMatch(
		/^eu\/b .*in \S+: evictions go on at 0\.1\/s \(FullDisruption\); 1 back: [^(]+\(Partial/m,
	);
	expect(texts[1]).not.toContain('speed up');
});

test('of zones that are about to be down all together it is said why their evictions stop', async () => {
	const {texts} = await asked('all-zones-down', 50, 'zones', 'status', 'what-if --how-many-more');
	expect(texts[0]).toMatch(
		/^eu\/b .*in \S+: evictions stop, as every zone is down \(FullDisruption\); 1 back/m,
	);
	expect(texts[1]?.replace(/\s+/g, ' ')).toContain('evictions in zone eu/b stop (every zone is down) in ');
	expect(texts[2]).toContain('No node is heard any more');
});

test('a late node that is supposed to be lost is told apart from one that may come back', async () => {
	const {texts} = await asked(
		'rack-dies',
		25,
		'what-if --node-down b2',
		'what-if --node-down b1 --node-down b2',
		'status',
	);
	const [one, both, status] = texts.map((text) => text.replace(/\s+/g, ' '));
	expect(one).toContain('no additional pod will be evicted; 8 might be evicted as before');
	expect(both).toContain('no additional pod will be evicted; 8 now sure to be evicted');
	expect(status).toContain('Reach zero: if b1, b2 stay silent: shop/import-prices (in ');
});

test('a what-if of a node that comes back says which of its pods end anyway, as they are deleted already', async () => {
	const {texts} = await asked('node-dies', 150, 'what-if --node-back b2', 'what-if --node-down b1');
	expect(texts[0]?.replaceAll(/\s+/g, ' ')).toMatch(
		/ 2 pods of b2 are Terminating already \(shop\/\S+, shop\/\S+\): they end as soon as its kubelet is back, and nothing saves them\. Pods: /,
	);
	expect(texts[1]).not.toContain('Terminating already');
});

test('a what-if says why it is not sure of an eviction', async () => {
	const commands = [
		['zone-dies', 52, 'what-if --node-back b1', 'stops evicting, and node'],
		['rack-dies', 25, 'what-if --node-down b3', 'may stop evicting'],
		['rack-dies', 110, 'what-if --node-down b3', 'stops evicting, and node'],
	] as const;
	for (const [scenario, after, command, stops] of commands) {
		const {texts} = await asked(scenario, after, command);
		const rows = texts[0]?.match(/^shop .* perhaps .*$/gm) ?? [];
		expect(rows.length).toBeGreaterThan(0);
		for (const row of rows) expect(row).toMatch(new RegExp(`zone eu/b ${stops}`));
	}
});

test('pods that might be evicted so far are not called more pods where a node that is back makes it sure', async () => {
	const {texts} = await asked('all-zones-down', 45, 'what-if --node-back b1');
	expect(texts[0]?.replace(/\s+/g, ' ')).toMatch(
		/Pods: no additional pod will be evicted; \d+ will not be evicted; \d+ now sure to be evicted; /,
	);
});

test.for(['pods -A', 'nodes', 'zones', 'workloads -A', 'pods,nodes -A'])(
	'below the table of %s a terminal says as of when it is; a pipe has nothing more',
	async (command) => {
		const [shown, piped] = [
			await askedOn(80, 'rack-dies', 70, [command]),
			await askedOn(undefined, 'rack-dies', 70, [command]),
		];
		expect(shown.errors[0]?.match(/^Seen at .*$/gm)).toEqual(['Seen at 14:01:11Z; all times are UTC.']);
		expect(shown.texts[0]).not.toContain('Seen at');
		expect(piped.errors[0]).not.toContain('Seen at');
	},
);

test('a what-if says once what becomes of its zones, with the change and without', async () => {
	for (const width of [80, undefined]) {
		const {texts} = await askedOn(width, 'rack-dies', 200, ['what-if --zone-down eu/b']);
		expect(texts[0]?.replaceAll(/\s+/g, ' ')).toMatch(
			/ Zones: eu\/b: Normal, then PartialDisruption in \S+ \(evictions stop, running countdowns continue\), then FullDisruption in \S+ \(evictions resume\), most likely; without this: Normal /,
		);
		expect(texts[0]).not.toMatch(/^ZONE/m);
	}
});

/** The third of four nodes becomes Unknown at 149 s, which stops its zone; the last would become Unknown 40 s after its end. */
test.for([149, 151, 190])(
	'%d s after the start pods, what-if and rescue say the same of pods whose zone has just stopped',
	async (after) => {
		const {texts, at} = await asked(
			'partial-small-zone',
			after,
			'pods -A -o json',
			'what-if --node-down b4 -o json',
			'nodes -o json',
			'rescue',
		);
		const [pods, whatIf, nodes] = texts.slice(0, 3).map((text) => JSON.parse(text));
		const held = (pods.items as Pod[]).filter(({verdict}) => verdict === 'Held');
		expect(held.map(({node}) => node)).toEqual(['b3', 'b3', 'b3']);
		expect(held.map((pod) => pod.held?.by)).toEqual(
			held.map(() => expect.stringContaining('as 3 of 4 nodes are ')),
		);
		expect((nodes.items as Json<NodeForecastJson>[]).filter(({verdict}) => verdict === 'Held')).toMatchObject(
			[{metadata: {name: 'b3'}}],
		);
		const released = (whatIf as Json<WhatIfJson>).pods.filter(({node}) => node === 'b3');
		expect(released.filter(({effect}) => effect === 'added')).toHaveLength(3);
		for (const {after: pod} of released.filter(({effect}) => effect === 'added')) {
			expect(pod.verdict).toBe('Expected');
			expect(Date.parse(String(pod.eviction?.earliest))).toBeGreaterThan(at + 40 * second);
		}
		expect(texts[3]?.replaceAll(/\n {4}/g, ' ')).toMatch(
			/b4 fails too: .*3 held pods of b3 will be evicted, the first in \d+s-/,
		);
	},
);

test('a pod whose node is back is not held by the stop of its zone', async () => {
	// The kubelet of b1 came back a second before, as the first of four.
	const {texts} = await asked('recovery', 250, 'pods -A -o json', 'explain node/b1');
	const pods = JSON.parse(String(texts[0])).items as Pod[];
	const ofBack = pods.filter(({node, verdict}) => node === 'b1' && verdict !== 'Terminating');
	expect(ofBack.map(({verdict}) => verdict)).not.toContain('Held');
	expect(ofBack.flatMap(({because}) => because)).toContain(
		"node b1 is ready again: the next monitor pass removes its taint and cancels its pods' countdowns",
	);
});

test.for([40, 62])(
	'%d s after the start of an outage of all zones no pod is said to stay, and none to be held before its zone is stopped',
	async (after) => {
		const {texts} = await asked('all-zones-down', after, 'pods -A -o json');
		const pods = JSON.parse(String(texts[0])).items as Pod[];
		const staying = pods.filter(({verdict}) => verdict === 'Stays');
		expect(staying.filter(({because}) => !because.some((reason) => /forever/.test(reason)))).toEqual([]);
		const held = pods.filter(({verdict}) => verdict === 'Held');
		expect(held.length > 0).toBe(after > 60);
		for (const pod of held) expect(pod.held?.by).toMatch(/^every zone is (about to be )?down/);
	},
);

test('where no pod is evicted, rescue says the same of it as pods', async () => {
	const {texts, errors} = await asked('node-pressure', 9, 'pods -A', 'rescue');
	const said = 'No evictions expected; memory and disk of 13 nodes were not queried.\n';
	// A dump of these objects does not show the release of the control plane.
	expect(errors[0]).toMatch(new RegExp(`^Warning: VersionOfKubelets: .*\\n${said}$`));
	expect(texts[1]).toContain(`\n\n${said}`);
});

// The pass that found all zones down did not yet know about its own taint on b2, so that node is queued again, too.
test('where every zone is down, a node that is tainted already takes a token of those that are held', async () => {
	using folder = new TemporaryFolder();
	const [before, after] = outageDumps(folder.path, ['all-zones-down'], [299 * second, 360 * second]);
	const {out} = await printedFor(
		'pods',
		'-A',
		'-o',
		'json',
		'-f',
		before?.file ?? '',
		'--at',
		before?.at ?? '',
	);
	const {items} = JSON.parse(out) as Json<PodForecastListJson>;
	const later = JSON.parse(readFileSync(after?.file ?? '', 'utf8')) as {items: readonly TaintedNode[]};
	const held = items.flatMap((pod) => {
		const node = later.items.find(({metadata}) => metadata.name === pod.node);
		const taint = node?.spec.taints?.find(({effect}) => effect === 'NoExecute');
		return pod.held && taint ? [{...pod, range: pod.held.ifReleasedNow, taint}] : [];
	});
	expect(held.length).toBeGreaterThan(15);
	for (const {range, cause, taint} of held) {
		const evictedAt = Date.parse(taint.timeAdded) + (cause?.tolerationSeconds ?? 0) * second;
		expect(evictedAt).toBeGreaterThan(Date.parse(range.earliest) - second);
		expect(evictedAt).toBeLessThanOrEqual(Date.parse(range.latest ?? ''));
	}
});

type TaintedNode = {
	readonly metadata: {readonly name: string};
	readonly spec: {readonly taints?: readonly {readonly effect: string; readonly timeAdded: string}[]};
};

// If all zones are about to be down, a taint may be added and removed again: it evicts pods that do not tolerate it.
test('a pod does not go before its node gets the taint, as explain tells it', async () => {
	const {texts} = await asked('all-zones-down', 36, 'pods -A -o json');
	const pods = (JSON.parse(String(texts[0])) as Json<PodForecastListJson>).items;
	const going = pods.filter(({eviction, node}) => eviction && /^b3$/.test(node));
	expect(going.length).toBeGreaterThan(0);
	const told = await asked('all-zones-down', 36, `explain ${going[0]?.metadata.name} -n shop -o json`);
	const [explained] = JSON.parse(String(told.texts[0])).items;
	const taint = explained.steps.find(({what}: {what: string}) => what.includes('may get the taint'));
	expect(Date.parse(taint.at.earliest)).toBeLessThanOrEqual(Date.parse(going[0]?.eviction?.earliest ?? ''));
});

test('in a slow zone, countdowns of a node that was tainted long after the pass that found it are known', async () => {
	const {texts} = await asked('partial-large-zone', 260, 'pods -A --verdict Scheduled -o json');
	const {items: pods}: Json<PodForecastListJson> = JSON.parse(texts[0] ?? '');
	const widthOf = ({eviction}: (typeof pods)[number]) =>
		Date.parse(eviction?.latest ?? '') - Date.parse(eviction?.earliest ?? '');
	const widths = pods.filter(({node}) => node === 'b7').map(widthOf);
	expect(widths.length).toBeGreaterThan(0);
	expect(Math.max(...widths)).toBeLessThan(2 * second);
});

test('the end of a zone that will be slow is not told sooner than its rate allows', async () => {
	const {texts} = await asked('partial-large-zone', 40, 'status -o json');
	const {ends, starts, metadata} = JSON.parse(texts[0] ?? '');
	// Most of 40 nodes are tainted 100 s apart.
	const minutesTo = (at: string) => (Date.parse(at) - Date.parse(metadata.observedAt)) / 60_000;
	expect(minutesTo(ends.earliest)).toBeGreaterThan(50);
	expect(minutesTo(starts.latest)).toBeLessThan(1);
});

test('while a throttled pass finds another zone down, no pod of a node that falls silent now goes before its grace period', async () => {
	const {texts} = await asked('partial-large-zone', 52, 'what-if --node-down a4 -o json');
	const {pods, metadata}: Json<WhatIfJson> = JSON.parse(texts[0] ?? '');
	const added = pods.filter(({effect}) => effect === 'added');
	const first = Math.min(...added.map(({after}) => Date.parse(after.eviction?.earliest ?? '')));
	expect((first - Date.parse(metadata.observedAt)) / second).toBeGreaterThan(38);
});

test('what is said of a slow zone differs by the time between two looks only: a pass that is due forgets no earlier one', async () => {
	const latest: number[] = [];
	for (const at of [98, 100, 104]) {
		const {texts} = await asked('partial-large-zone', at, 'zones', 'zones -o json');
		expect(texts[0]).toMatch(/^eu\/b +PartialDisruption +20\/60 +0.01\/s +1m/m);
		const zones: readonly Json<ZoneForecastJson>[] = JSON.parse(texts[1] ?? '').items;
		latest.push(Date.parse(zones.find(({zone}) => zone === 'eu/b')?.nextTaints[0]?.latest ?? ''));
	}
	expect(Math.max(...latest) - Math.min(...latest)).toBeLessThan(second);
});

test('a pod goes no sooner than its node turns Unknown, and a workload reaches zero no later than its first pods go', async () => {
	const {texts} = await asked(
		'partial-large-zone',
		30,
		'pods -A -o json',
		'nodes -o json',
		'what-if --node-down a4 -o json',
	);
	const pods: readonly Json<PodForecastJson>[] = JSON.parse(texts[0] ?? '').items;
	const nodes: readonly Json<NodeForecastJson>[] = JSON.parse(texts[1] ?? '').items;
	const turns = new Map(nodes.map(({metadata, unknown}) => [metadata.name, unknown?.earliest]));
	const early = pods.flatMap(({node, eviction}) => {
		const turn = turns.get(node ?? '');
		return eviction && turn ? Date.parse(eviction.earliest) - Date.parse(turn) : [];
	});
	expect(early.length).toBeGreaterThan(100);
	expect(Math.min(...early)).toBeGreaterThan(-0.5 * second);
	const whatIf: Json<WhatIfJson> = JSON.parse(texts[2] ?? '');
	const first = Math.min(
		...whatIf.pods.flatMap(({effect, after}) =>
			effect === 'added' && after.eviction ? Date.parse(after.eviction.earliest) : [],
		),
	);
	const lost = whatIf.workloads
		.find(({after}) => after?.name === 'prometheus')
		?.after?.losses.find(({node, kind}) => node === 'a4' && kind === 'NotReady');
	expect(Date.parse(lost?.at.earliest ?? '')).toBeLessThan(first + 2 * second);
});

test.each(['partial-large-zone', 'zone-dies', 'rack-dies'])(
	'a workload loses its ready pods when they are marked, which may take long after their node turned Unknown: %s',
	async (scenario) => {
		const late: string[] = [];
		let marked = 0;
		using folder = new TemporaryFolder();
		const [before, after] = outageDumps(folder.path, [scenario], [40 * second, 100 * second]);
		const {out} = await printedFor(
			...`workloads -A -o json -f ${before?.file} --at ${before?.at}`.split(' '),
		);
		const workloads: readonly Json<WorkloadImpact>[] = JSON.parse(out).items;
		const objects: readonly DumpedPod[] = JSON.parse(readFileSync(String(after?.file), 'utf8')).items;
		const markedAt = new Map(
			objects.flatMap(({kind, metadata, status}) => {
				const ready = kind === 'Pod' && status.conditions?.find(({type}) => type === 'Ready');
				return ready && ready.status === 'False'
					? [[metadata.name, Date.parse(ready.lastTransitionTime)]]
					: [];
			}),
		);
		for (const {pod, kind, at} of workloads.flatMap(({losses}) => losses)) {
			const time = markedAt.get(pod);
			if (kind !== 'NotReady' || time === undefined || at.latest === null) continue;
			marked += 1;
			if (time > Date.parse(at.latest) || time + second < Date.parse(at.earliest))
				late.push(`${pod}: ${new Date(time).toISOString()}, ${at.earliest} to ${at.latest}`);
		}
		expect(marked).toBeGreaterThan(5);
		expect(late).toEqual([]);
	},
);
