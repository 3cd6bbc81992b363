import {expect, test} from 'vitest';
import type {Observation} from '../../../src/core/model/observation.ts';
import {type Pod, podKey} from '../../../src/core/model/pod.ts';
import {taintNotReady, taintOutOfService, taintUnreachable} from '../../../src/core/model/taint.ts';
import {second} from '../../../src/core/time/instant.ts';
import {PredictionLedger} from '../../../src/forecast/ledger/predictionLedger.ts';
import type {PodVerdict} from '../../../src/forecast/podForecast.ts';
import {Range} from '../../../src/forecast/range.ts';
import {formatScore} from '../../../src/print/score.ts';
import {ClusterStore} from '../../../src/store/clusterStore.ts';
import {aForecast, aPodForecast} from '../../print/forecasts.ts';
import {aNode, aPod, aTaint, tolerates} from '../../support/builders.ts';

const web = aPod('web');
const tainted = aNode('n1', {taints: [aTaint(taintUnreachable)]});

/** A session that watches one pod on a tainted node, with times in seconds. */
function session(pod: Pod = web, kubernetesVersion = 'v1.36.3') {
	const store = new ClusterStore();
	const keeper = new PredictionLedger(store);
	const see = (at: number, ...observations: readonly Observation[]) =>
		keeper.take(store.apply(observations, at * second));
	see(0, {type: 'nodeApplied', node: tainted}, {type: 'podApplied', pod});
	return {
		see,
		say: (at: number, verdict: PodVerdict, earliest = 0, latest: number | null = null) => {
			const range = new Range(earliest * second, 0, latest === null ? null : latest * second);
			const promises = verdict === 'Scheduled' || verdict === 'Expected' || verdict === 'Unsure';
			const one = aPodForecast({...pod, verdict, eviction: promises ? range : null});
			keeper.add(aForecast({kubernetesVersion, observedAt: at * second, pods: [one]}));
		},
		evict: (at: number, fields: Partial<Pod> = {evictedAt: 0}) =>
			see(at, {type: 'podApplied', pod: {...pod, ...fields, deletionTimestamp: (at + 30) * second}}),
		score: () => keeper.score,
	};
}

test('an eviction within what was said first after the taint, and a second before, is inside', () => {
	const {say, evict, score} = session();
	say(1, 'Expected', 40, 90);
	say(10, 'Scheduled', 50, 54);
	say(48, 'Scheduled', 51, 52);
	evict(51.5);
	expect(score()).toEqual({
		judged: 1,
		inside: 1,
		medianWidth: 4 * second,
		misses: [],
		unforeseen: 0,
		ends: {all: 1, named: 1},
		falseAlarms: 0,
		shown: {
			...{time: 50.5 * second, insideTime: 50.5 * second, falseHeld: 0},
			first: {judged: 1, inside: 1},
			minuteBefore: {judged: 0, inside: 0},
			odds: {judged: 1, before: 0, likely: 1},
		},
	});
});

test('a deletion that is heard of late is judged by its own time, which the pod tells', () => {
	const {say, see, score} = session();
	say(10, 'Scheduled', 50, 54);
	say(48, 'Scheduled', 51, 52);
	const fields = {evictedAt: 0, deletionTimestamp: 81 * second, deletionGracePeriodSeconds: 30};
	see(75, {type: 'podApplied', pod: {...web, ...fields}});
	expect(score()).toMatchObject({judged: 1, inside: 1, misses: []});
});

test('what was shown is scored by how long it was shown, whatever changed after it', () => {
	const {say, see, evict, score} = session();
	say(0, 'Expected', 20, 25);
	say(30, 'Expected', 80, 110);
	// The taint comes and goes: earlier predictions are not judged for the pod, but they were shown.
	see(40, {type: 'nodeApplied', node: aNode('n1')});
	see(41, {type: 'nodeApplied', node: tainted});
	say(41, 'Scheduled', 99, 101);
	evict(100);
	expect(score()).toMatchObject({
		...{judged: 1, inside: 1},
		shown: {
			...{time: 99 * second, insideTime: 69 * second, falseHeld: 0},
			first: {judged: 1, inside: 0},
			minuteBefore: {judged: 0, inside: 0},
		},
	});
});

