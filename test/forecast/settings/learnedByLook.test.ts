import {expect, test} from 'vitest';
import type {ClusterSnapshot} from '../../../src/core/model/clusterSnapshot.ts';
import {unseenControlPlane} from '../../../src/core/model/controlPlane.ts';
import type {Lease} from '../../../src/core/model/lease.ts';
import type {Node} from '../../../src/core/model/node.ts';
import {taintUnreachable} from '../../../src/core/model/taint.ts';
import {type Duration, type Instant, minute, second} from '../../../src/core/time/instant.ts';
import {lookOnce} from '../../../src/session/lookOnce.ts';
import {aCondition, aLeader, aLease, aNode, aPod, aTaint, inZone, tolerates} from '../../support/builders.ts';

const now = 10 * minute;
const evidence = {
	...{flags: {}, versionFlag: undefined, serverVersion: 'v1.36.3'},
	controlPlane: unseenControlPlane('hidden'),
};

/** A node that became silent: when it renewed last, became Unknown, and got its taint. */
type Silent = {readonly renewedAt: Instant; readonly unknownAt: Instant; readonly taintedAt?: Instant};

const leader = (acquireTime: Instant) => aLeader(now - second, acquireTime);

function silentNode(name: string, {unknownAt, taintedAt}: Silent): Node {
	const taint = {...aTaint(taintUnreachable), ...(taintedAt !== undefined && {timeAdded: taintedAt})};
	return aNode(name, {
		labels: inZone('a'),
		taints: taintedAt === undefined ? [] : [taint],
		conditions: [aCondition('Ready', 'Unknown', {lastTransitionTime: unknownAt})],
	});
}

/** The settings learned from one list of a zone of ten nodes, some of them silent, beside another of two. */
function lookAt(silent: readonly Silent[], leases: readonly Lease[] = [leader(-30 * minute)], flags = {}) {
	const down = silent.map((one, index) => silentNode(`a${index}`, one));
	const others = Array.from({length: 10 - down.length}, (_, index) =>
		aNode(`a${index + down.length}`, {labels: inZone('a')}),
	);
	const nodes = [...down, ...others, aNode('b0', {labels: inZone('b')}), aNode('b1', {labels: inZone('b')})];
	const renewals = nodes.map(({name}, index) => aLease(name, silent[index]?.renewedAt ?? now - second));
	const snapshot: ClusterSnapshot = {
		...{observedAt: now, source: 'cluster', nodes, problems: []},
		leases: [...leases, ...renewals],
		pods: down.map(({name}) =>
			aPod(`web-${name}`, {
				...{nodeName: name, ready: 'False', readyChangedAt: now - 4 * minute},
				tolerations: [tolerates(taintUnreachable, 300)],
			}),
		),
	};
	const {
		forecast,
		inForce: {resolved},
	} = lookOnce(snapshot, {...evidence, flags});
	return {
		verdicts: forecast.pods.map(({name, verdict}) => `${name} ${verdict}`),
		because: forecast.pods[0]?.because.at(-1),
		reasons: forecast.problems.map(({reason}) => reason),
		grace: resolved.list.find(({name}) => name === 'node-monitor-grace-period'),
		span: resolved.span,
	};
}

const afterSilence = (silence: number): Silent => ({
	renewedAt: now - 3 * minute,
	unknownAt: now - 3 * minute + silence,
	taintedAt: now - 3 * minute + silence,
});

test('34 s between the last renewal and Unknown disprove a grace period of 50 s', () => {
	const {reasons, grace, span} = lookAt([afterSilence(34 * second)]);
	expect(reasons).toEqual(['SettingContradicted']);
	// The time of Unknown is truncated to seconds, and the kubelet's clock may differ by two.
	expect(grace).toMatchObject({
		value: 30 * second,
		source: {kind: 'learned'},
		range: [expect.any(Number), 37 * second],
	});
	expect(grace?.source.detail).toContain('node a0 turned Unknown');
	expect([span.earlyEnd.nodeEvictionRate, span.lateEnd.nodeEvictionRate]).toEqual([10, 0.001]);
	// A given flag is used, and the contradiction is reported.
	const given = lookAt([afterSilence(34 * second)], undefined, {nodeMonitorGracePeriod: 50 * second});
	expect(given.reasons).toEqual(['SettingContradicted']);
	expect(given.grace?.value).toBe(50 * second);
});

