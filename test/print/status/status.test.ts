import {expect, test} from 'vitest';
import {defaultSettings} from '../../../src/core/model/versionProfile.ts';
import {nothingRelated} from '../../../src/core/model/workloads/related.ts';
import type {Forecast} from '../../../src/forecast/forecast.ts';
import type {NodeForecast} from '../../../src/forecast/nodeForecast.ts';
import {forecastPressure} from '../../../src/forecast/pressure/forecastPressure.ts';
import type {ZoneForecast} from '../../../src/forecast/zoneForecast.ts';
import {moreLosses} from '../../../src/impact/moreLosses.ts';
import {nextLoss} from '../../../src/impact/nextLoss.ts';
import {workloadImpacts} from '../../../src/impact/workloadImpact.ts';
import {AnswerPage} from '../../../src/print/answerPage.ts';
import {jsonOf} from '../../../src/print/json/jsonOf.ts';
import {nextLossLines} from '../../../src/print/status/nextLoss.ts';
import {formatStatus, statusJson} from '../../../src/print/status/status.ts';
import {inTable} from '../../../src/print/tables/kind.ts';
import {nodes as nodeKind} from '../../../src/print/tables/nodeKind.ts';
import {answerText} from '../../../src/print/whatif/whatIfAnswer.ts';
import {mightFollow} from '../../../src/print/whyNotYet.ts';
import {formatWorkloads, isLosing, workloadsJson} from '../../../src/print/workloads.ts';
import {aController, relatedTo} from '../../impact/related.ts';
import {aPod} from '../../support/builders.ts';
import {aForecast, aNodeForecast, aPodForecast, aZoneForecast, inSeconds, now} from '../forecasts.ts';

const held = {
	by: 'zone eu/a is stopped, as 3 of 4 nodes are not ready',
	since: null,
	releasedBy: '1 more of its nodes is ready',
	ifReleasedNow: inSeconds(310, 316),
};
const owner = {kind: 'ReplicaSet', name: 'web', uid: 'web'};
const forecast = aForecast({
	nodes: [
		aNodeForecast({verdict: 'Tainted', ready: 'Unknown'}),
		aNodeForecast({name: 'n2', verdict: 'Healthy'}),
	],
	zones: [aZoneForecast({size: 2, notReady: 1, state: 'Normal'})],
	pods: [
		aPodForecast({owner, ready: 'True', eviction: inSeconds(60, 62)}),
		aPodForecast({name: 'web-1', owner, ready: 'True', eviction: inSeconds(250, 302)}),
		aPodForecast({name: 'held-0', verdict: 'Held', eviction: null, held}),
		aPodForecast({name: 'gone-0', verdict: 'Terminating', eviction: null}),
	],
});
const impacts = workloadImpacts(forecast, relatedTo([aController('web', {desired: 2, ready: 2})]));
const status = {
	forecast,
	impacts,
	nextLoss: nextLoss(moreLosses(forecast, defaultSettings), forecast),
	grace: '50s',
};

test('where a pod of a node that waits may go before the one that is surely next, the first is told apart from it', () => {
	const waiting = ['n2', 'n3'].map((node) =>
		aPodForecast({name: `of-${node}`, node, verdict: 'Expected', eviction: inSeconds(3, 3600)}),
	);
	const next = aPodForecast({eviction: inSeconds(60, 62)});
	const text = formatStatus({
		...status,
		forecast: aForecast({
			zones: [aZoneForecast({queue: ['n2', 'n3'], nextTaint: inSeconds(3, 4)})],
			pods: [next, ...waiting],
		}),
	});
	expect(text.replaceAll(/\n {15}/g, ' ')).toContain(
		'Next:          the first of 3 pods, in 3s-1m2s (14:00:03Z/14:01:02Z); most likely shop/cart-0 on n1, in 1m-1m2s (14:01:00Z/14:01:02Z)\n',
	);
});