test('a pod that is evicted while it is shown as Held is a false Held, unless something has changed just then', () => {
	const held = session();
	held.say(1, 'Expected', 90, 95);
	held.say(20, 'Held');
	held.evict(92);
	expect(held.score()).toMatchObject({
		judged: 0,
		shown: {falseHeld: 1, minuteBefore: {judged: 1, inside: 0}},
	});
	const released = session();
	released.say(20, 'Held');
	released.see(91.5, {type: 'podApplied', pod: {...web, tolerations: [tolerates('x')]}});
	released.evict(92, {evictedAt: 0, tolerations: [tolerates('x')]});
	expect(released.score().shown.falseHeld).toBe(0);
});

test('a range that passed while its pod stayed, and nothing changed, was shown for nothing', () => {
	const {say, score} = session();
	say(10, 'Expected', 20, 25);
	say(22, 'Expected', 40, 45);
	say(30, 'Safe');
	expect(score().shown).toMatchObject({time: 12 * second, insideTime: 0, first: {judged: 0}});
});

test.for([
	{name: 'the first was wrong, whatever followed', first: [50, 54], last: [58, 62], at: 60, by: 6},
	{name: 'the newest was wrong, whatever was said first', first: [50, 64], last: [58, 62], at: 51, by: -7},
] as const)('one is a miss where $name', ({first, last, at, by}) => {
	const {say, evict, score} = session();
	say(10, 'Scheduled', ...first);
	say(48, 'Scheduled', ...last);
	evict(at);
	expect(score()).toMatchObject({
		judged: 1,
		inside: 0,
		misses: [{name: 'web', at: at * second, by: by * second}],
	});
});

test('what was said less than a second before does not count; a second beside the range does no harm', () => {
	const {say, evict, score} = session();
	say(10, 'Scheduled', 50, 54);
	say(54.5, 'Scheduled', 70, 80);
	evict(54.9);
	expect(score()).toMatchObject({judged: 1, inside: 1});
});

test('a pod that goes as its taint comes is judged by what was said before', () => {
	const {say, evict, score} = session();
	say(10, 'Expected', 50, 54);
	evict(52);
	expect(score()).toMatchObject({judged: 1, inside: 1, medianWidth: 4 * second});
});

test('the deletion of somebody else is none', () => {
	const {say, evict, score} = session();
	say(10, 'Scheduled', 50, 54);
	evict(20, {});
	expect(score()).toMatchObject({judged: 0, unforeseen: 0});
});

test('a pod that goes for its device is evicted, whatever taints its node has', () => {
	const {see, say, evict, score} = session();
	see(1, {type: 'nodeApplied', node: aNode('n1')});
	say(10, 'Scheduled', 50, 54);
	evict(52, {deviceEvictedAt: 52 * second});
	expect(score()).toMatchObject({judged: 1, inside: 1, misses: [], unforeseen: 0});
});

test('one of which nothing was said is not foreseen, and one of which it was said too late neither judged', () => {
	const silent = session();
	silent.say(10, 'Safe');
	silent.evict(20);
	expect(silent.score()).toMatchObject({judged: 0, unforeseen: 1, medianWidth: null});
	const late = session();
	late.say(19.5, 'Expected', 20, 21);
	late.evict(20);
	expect(late.score()).toMatchObject({judged: 0, unforeseen: 0});
});

test('on a node without a taint nothing was to be foreseen', () => {
	const {see, evict, score} = session();
	see(1, {type: 'nodeApplied', node: aNode('n1')});
	evict(20);
	expect(score()).toMatchObject({judged: 0, unforeseen: 0});
});

test('a pod that is gone at once is evicted; the end of one that was terminating is not', () => {
	const {say, see, score} = session();
	say(10, 'Scheduled', 50, 54);
	see(51, {type: 'podApplied', pod: {...web, evictedAt: 0}});
	see(51.1, {type: 'podDeleted', namespace: web.namespace, name: web.name});
	expect(score()).toMatchObject({judged: 1, inside: 1});
	const other = session();
	other.say(10, 'Scheduled', 50, 54);
	other.evict(51);
	other.see(80, {type: 'podDeleted', namespace: web.namespace, name: web.name});
	expect(other.score()).toMatchObject({judged: 1});
});