test('what 50 s explain disproves nothing', () => {
	for (const silence of [49, 52, 58]) expect(lookAt([afterSilence(silence * second)]).reasons).toEqual([]);
});

test('a longer time is doubted where the same controllers were at work, and no reason is known', () => {
	const silent = [afterSilence(75 * second)];
	expect(lookAt(silent).reasons).toEqual(['DefaultsInDoubt']);
	expect(lookAt(silent, [leader(now - 4 * minute)]).reasons).toEqual(['DefaultsInDoubt']);
	// Controllers that start do not know earlier renewals.
	expect(lookAt(silent, [leader(now - 2.5 * minute)]).reasons).toEqual([]);
	expect(lookAt(silent, []).reasons).toEqual([]);
	// A pass with many writes takes as long as its client needs for them.
	const seven = (silence: number, flags = {}) =>
		lookAt(
			Array.from({length: 7}, () => afterSilence(silence * second)),
			undefined,
			flags,
		).reasons;
	expect(seven(75)).toEqual(['DefaultsInDoubt']);
	expect(seven(64)).toEqual([]);
	// Calls take time without a limit, too.
	expect(seven(64, {kubeApiQps: 0})).toEqual([]);
	expect(seven(75, {kubeApiQps: 0})).toEqual(['DefaultsInDoubt']);
	expect(seven(75, {kubeApiQps: 3})).not.toContain('DefaultsInDoubt');
	// A pass that writes for so long may have begun much earlier.
	expect(seven(120, {kubeApiQps: 1})).not.toContain('DefaultsInDoubt');
});

test('what former controllers did shows nothing of those that lead now', () => {
	const look = lookAt([afterSilence(34 * second)], [leader(now - 2 * minute)]);
	expect(look.reasons).toEqual([]);
	expect(look.grace).toMatchObject({value: 50 * second, source: {kind: 'profile'}});
});

test('nodes that stay ready between their renewals disprove a grace period with which all would be Unknown', () => {
	// Controllers that started just before leave open how much of the silence they counted.
	const {grace, verdicts} = lookAt([afterSilence(34 * second)], [leader(now - 3 * minute - 5 * second)]);
	expect(grace?.range).toEqual([10 * second, 37 * second]);
	expect(verdicts).toEqual(['web-a0 Scheduled']);
});

test('a node that is Ready long after its last renewal casts doubt, too', () => {
	const nodes = [aNode('n1', {labels: inZone('a')}), aNode('n2', {labels: inZone('a')})];
	const look = (silence: number, leaderSince: Instant = -30 * minute) =>
		lookOnce(
			{
				...{observedAt: now, source: 'cluster', nodes, pods: [], problems: []},
				leases: [leader(leaderSince), aLease('n1', now - silence), aLease('n2', now - second)],
			},
			evidence,
		).forecast.problems.map(({reason}) => reason);
	expect(look(80 * second)).toEqual(['DefaultsInDoubt']);
	expect(look(60 * second)).toEqual([]);
	// Controllers that may have missed that renewal, and any a pass before it, count from their start.
	expect(look(80 * second, now - 85 * second)).toEqual([]);
});

test('a release that reads the leases of silent nodes takes longer to find them, the more there are', () => {
	const names = Array.from({length: 12}, (_, index) => `n${index}`);
	const look = (serverVersion: string, silence: number) =>
		lookOnce(
			{
				...{observedAt: now, source: 'cluster', pods: [], problems: []},
				nodes: names.map((name) => aNode(name)),
				leases: [leader(-30 * minute), ...names.map((name) => aLease(name, now - silence))],
			},
			{...evidence, serverVersion, flags: {kubeApiQps: 1, kubeApiBurst: 1}},
		).forecast.problems.map(({reason}) => reason);
	expect(look('v1.36.3', 66 * second)).toContain('DefaultsInDoubt');
	expect(look('v1.37.2', 66 * second)).not.toContain('DefaultsInDoubt');
	expect(look('v1.37.2', 90 * second)).toContain('DefaultsInDoubt');
});