test('an outage on one page: what is next, what is held, what reaches zero, and when it ends', () => {
	const text = formatStatus(status).replaceAll(/\n {15}/g, ' ');
	expect(text).toMatch(
		/^Seen at 14:00:00Z; all times are UTC\.\nNodes: +1 of 2 in trouble \(n1\); zone eu\/a is Normal, with 1 of 2 not ready\n/,
	);
	expect(text).toMatch(/\nPods: +2 will be evicted, 1 held, 1 Terminating\n/);
	expect(text).toMatch(/\nNext: +shop\/cart-0 on n1, in 1m-1m2s \(14:01:00Z\/14:01:02Z\)\n/);
	expect(text).toMatch(
		/\nHeld: +1 pod in zone eu\/a: zone eu\/a is stopped.* Evictions resume when 1 more of its nodes is ready\. Pods of nodes still down are then evicted\n/,
	);
	expect(text).toMatch(
		/\nReach zero: +shop\/held-0 \(at zero already\); shop\/replicaset\/web \(in 0s-2s, as the node turns Unknown\)\n/,
	);
	expect(text).toMatch(
		/\nNot replaced: +shop\/cart-0, shop\/web-1: Terminating until the node is back\nStuck: +1 pod /,
	);
	expect(text).not.toContain('Below budget');
	expect(text).toContain('kubectl evictwatch what-if --node-down n2');
	expect(text).toMatch(
		/\nEnds: +the last eviction of a pod that is not held comes in 4m10s-5m2s .*; held pods follow once evictions resume/,
	);
});