test.for<{name: string; change: Observation}>([
	{name: 'its node lost the taint', change: {type: 'nodeApplied', node: aNode('n1')}},
	{name: 'it tolerates more', change: {type: 'podApplied', pod: {...web, tolerations: [tolerates('x')]}}},
	{name: 'its node is gone', change: {type: 'nodeDeleted', name: 'n1'}},
	{name: 'it is another pod by now', change: {type: 'podApplied', pod: {...web, uid: 'other', evictedAt: 0}}},
])('what was said of a pod is dropped once $name', ({change}) => {
	const {say, see, score} = session();
	say(10, 'Scheduled', 50, 54);
	see(20, change);
	say(60, 'Unsure', 60);
	expect(score()).toMatchObject({judged: 0, falseAlarms: 0});
});

test("a person's taint ends what was said of its node's pods, and a taint of the controllers does not", () => {
	const after = (key: string) => {
		const {say, see, evict, score} = session();
		say(10, 'Scheduled', 50, 54);
		see(20, {type: 'nodeApplied', node: {...tainted, taints: [...tainted.taints, aTaint(key)]}});
		evict(20.1);
		return score().misses.length;
	};
	expect([taintOutOfService, taintNotReady].map(after)).toEqual([0, 1]);
});

test('on a node that is gone, what garbage collection announced is judged, and what others deleted is not', () => {
	const after = (end: Partial<Pod>) => {
		const {say, see, evict, score} = session();
		see(10, {type: 'nodeDeleted', name: 'n1'});
		say(12, 'Expected', 50, 90);
		evict(20, end);
		return score().judged;
	};
	expect([{isCollected: true} as const, {}].map(after)).toEqual([1, 0]);
});

test('another leader begins anew', () => {
	const {say, see, evict, score} = session();
	const lease = {namespace: 'kube-system', name: 'kube-controller-manager'};
	see(1, {type: 'leaseApplied', lease: {...lease, acquireTime: -100}});
	say(10, 'Scheduled', 50, 54);
	see(20, {type: 'leaseApplied', lease: {...lease, acquireTime: 19_000}});
	say(21, 'Scheduled', 70, 74);
	evict(72);
	expect(score()).toMatchObject({judged: 1, inside: 1});
});

test('a countdown that ends without a deletion is a false alarm, until its pod goes after all', () => {
	const {say, evict, score} = session();
	say(10, 'Scheduled', 50, 54);
	say(55, 'Scheduled', 50, 54);
	expect(score().falseAlarms).toBe(0);
	say(60, 'Overdue');
	expect(score().falseAlarms).toBe(1);
	evict(70);
	expect(score()).toMatchObject({judged: 1, inside: 0, falseAlarms: 0});
});

test('no false alarm where an event says that the deletion was tried, or a forecast was no longer sure', () => {
	const time = {at: 52 * second, precision: 0};
	const tried = session();
	tried.say(10, 'Scheduled', 50, 54);
	const event = {reason: 'MarkingForDeletion', about: podKey(web), first: time, last: time} as const;
	tried.see(52, {
		type: 'eventApplied',
		event: {namespace: 'shop', name: 'web.1', createdAt: 52_000, ...event},
	});
	tried.say(60, 'Overdue');
	expect(tried.score().falseAlarms).toBe(0);
	const unsure = session();
	unsure.say(10, 'Scheduled', 50, 54);
	unsure.say(40, 'Unsure', 50);
	unsure.say(60, 'Unsure', 60);
	expect(unsure.score().falseAlarms).toBe(0);
});

test('of what the first look shows, nothing was deleted while it watched', () => {
	const {evict, score} = session({...web, deletionTimestamp: 20 * second});
	evict(10);
	expect(score()).toMatchObject({judged: 0, unforeseen: 0});
});

function announces(reason: 'MarkingForDeletion' | 'NodeControllerEviction', at: number): Observation {
	const time = {at: at * second, precision: 0};
	const event = {namespace: 'shop', name: 'web.1', reason, about: podKey(web), first: time, last: time};
	return {type: 'eventApplied', event: {...event, createdAt: time.at}};
}