test('a status since the last renewal, or no lifecycle controller, leaves no doubt about a node that stays Ready', () => {
	const look = (postedAt: Instant, flags = {}) =>
		lookOnce(
			{
				...{observedAt: now, source: 'cluster', pods: [], problems: []},
				nodes: [
					aNode('n1', {conditions: [aCondition('Ready', 'True', {lastHeartbeatTime: postedAt})]}),
					aNode('n2'),
				],
				leases: [leader(-30 * minute), aLease('n1', now - 80 * second), aLease('n2', now - second)],
			},
			{...evidence, flags},
		).forecast.problems.map(({reason}) => reason);
	expect(look(now - 5 * minute)).toEqual(['DefaultsInDoubt']);
	expect(look(now - 20 * second)).toEqual([]);
	expect(look(now - 5 * minute, {nodeLifecycle: false})).not.toContain('DefaultsInDoubt');
});

const downSince = {renewedAt: now - 5 * minute, unknownAt: now - 5 * minute + 52 * second};

test('taints that follow each other faster than the rate allows', () => {
	const taintedAt = (after: number) => ({...downSince, taintedAt: now - 3 * minute + after * second});
	expect(lookAt([taintedAt(0), taintedAt(2)]).reasons).toEqual(['SettingContradicted']);
	expect(lookAt([taintedAt(0), taintedAt(9)]).reasons).toEqual([]);
});

test('two nodes that waited, and were tainted as far apart as tokens are, confirm the rate', () => {
	const taintedAt = (after: number) => ({...downSince, taintedAt: now - 3 * minute + after * second});
	const spanned = (silent: readonly Silent[]) => {
		const {earlyEnd, lateEnd} = lookAt(silent).span;
		return [earlyEnd, lateEnd].map((one) => one.nodeEvictionRate);
	};
	expect(spanned([taintedAt(0), taintedAt(10)])).toEqual([0.1, 0.1]);
	expect(spanned([taintedAt(0)])).toEqual([10, 0.01]);
	// Another node may have been tainted between them, and be back.
	expect(spanned([taintedAt(0), taintedAt(20)])).toEqual([10, 0.01]);
	expect(spanned([taintedAt(0), taintedAt(20), taintedAt(30)])).toEqual([0.1, 0.1]);
	// A node that turned Unknown between them may have changed the rate.
	const between = {...downSince, unknownAt: now - 3 * minute + 5 * second, taintedAt: now - 2.5 * minute};
	expect(spanned([taintedAt(0), taintedAt(10), between])).toEqual([10, 0.01]);
	// A node that became silent later did not wait when the first was tainted.
	const later = {renewedAt: now - 4 * minute, unknownAt: now - 3 * minute + 9 * second};
	expect(spanned([taintedAt(0), {...later, taintedAt: now - 3 * minute + 10 * second}])).toEqual([10, 0.01]);
});

test('no pod is held in a zone that went on tainting when it should have stopped', () => {
	const waits = Array.from({length: 8}, () => downSince);
	const stopped = lookAt([...waits, {...downSince, taintedAt: downSince.unknownAt}]);
	expect(stopped.reasons).toEqual([]);
	expect(stopped.verdicts).toContain('web-a0 Held');
	const wentOn = lookAt([...waits, {...downSince, taintedAt: now - minute}]);
	expect(wentOn.reasons).toEqual(['DefaultsInDoubt']);
	expect(wentOn.verdicts).toContain('web-a0 Unsure');
	expect(wentOn.verdicts.join()).not.toContain('Held');
});

test('a pod is held once its zone has stood still for longer than any rate explains', () => {
	const at = (after: Duration) =>
		lookAt(Array.from({length: 6}, () => ({renewedAt: now - after - 52 * second, unknownAt: now - after})));
	const unsure = at(2 * minute);
	expect(unsure.verdicts[0]).toBe('web-a0 Unsure');
	expect(unsure.because).toBe(
		'evictions in zone eu/a may be stopped, as 6 of 10 nodes are not ready, and the API does not show whether they are',
	);
	expect(at(2.5 * minute).verdicts[0]).toBe('web-a0 Held');
});