test('pods that go together are next together, some by name, and of what reaches zero at one time the time stands once', () => {
	const pods = ['a', 'b', 'c', 'd'].map((name, index) =>
		aPodForecast({
			name,
			uid: name,
			node: index < 2 ? 'n1' : 'n2',
			ready: 'False',
			eviction: inSeconds(60, 62),
		}),
	);
	const later = aPodForecast({name: 'later', uid: 'later', ready: 'True', eviction: inSeconds(90, 92)});
	const all = aForecast({pods: [...pods, later]});
	const text = formatStatus({...status, forecast: all, impacts: workloadImpacts(all, nothingRelated)});
	const lines = text.replaceAll(/\n {15}/g, ' ');
	expect(lines).toMatch(/\nNext: +shop\/a, shop\/b, shop\/c and 1 more on n1, n2, in 1m-1m2s \(14:01:00Z\//);
	expect(lines).toMatch(
		/\nReach zero: +shop\/a, shop\/b, shop\/c, shop\/d \(at zero already\); shop\/later \(in /,
	);
});

test('why pods of tainted nodes are not evicted yet: how many tolerate the taint for how long', () => {
	const tolerating = (seconds: number, node: string, index: number) =>
		aPodForecast({
			name: `web-${index}`,
			uid: `web-${index}`,
			node,
			cause: {kind: 'Taint', taint: 'node.kubernetes.io/unreachable:NoExecute', tolerationSeconds: seconds},
		});
	const pods = [tolerating(300, 'n2', 0), tolerating(60, 'n1', 1), tolerating(300, 'n1', 2)];
	const nodes = [
		...['n1', 'n2'].map((name) => aNodeForecast({name, verdict: 'Tainted', ready: 'Unknown'})),
		aNodeForecast({name: 'n3', verdict: 'Silent', ready: 'True'}),
		aNodeForecast({name: 'n4', verdict: 'Queued', ready: 'Unknown', taints: []}),
	];
	const linesOf = (shown: Forecast) =>
		formatStatus({...status, forecast: shown})
			.replaceAll(/\n {15}/g, ' ')
			.split('\n');
	const lines = linesOf(aForecast({nodes, pods}));
	expect(lines[2]).toMatch(/^Late nodes: +n3 /);
	expect(lines[3]).toMatch(
		/^Why not yet: +n4 waits for its taint.* 3 pods of n1, n2 have a running countdown: 1 of 60s, 2 of 300s \(tolerationSeconds\)$/,
	);
	// An ended pod is not counted among those that will be evicted, and a toleration without seconds is no countdown.
	const ended = pods.map((pod) => ({...pod, phase: 'Succeeded'}));
	expect(linesOf(aForecast({nodes, pods: ended}))[3]).not.toContain('countdown');
});

test('pods that might be evicted are not told as none', () => {
	const unsure = aPodForecast({name: 'maybe-0', verdict: 'Unsure', eviction: inSeconds(60, 90)});
	const text = formatStatus({...status, forecast: aForecast({pods: [unsure]})}).replaceAll(/\n {15}/g, ' ');
	expect(text).toMatch(
		/\nNext: +no pod for sure; the first that might be evicted is shop\/maybe-0 on n1, in 1m-1m30s/,
	);
	expect(text).toMatch(/\nEnds: +not known: no eviction is sure\n/);
	expect(text).toContain('kubectl evictwatch explain maybe-0 -n shop');
	const later = aPodForecast({name: 'maybe-1', verdict: 'Unsure', eviction: inSeconds(60, 9000)});
	const both = aForecast({pods: [...forecast.pods, later]});
	expect(formatStatus({...status, forecast: both}).replaceAll(/\n {15}/g, ' ')).toMatch(
		/\nEnds: +the last eviction of a pod that is not held comes in 4m10s-5m2s .*; pods that might be evicted may go later; held/,
	);
});

test('a file without leases is no all-clear', () => {
	const problems = [{reason: 'LeasesMissing', message: 'the file has no node leases'}];
	const calm = aForecast({nodes: [aNodeForecast({verdict: 'Healthy'})], zones: [], pods: [], problems});
	const text = formatStatus({...status, forecast: calm, impacts: [], nextLoss: undefined});
	const words = text.replaceAll(/\n +/g, ' ');
	expect(words).toMatch(
		/Nodes: +all 1 are ready; which of them are silent is not known: there are no leases to see\n/,
	);
	expect(words).toMatch(/Next: +no pod, as far as is seen without leases\n/);
});

test('beside a pod that is overdue, no other one goes', () => {
	const pods = [aPodForecast({verdict: 'Overdue', eviction: inSeconds(-60, -50)})];
	const text = formatStatus({...status, forecast: aForecast({pods}), impacts: [], nextLoss: undefined});
	const words = text.replaceAll(/\n +/g, ' ');
	expect(words).toMatch(/Pods: .*\(1 overdue\)/);
	expect(words).toMatch(/Next: +no other pod will be evicted if nothing changes\n/);
	expect(words).toMatch(/Ends: +no other eviction is predicted/);
});

test('where all is well the page says so', () => {
	const calm = aForecast({nodes: [aNodeForecast({verdict: 'Healthy'})], zones: [], pods: []});
	const text = formatStatus({...status, forecast: calm, impacts: [], nextLoss: undefined});
	const words = text.replaceAll(/\n +/g, ' ');
	expect(words).toMatch(
		/Nodes: +all 1 are healthy\nPods: +no evictions expected; memory and disk of 1 node were not queried\nNext: +no pod will be evicted if nothing changes\n/,
	);
	expect(text).toMatch(/ {2}kubectl evictwatch pressure n1 +what a node has left of memory and disk\n/);
	const asked = [
		{
			...forecastPressure({node: 'n1', samples: [], pods: [], conditions: [], evicted: [], reports: []}, now),
			observedAt: now,
		},
	];
	const known = {...status, forecast: {...calm, pressure: asked}, impacts: [], nextLoss: undefined};
	expect(formatStatus(known)).toMatch(/Next: +no pod will be evicted if nothing changes\n/);
	expect(text).toMatch(/Ends: +no eviction is predicted\n/);
	expect(text).not.toMatch(/POD|NAMESPACE|NODE/);
});

test('where nodes may not be read none is called healthy', () => {
	const problems = [{reason: 'NodesForbidden', message: 'nodes may not be read'}];
	const blind = {...status, forecast: aForecast({nodes: [], zones: [], pods: [], problems})};
	const text = formatStatus({...blind, nextLoss: undefined});
	expect(text).toMatch(/Nodes: +not known: nodes may not be read\n/);
	expect(text).toMatch(/One more node: +not known: nodes may not be read\n/);
	expect(text).toMatch(/Next: +not known: not all pods and nodes may be read\n/);
	expect(text).toMatch(/Ends: +not known: not all pods and nodes may be read\n/);
	expect(text).not.toMatch(/no pod will be evicted|no eviction is predicted/);
	expect(statusJson(blind).nodes).toBeNull();
});

test('the same for programs', () => {
	expect(jsonOf(statusJson(status))).toMatchObject({
		kind: 'Status',
		nodes: {total: 2, notReady: 1},
		pods: {Held: 1, Scheduled: 2, Terminating: 1},
		next: {name: 'cart-0', node: 'n1'},
		held: [{pods: 1, releasedBy: held.releasedBy}],
		reachZero: [{name: 'web', reachesZero: true}, {name: 'held-0'}],
		ends: {latest: '2026-01-31T14:05:02.000Z'},
	});
});

test('why nothing is evicted yet, and which pods are stuck, is data too', () => {
	const forecast = aForecast({
		nodes: [
			aNodeForecast({name: 'late-0', verdict: 'Late', lastRenewal: now - 12_000, unknown: inSeconds(38, 45)}),
			aNodeForecast({name: 'next-0', verdict: 'Queued', ready: 'Unknown', noExecute: inSeconds(5, 15)}),
			aNodeForecast({name: 'dead-0', verdict: 'Tainted', ready: 'Unknown'}),
		],
		pods: [
			aPodForecast({name: 'web-0', node: 'dead-0', verdict: 'Scheduled'}),
			aPodForecast({name: 'gone-0', node: 'dead-0', verdict: 'Terminating', eviction: null}),
		],
	});
	const {notYet, stuck} = statusJson({...status, forecast});
	const seconds = aPodForecast({}).cause?.tolerationSeconds;
	expect(notYet).toMatchObject({
		late: [{name: 'late-0', verdict: 'Late', lastRenewal: now - 12_000}],
		queued: [{name: 'next-0', noExecute: {earliest: now + 5000}}],
		countdowns: [{seconds, pods: 1, nodes: ['dead-0']}],
	});
	expect(stuck).toEqual([{namespace: 'shop', name: 'gone-0', node: 'dead-0', by: 'Nobody', finalizers: []}]);
});

test('workloads that reach zero stand first, with how few stay ready and when', () => {
	const table = formatWorkloads(impacts, {isWide: false, showHeaders: true}, now);
	const [headers, already, first] = table.split('\n');
	expect(headers).toMatch(/^NAMESPACE +NAME +READY +LOWEST +IN +AT +EVICTING +READY-AGAIN +BUDGET$/);
	expect(first).toMatch(/^shop +replicaset\/web +2\/2 +0 +0s-2s +14:00:00Z\/14:00:02Z +2 +not by itself +-$/);
	// A pod that is held by stopped evictions is neither gone nor safe.
	expect(already).toMatch(/^shop +pod\/held-0 .* at zero .* 0 \(1 held\) +not by itself +-$/);
	expect(workloadsJson(impacts, forecast)).toMatchObject({
		kind: 'WorkloadImpactList',
		items: [
			{name: 'held-0', held: 1},
			{name: 'web', held: 0, lowest: {ready: 0}},
		],
	});
	expect(formatWorkloads([], {isWide: true, showHeaders: true}, now)).toBe('');
});

test('a workload that loses no ready pod any more has no time at which it does', () => {
	const [one] = impacts;
	if (!one) throw new Error('no workload');
	const left = {...one, readyNow: 1, lowest: {ready: 1, at: null}};
	const row = formatWorkloads([left], {isWide: false, showHeaders: false}, now);
	expect(row).toMatch(/^shop +replicaset\/web +1\/2 +1 +- +- +2 +not by itself +-$/m);
});

test('of workloads that are whole again and lose nothing, none is losing; what is not known counts', () => {
	const [one] = impacts;
	if (!one) throw new Error('no workload');
	const whole = {
		...one,
		readyNow: 2,
		desired: 2,
		losses: [],
		lowest: {ready: 2, at: null},
		reachesZero: false,
	};
	const losing = [
		{...whole, readyNow: 1},
		{...whole, readyNow: null},
		{...whole, desired: null},
		{...whole, reachesZero: null},
		{...whole, lowest: {ready: 1, at: inSeconds(5)}},
		{...whole, losses: one.losses},
	];
	expect([whole, ...losing].map(isLosing)).toEqual([false, true, true, true, true, true, true]);
});

test('commands to be pasted go to the cluster that was asked', () => {
	const connection = {kubectl: '--context prod', evictwatch: '--context prod'};
	const lines = formatStatus(status, {connection}).split('\n');
	const commands = lines
		.slice(lines.indexOf('More:') + 1)
		.flatMap((one) => one.match(/^ {2}(kubectl .*?)(?: {3,}|$)/)?.[1] ?? []);
	expect(commands).toEqual([
		'kubectl evictwatch pods -A --context prod',
		'kubectl evictwatch explain cart-0 -n shop --context prod',
		'kubectl evictwatch rescue cart-0 -n shop --context prod',
		'kubectl evictwatch rescue node/n1 --context prod',
		'kubectl evictwatch workloads -A --context prod',
		'kubectl evictwatch what-if --node-down n2 --context prod',
		'kubectl evictwatch what-if --node-back n1 --context prod',
	]);
	const ofShop = formatStatus({...status, namespace: 'shop'}, {connection});
	expect(ofShop).toMatch(/ {2}kubectl evictwatch pods -n shop --context prod\s{3,}which pods/);
	expect(ofShop).toMatch(
		/ {2}kubectl evictwatch workloads -n shop --context prod\s{3,}which workloads reach zero/,
	);
});

const aZone = (fields: Partial<ZoneForecast>) => aZoneForecast({size: 4, notReady: 0, ...fields});
const oneMore = (zones: readonly ZoneForecast[], nodes: readonly NodeForecast[]) => {
	const seen = aForecast({zones, nodes});
	const found = nextLoss(moreLosses(seen, defaultSettings), seen);
	const text = formatStatus({...status, forecast: seen, nextLoss: found}).replaceAll(/\n {15}/g, ' ');
	return /\nOne more node: (.*)\n/.exec(text)?.[1];
};

test('one more node is a worker of the zone that is nearest to another state, in plain words', () => {
	const labels = {'node-role.kubernetes.io/control-plane': ''};
	const control = aNodeForecast({name: 'control', zone: 'eu/control', labels});
	const [b1, c1] = [aNodeForecast({name: 'b1', zone: 'eu/b'}), aNodeForecast({name: 'c1', zone: 'eu/c'})];
	const zones = [
		aZone({zone: 'eu/control', size: 1}),
		aZone({zone: 'eu/b'}),
		aZone({zone: 'eu/c', notReady: 2}),
	];
	expect(oneMore(zones, [control, b1, c1])).toBe(
		'if c1 of zone eu/c fails (its zone is nearest to a change of state): - its pods are held, not evicted - evictions in zone eu/c stop (PartialDisruption)',
	);
	expect(oneMore(zones.slice(0, 2), [control, b1])).toBe(
		'if b1 of zone eu/b fails (its zone is nearest to a change of state): - its pods are evicted - no zone changes its state; evictions in zone eu/b go on if b1 and 2 more of zone eu/b fail: evictions in zone eu/b stop (PartialDisruption)',
	);
	const large = [aZone({zone: 'eu/b', size: 100, notReady: 54})];
	expect(oneMore(large, [b1])).toBe(
		'if b1 of zone eu/b fails (its zone is nearest to a change of state): - its pods are evicted - evictions in zone eu/b slow down (PartialDisruption): one node tainted every 1m40s',
	);
	expect(oneMore(zones.slice(0, 1), [control])).toBe('no worker node is ready and renewing its lease');
});

test('the node that takes most workloads to zero is the worst, where the pods of all workers were read', () => {
	const zones = [aZone({zone: 'eu/b'}), aZone({zone: 'eu/c', notReady: 2})];
	const nodes = ['b1', 'b2'].map((name) => aNodeForecast({name, zone: 'eu/b'}));
	const seen = aForecast({zones, nodes: [...nodes, aNodeForecast({name: 'c1', zone: 'eu/c'})]});
	const ownedBy = (uid: string, kind = 'ReplicaSet') =>
		({owner: {kind, name: uid, uid}, ready: 'True'}) as const;
	const pods = [
		...['b1', 'b2', 'c1'].map((node) =>
			aPod(`proxy-${node}`, {nodeName: node, ...ownedBy('proxy', 'DaemonSet')}),
		),
		...['b1', 'c1'].map((node) => aPod(`spread-${node}`, {nodeName: node, ...ownedBy('spread')})),
		aPod('alone', {nodeName: 'b2', ...ownedBy('alone')}),
		aPod('gone', {nodeName: 'c1', ...ownedBy('gone'), deletionTimestamp: 1}),
	];
	const found = (read: typeof pods, areAll = read === pods) =>
		nextLoss(moreLosses(seen, defaultSettings), seen, {pods: read, areAll});
	expect(found(pods)).toMatchObject({node: 'b2', isRead: true, isExample: false});
	const some = pods.filter(({nodeName}) => nodeName !== 'b2');
	expect(found(some)).toMatchObject({node: 'c1', isRead: true, isExample: true});
	expect(nextLossLines(found(some), 0)[0]).toBe(
		'for example, if c1 of zone eu/c fails (its zone is nearest to a change of state):',
	);
	expect(nextLossLines(found(pods), 0)[0]).toBe(
		'if b2 of zone eu/b fails (it has the last ready pods of shop/replicaset/alone):',
	);
});

test('a node whose loss lets a stopped zone evict matters more than one that takes a workload to zero', () => {
	const zones = [
		aZoneForecast({zone: 'eu/b', state: 'PartialDisruption', size: 4, notReady: 3, rate: 0}),
		aZoneForecast({zone: 'eu/c', size: 4}),
	];
	const nodes = [aNodeForecast({name: 'b4', zone: 'eu/b'}), aNodeForecast({name: 'c1', zone: 'eu/c'})];
	const pods = ['b4', 'c1'].map((nodeName) =>
		aPod(`on-${nodeName}`, {
			...(nodeName === 'c1' && {owner: {kind: 'ReplicaSet', name: 'alone', uid: 'alone'}}),
			...(nodeName === 'b4' && {owner: {kind: 'DaemonSet', name: 'proxy', uid: 'proxy'}}),
			nodeName,
			ready: 'True',
		}),
	);
	const seen = aForecast({zones, nodes});
	const found = nextLoss(moreLosses(seen, defaultSettings), seen, {pods, areAll: true});
	expect(found?.node).toBe('b4');
	const named = {...status, forecast: seen, nextLoss: found};
	expect(formatStatus(named).replaceAll(/\n {15}/g, ' ')).toContain(
		'if c1 fails instead: shop/replicaset/alone reaches zero',
	);
	expect(statusJson(named).oneMoreNode).toMatchObject({
		node: 'b4',
		toZeroInstead: {node: 'c1', zone: 'eu/c', workloads: 1},
	});
	// If the loss of the named node also takes a workload to zero, that is shown.
	const [after] = impacts;
	const impact = {
		pods: [],
		zones: [],
		workloads: after ? [{before: undefined, after: {...after, reachesZero: true}}] : [],
	};
	expect(found && statusJson({...named, nextLoss: {...found, impact}}).oneMoreNode).not.toHaveProperty(
		'toZeroInstead',
	);
	expect(nextLossLines(found && {...found, impact}, 0)).toContain(
		'if c1 fails instead: shop/replicaset/alone reaches zero',
	);
});

test.for([
	{last: 0.1, isSure: false, want: 'may stop (PartialDisruption) in 10s'},
	{last: 0, isSure: false, want: 'may stop (PartialDisruption) in 10s'},
	{last: 0.1, isSure: true, want: 'stop (PartialDisruption) in 10s'},
])('evictions of a zone that stop on its way to another state: $want', ({last, isSure, want}) => {
	const steps = [
		{at: inSeconds(10), state: 'PartialDisruption', rate: 0},
		{at: inSeconds(15), state: 'FullDisruption', rate: last},
	] as const;
	const nodes = [
		aNodeForecast({verdict: 'Silent', ready: 'True'}),
		aNodeForecast({name: 'n2', verdict: 'Late', ready: 'True'}),
	];
	const zones = [aZoneForecast({size: 1, coming: {steps, isSure}})];
	const text = formatStatus({...status, forecast: aForecast({nodes, zones})}).replaceAll(/\n {15}/g, ' ');
	// Only with the late node is it what may come.
	const who = isSure ? 'n1 turns' : 'n1, n2 turn';
	expect(text).toContain(`when ${who} Unknown, evictions in zone eu/a ${want}`);
});

test('why nothing is evicted yet: which node is silent since when, and what follows after which times', () => {
	const silent = aNodeForecast({
		name: 'b2',
		verdict: 'Silent',
		lastRenewal: now - 20_000,
		unknown: inSeconds(30, 35),
	});
	const pods = [30, 300, 30].map((tolerationSeconds, index) => {
		const cause = {
			kind: 'Taint',
			taint: 'node.kubernetes.io/unreachable:NoExecute',
			tolerationSeconds,
		} as const;
		return aPodForecast({name: `p-${index}`, node: 'b2', verdict: 'Expected', cause});
	});
	const seen = aForecast({nodes: [silent], pods});
	const text = formatStatus({...status, forecast: seen}).replaceAll(/\n {15}/g, ' ');
	expect(text).toContain(
		'\nWhy not yet:   b2 last renewed its lease 20s ago. If it stays silent, it turns Unknown between 14:00:30Z and 14:00:35Z (the first monitor pass after the grace period of 50s). It is tainted when its turn in its zone comes; pods of b2 are evicted 30s or 300s after that\n',
	);
	// The node whose pod goes first is named, whatever its place in the list.
	const calm = aNodeForecast({name: 'b1', verdict: 'Silent', lastRenewal: now - 25_000});
	const later = aPodForecast({name: 'later', node: 'b1', verdict: 'Unsure', cause: pods[0]?.cause ?? null});
	const both = aForecast({nodes: [calm, silent], pods: [later, ...pods]});
	expect(formatStatus({...status, forecast: both}).replaceAll(/\n {15}/g, ' ')).toMatch(
		/\nWhy not yet: +b2 last renewed its lease 20s ago\. .* b1 follows in the same way\n/,
	);
	const maybe = pods.map((pod, index) => ({
		...pod,
		verdict: 'Unsure' as const,
		cause: pod.cause && {...pod.cause, tolerationSeconds: [0, 10, 120][index] ?? 0},
	}));
	const unsure = formatStatus({...status, forecast: aForecast({nodes: [silent], pods: maybe})});
	expect(unsure.replaceAll(/\n {15}/g, ' ')).toContain(
		'. It is tainted when its turn in its zone comes; pods of b2 may be evicted at once, or 10s or 120s after that\n',
	);
	// Its pods only wait for their own tolerations.
	expect(formatStatus(status)).toMatch(
		/\nWhy not yet: +2 pods of n1 have a running countdown of 300s \(tolerationSeconds\)\n/,
	);
	const others = ['b3', 'b4', 'b5', 'b6'].map((name) => aNodeForecast({name, verdict: 'Silent'}));
	const many = formatStatus({...status, forecast: aForecast({nodes: [silent, ...others], pods})});
	expect(many.replaceAll(/\n {15}/g, ' ')).toMatch(
		/30s or 300s after that\. b3, b4, b5 and 1 more follow in the same way\n/,
	);
});

test('a restart of the controllers since then is told', () => {
	const text = formatStatus({...status, restartedAt: now - 9000});
	expect(text.replaceAll(/\n {15}/g, ' ')).toMatch(
		/\nControllers: +A controller manager took over at 13:59:51Z: every grace period and every countdown began again\n/,
	);
	expect(formatStatus(status)).not.toContain('Controllers');
});

const textOf = (seen: Partial<Forecast>) =>
	formatStatus({...status, forecast: aForecast(seen)}).replaceAll(/\n {15}/g, ' ');

test('why pods on nodes in trouble are not evicted', () => {
	const stays = ['a', 'b'].map((name) =>
		aPodForecast({
			name,
			verdict: 'Stays',
			eviction: null,
			because: ['it tolerates unreachable:NoExecute forever'],
			reasons: [{code: 'ToleratesForEver', params: {taints: 'unreachable:NoExecute'}, sentence: 0}],
		}),
	);
	expect(textOf({pods: stays})).toContain(
		'\nStay:          2 pods: each tolerates unreachable:NoExecute forever\n',
	);
});

test('pods that remain Terminating on a dead node are told, with what ends that', () => {
	const stuck = aPodForecast({verdict: 'Terminating', eviction: null});
	const text = textOf({nodes: [aNodeForecast({verdict: 'Tainted', ready: 'Unknown'})], pods: [stuck]});
	expect(text).toMatch(
		/\nStuck: +1 pod Terminating on n1, until the kubelet is back, the Node object is deleted/,
	);
	expect(text).toMatch(/\n {2}kubectl evictwatch rescue node\/n1 +what ends pods that are stuck\n/);
	expect(textOf({nodes: [aNodeForecast()], pods: [stuck]})).not.toContain('Stuck');
});

test('a node that runs short is told, and what its kubelet does', () => {
	const pressure = {conditions: ['MemoryPressure'], next: null};
	const text = textOf({nodes: [aNodeForecast({name: 'b2', pressure}), aNodeForecast()]});
	expect(text).toContain(
		'\nNodes:         all 2 are ready; MemoryPressure on b2 (its kubelet evicts pods by its own rules)\n',
	);
	expect(text).toMatch(/\n {2}kubectl evictwatch pressure b2 +which pods its kubelet evicts next\n/);
	expect(text).toContain(
		'\nPods:          no eviction is certain, but some are possible: b2 has MemoryPressure\n',
	);
	expect(text).toContain('\nNext:          no pod for sure; the kubelet of b2 may evict pods\n');
});

test('a list that is empty names the nodes whose pods may be evicted all the same', () => {
	const late = aNodeForecast({name: 'b1', verdict: 'Late'});
	const pressed = aNodeForecast({name: 'b2', pressure: {conditions: ['MemoryPressure'], next: null}});
	const ready = nodeKind.columns.find(({title}) => title === 'READY');
	expect(ready?.cell(pressed, inTable(now))).toBe('True,MemoryPressure');
	expect(mightFollow([late, pressed])).toBe(
		'No eviction is certain, but some are possible: b1 is late, b2 has MemoryPressure',
	);
	expect(mightFollow([late, {...late, name: 'b3'}])).toBe(
		'No eviction is certain, but some are possible: b1, b3 are late',
	);
	expect(mightFollow([aNodeForecast()])).toBe('');
});

test('while nodes are only late, nothing is called sure', () => {
	const late = aNodeForecast({name: 'b2', verdict: 'Late', unknown: inSeconds(30, 35)});
	const text = textOf({nodes: [late, aNodeForecast()]});
	expect(text).toContain('\nNodes:         all 2 are ready; 1 late with a renewal (b2)\n');
	expect(text).toContain('\nPods:          no eviction is certain, but some are possible: b2 is late\n');
	expect(text).toContain('\nNext:          no pod for sure\n');
	expect(text).toContain('\nEnds:          not known: no eviction is sure\n');
});

test('of one more node whose pods were read, its zone changes as the what-if says', () => {
	const at = inSeconds(0);
	const normal = {at, state: 'Normal', rate: 0.1} as const;
	const stopped = {at: inSeconds(51, 52), state: 'PartialDisruption', rate: 0} as const;
	const zones = [
		{zone: 'eu/b', before: {steps: [normal], isSure: true}, after: {steps: [normal, stopped], isSure: true}},
	];
	const found = status.nextLoss && {...status.nextLoss, impact: {pods: [], workloads: [], zones}};
	const text = formatStatus({...status, nextLoss: found}).replaceAll(/\n {15}/g, ' ');
	expect(text).toContain(
		': - no additional pod will be evicted - no other workload reaches zero - eu/b: Normal, then PartialDisruption in 51s-52s (evictions stop, running countdowns continue)\n',
	);
});

test('workloads that fall below their budget, and that nothing is held', () => {
	const [one] = impacts;
	if (!one) throw new Error('no workload');
	const budget = {name: 'web', desiredHealthy: 2, lowestHealthy: 1, below: null, forbids: 1};
	const below = {...one, reachesZero: false, lowest: {...one.lowest, ready: 1}, budgets: [budget]};
	const kept = {...below, name: 'kept', budgets: [{...budget, lowestHealthy: 2}]};
	const due = forecast.pods.filter(({verdict}) => verdict !== 'Held');
	const shown = {...status, forecast: {...forecast, pods: due}, impacts: [below, kept]};
	const text = formatStatus(shown).replaceAll(/\n {15}/g, ' ');
	expect(text).toMatch(
		/\nReach zero: +no workload\nBelow budget: +shop\/replicaset\/web \(1 healthy in 0s-2s, its budget wants 2\), until new pods are ready or the nodes are back\n/,
	);
	const already = {...below, name: 'old', lowest: {...below.lowest, at: null}};
	const workloads = [
		{before: undefined, after: below},
		{before: already, after: already},
	];
	expect(answerText({pods: [], workloads}, [], new AnswerPage(now)).replaceAll(/\n {15}/g, ' ')).toContain(
		'\nBelow budget:  because of this: shop/replicaset/web (1 healthy in 0s-2s, its budget wants 2); as before: shop/replicaset/old (1 healthy already, its budget wants 2)\n',
	);
	expect(text).toMatch(/\nHeld: +no pod: evictions are not stopped in any zone\n/);
	expect(statusJson(shown)).toMatchObject({reachZero: [], belowBudget: [{name: 'web'}]});
	const table = formatWorkloads([below, kept], {isWide: false, showHeaders: false}, now);
	expect(table.match(/\S+( \(below\))?$/gm)).toEqual(['2 (below)', '2']);
});

test('pods that have ended are told apart: they are neither next nor do evictions begin or end with them', () => {
	const ended = aPodForecast({name: 'job-0', uid: 'job', phase: 'Succeeded', eviction: inSeconds(3, 4)});
	const living = aPodForecast({name: 'web-0', uid: 'web', eviction: inSeconds(60, 62)});
	const of = (pods: Forecast['pods']) => ({...status, forecast: aForecast({pods}), impacts: []});
	const text = formatStatus(of([ended, living])).replaceAll(/\n {15}/g, ' ');
	expect(text).toMatch(
		/\nPods: +1 will be evicted, 1 that have ended will be deleted \(only their objects are left\)\nNext: +shop\/web-0 on n1, in 1m-1m2s /,
	);
	expect(statusJson(of([ended, living]))).toMatchObject({next: {name: 'web-0'}});
	const alone = formatStatus(of([ended]));
	expect(alone).toMatch(/\nEnds: +no eviction is predicted\n/);
	expect(alone).not.toContain('Held:');
	expect(statusJson(of([ended]))).toMatchObject({next: null, starts: null, ends: null});
});

test('status of a namespace names only what the loss of a node does to it', () => {
	const zones = [aZoneForecast({zone: 'eu/a', size: 4})];
	const nodes = ['a1', 'a2'].map((name) => aNodeForecast({name, zone: 'eu/a'}));
	const seen = aForecast({zones, nodes});
	const owner = (name: string) => ({owner: {kind: 'ReplicaSet', name, uid: name}, ready: 'True' as const});
	const pods = [aPod('shop-0', {nodeName: 'a2', ...owner('web')})];
	expect(nextLoss(moreLosses(seen, defaultSettings), seen, {pods, areAll: true})).toMatchObject({
		node: 'a2',
		last: ['shop/replicaset/web'],
		lastElsewhere: [],
	});
});