test.for([
	{reason: 'MarkingForDeletion', eventAt: 51.9},
	{reason: 'NodeControllerEviction', eventAt: 53},
] as const)('before pods said so themselves, $reason tells that one is evicted', ({reason, eventAt}) => {
	const {say, see, evict, score} = session(web, 'v1.20.15');
	say(10, 'Scheduled', 50, 54);
	if (eventAt < 52) see(eventAt, announces(reason, 51.9));
	evict(52, {});
	if (eventAt > 52) see(eventAt, announces(reason, 51.9));
	expect(score()).toMatchObject({judged: 1, inside: 1, unforeseen: 0});
});

test('where nothing tells so, a pod was deleted by somebody', () => {
	const {say, see, evict, score} = session(web, 'v1.20.15');
	say(10, 'Scheduled', 50, 54);
	evict(20, {});
	say(30, 'Safe');
	see(31, announces('MarkingForDeletion', 31));
	expect(score()).toMatchObject({judged: 0, unforeseen: 0});
});

test('of pods for which a forecast says the same, each is held to what was said of it before', () => {
	const judged: (readonly [string, number | undefined])[] = [];
	const store = new ClusterStore();
	const keeper = new PredictionLedger(store, ({pod: {name}, prediction}) => {
		judged.push([name, prediction?.range.latest ?? undefined]);
	});
	store.subscribe(keeper);
	const all = ['old', 'young', 'younger'].map((name) => aPod(name));
	store.apply(
		[{type: 'nodeApplied', node: tainted}, ...all.map((pod): Observation => ({type: 'podApplied', pod}))],
		0,
	);
	const say = (at: number, latest: number, pods: readonly Pod[]) => {
		const eviction = new Range(50 * second, 0, latest * second);
		const said = pods.map((pod) => aPodForecast({...pod, verdict: 'Scheduled', eviction}));
		keeper.add(aForecast({kubernetesVersion: 'v1.36.3', observedAt: at * second, pods: said}));
	};
	say(10, 52, all.slice(0, 1));
	say(20, 60, all);
	store.apply(
		all.map(
			(pod): Observation => ({
				type: 'podApplied',
				pod: {...pod, evictedAt: 0, deletionTimestamp: 90 * second},
			}),
		),
		58 * second,
	);
	expect(judged).toEqual([
		['old', 52 * second],
		['young', 60 * second],
		['younger', 60 * second],
	]);
});

test.each([
	['PreemptionByScheduler', 'preempted by the scheduler'],
	['EvictionByEvictionAPI', 'evicted by the Eviction API'],
	['TerminationByKubelet', 'ended by its kubelet'],
] as const)(
	'a deletion that %s announced is named, and is neither a hit nor a miss',
	(disruptedBy, words) => {
		const {say, evict, score} = session();
		say(1, 'Scheduled', 50, 54);
		evict(20, {isDisruptionTarget: true, disruptedBy});
		expect(score()).toMatchObject({judged: 0, unforeseen: 0, falseAlarms: 0, others: {[disruptedBy]: 1}});
		expect(formatScore(score())).toContain(`1 ${words}`);
	},
);

test('the score of one namespace counts no pods of others', () => {
	const store = new ClusterStore();
	const keepers = ['shop', 'bank', undefined].map(
		(namespace) => new PredictionLedger(store, () => undefined, namespace),
	);
	const both = [web, aPod('safe', {namespace: 'bank'})];
	const see = (at: number, ...observations: readonly Observation[]) => {
		const update = store.apply(observations, at * second);
		for (const keeper of keepers) keeper.take(update);
	};
	see(0, {type: 'nodeApplied', node: tainted}, ...both.map((pod) => ({type: 'podApplied', pod}) as const));
	const range = new Range(40 * second, 0, 90 * second);
	const pods = both.map((pod) => aPodForecast({...pod, verdict: 'Scheduled', eviction: range}));
	for (const keeper of keepers) keeper.add(aForecast({observedAt: second, pods}));
	see(50, {type: 'podApplied', pod: {...web, evictedAt: 0, deletionTimestamp: 80 * second}});
	expect(keepers.map(({score}) => [score.judged, score.shown.first.judged])).toEqual([
		...[
			[1, 1],
			[0, 0],
			[1, 1],
		],
	]);
});