test('a zone that may have been larger, or whose controllers began later, or are not seen, is not said to have gone on', () => {
	const wentOn = {...downSince, taintedAt: now - minute};
	const reasons = (waiting: number, leases?: readonly Lease[]) =>
		lookAt([...Array.from({length: waiting}, () => downSince), wentOn], leases).reasons;
	// Six of ten: with five healthy ones deleted since it was six of fifteen.
	expect(reasons(5)).toEqual([]);
	expect(reasons(8, [leader(now - minute - 15 * second)])).toEqual([]);
	expect(reasons(8, [])).toEqual([]);
	expect(reasons(8, [leader(now - 3 * minute)])).toEqual(['DefaultsInDoubt']);
});

/** Nodes that one pass marks at a pace, eight at a time: a write and an event for each pod, and five calls for each node. */
function markedAtPace(
	qps: number,
	{nodes, pods}: {readonly nodes: number; readonly pods: number},
	seconds: number,
) {
	const began = now - seconds * second;
	const marked: ClusterSnapshot['pods'][number][] = [];
	const down: Node[] = [];
	let calls = 0;
	for (let first = 0; first < nodes; first += 8) {
		const names = Array.from({length: Math.min(8, nodes - first)}, (_, index) => `a${first + index}`);
		const at = (of: number) => began + Math.floor(of / qps) * second;
		const unknownAt = at(calls);
		if (unknownAt > now) break;
		down.push(...names.map((name) => silentNode(name, {renewedAt: began - 50 * second, unknownAt})));
		calls += 5 * names.length;
		for (let pod = 0; pod < pods; pod += 1) {
			const changedAt = at(calls);
			const isMarked = changedAt <= now;
			marked.push(
				...names.map((nodeName) =>
					aPod(`web-${nodeName}-${pod}`, {
						...{
							nodeName,
							createdAt: 0,
							scheduledAt: 0,
							ready: isMarked ? ('False' as const) : ('True' as const),
						},
						...(isMarked && {readyChangedAt: changedAt, markedNotReadyAt: changedAt}),
					}),
				),
			);
			calls += names.length + 1;
		}
	}
	const others = [aNode('b0', {labels: inZone('b')}), aNode('b1', {labels: inZone('b')})];
	const {inForce} = lookOnce(
		{
			...{observedAt: now, source: 'cluster', problems: [], nodes: [...down, ...others], pods: marked},
			leases: [
				leader(-30 * minute),
				...down.map(({name}) => aLease(name, began - 50 * second)),
				...others.map(({name}) => aLease(name, now - second)),
			],
		},
		evidence,
	);
	const {settings, span} = inForce.resolved;
	return {
		list: inForce.resolved.list,
		qps: settings.kubeApiQps,
		spanned: [span.lateEnd.kubeApiQps, span.earlyEnd.kubeApiQps],
	};
}

test.for([
	{pace: 5, seconds: 10, slowest: 2.4},
	{pace: 5, seconds: 40, slowest: 4},
	{pace: 3, seconds: 40, slowest: 2},
	{pace: 10, seconds: 20, slowest: 7},
])(
	'passes that mark pods at $pace calls a second show the pace within $seconds s',
	({pace, seconds, slowest}) => {
		const {qps, spanned} = markedAtPace(pace, {nodes: 60, pods: 10}, seconds);
		expect(Math.abs(qps - pace)).toBeLessThanOrEqual(1);
		expect(spanned[0]).toBeGreaterThan(slowest);
		expect(spanned[0]).toBeLessThanOrEqual(pace);
		// A slow API server looks alike.
		expect(spanned[1]).toBe(20);
	},
);

test('the default pace is confirmed by a long pass, and nothing is known of it before many pods are marked', () => {
	const {qps, spanned} = markedAtPace(20, {nodes: 60, pods: 10}, 30);
	expect(qps).toBe(20);
	expect(spanned).toEqual([20, 20]);
	expect(markedAtPace(20, {nodes: 3, pods: 5}, 30)).toMatchObject({qps: 20, spanned: [5, 300]});
	expect(markedAtPace(60, {nodes: 80, pods: 30}, 30).qps).toBeGreaterThan(50);
});

test('a slow client puts no other flag in doubt: its API server may be slow', () => {
	const {list} = markedAtPace(5, {nodes: 60, pods: 10}, 40);
	const grace = list.find(({name}) => name === 'node-monitor-grace-period');
	expect(grace?.source.detail).toMatch(/not confirmed yet: /);
});
