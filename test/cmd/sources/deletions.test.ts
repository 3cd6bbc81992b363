import {expect, test} from 'vitest';
import {deletionLedger} from '../../../cmd/sources/deletions.ts';
import type {ClusterEvent} from '../../../src/core/model/clusterEvent.ts';
import {forecastPressure} from '../../../src/forecast/pressure/forecastPressure.ts';
import type {PressureEviction} from '../../../src/forecast/pressure/pressureForecast.ts';
import {Range} from '../../../src/forecast/range.ts';
import {deletions as table} from '../../../src/print/tables/deletionKind.ts';
import {inTable} from '../../../src/print/tables/kind.ts';
import {ClusterStore} from '../../../src/store/clusterStore.ts';
import {aForecast, now} from '../../print/forecasts.ts';
import {aPod} from '../../support/builders.ts';
import {aNodePod} from '../../support/pressure.ts';

const marking = (
	name: string,
	at: number,
	reason: ClusterEvent['reason'] = 'MarkingForDeletion',
): ClusterEvent => ({
	...{namespace: 'shop', name, reason, about: `shop/${name}-pod`, createdAt: at},
	...{first: {at, precision: 0}, last: {at, precision: 0}},
});

const toldEviction: PressureEviction = {
	...{pod: aNodePod('told'), when: new Range(now + 20_000, now + 25_000, now + 30_000), isCertain: true},
	signals: ['memory.available'],
	...{graceSeconds: [1], place: {first: 1, last: 1}},
	message: 'low',
};

test('evictions of before the start are told by their events, the oldest first; what was called off or tried is not', () => {
	const store = new ClusterStore();
	const on = {namespace: 'shop', nodeName: 'n1'};
	const terminating = aPod('late-pod', {...on, deletionTimestamp: now + 25_000});
	for (const pod of [terminating, aPod('tried-pod', on)]) store.apply([{type: 'podApplied', pod}], now);
	const deletions = deletionLedger(store);
	const events = [
		marking('late', now - 5000),
		marking('early', now - 9000),
		marking('tried', now - 8000),
		marking('kept', now - 7000, 'CancellingDeletion'),
	];
	deletions.take(
		store.apply(
			events.map((event) => ({type: 'eventApplied', event}) as const),
			now,
			// As a live watch confirms after all first lists.
			{type: 'confirmed'},
		),
	);
	expect(deletions.happenings()).toMatchObject([
		{at: now - 9000, namespace: 'shop', name: 'early-pod', isBefore: true, firstPrediction: undefined},
		{at: now - 5000, namespace: 'shop', name: 'late-pod', node: 'n1', isBefore: true, isInside: undefined},
	]);
	deletions.take(store.apply([{type: 'eventApplied', event: marking('new', now)}], now));
	expect(deletions.happenings()).toHaveLength(2);
});

test('what a pod tells of its eviction counts once, however often its node is listed', () => {
	const store = new ClusterStore();
	const deletions = deletionLedger(store);
	const gone = (name: string, evictedAt: number) =>
		aPod(name, {namespace: 'shop', nodeName: 'n1', evictedAt, deletionTimestamp: evictedAt + 30_000});
	const lists = [gone('first', now - 9000), gone('second', now - 4000), gone('first', now - 9000)];
	for (const pod of lists) deletions.take(store.apply([{type: 'podApplied', pod}], now, {type: 'firstLook'}));
	const event = {...marking('second', now - 3900), about: 'shop/second'};
	deletions.take(store.apply([{type: 'eventApplied', event}], now, {type: 'firstLook'}));
	expect(deletions.happenings().map(({name}) => name)).toEqual(['first', 'second']);
});

test('a pod that its kubelet evicted is told once, also where it is deleted later', () => {
	const store = new ClusterStore();
	const deletions = deletionLedger(store);
	const report = {node: 'n1', reason: 'Evicted', message: 'low', pod: 'shop/old', uid: 'uid-of-old'};
	const reports = [
		{...report, at: now - 3000},
		{...report, at: now - 5000},
		{node: 'n1', reason: 'EvictionThresholdMet', message: 'low', at: now - 9000},
	];
	deletions.takePressure({type: 'reported', reports});
	deletions.takePressure({type: 'reported', reports});
	const told = [{at: now - 5000, namespace: 'shop', name: 'old', node: 'n1', actor: {kind: 'Kubelet'}}];
	expect(deletions.happenings()).toMatchObject(told);
	const pod = aPod('old', {phase: 'Failed', disruptedBy: 'TerminationByKubelet', isDisruptionTarget: true});
	deletions.take(store.apply([{type: 'podApplied', pod}], now));
	deletions.take(store.apply([{type: 'podDeleted', namespace: 'shop', name: 'old'}], now + 1000));
	expect(deletions.happenings()).toMatchObject(told);
	expect(deletions.happenings()).toHaveLength(1);
});

test('what a kubelet did is held against what was said of it, unless that was before anything was said', () => {
	const deletions = deletionLedger(new ClusterStore());
	const evict = (name: string, at: number) => ({
		...{node: 'n1', reason: 'Evicted', message: 'low', pod: `shop/${name}`, uid: `uid-${name}`, at},
	});
	const evidence = {node: 'n1', samples: [], pods: [], conditions: [], evicted: [], reports: []};
	const pressure = [{...forecastPressure(evidence, now), evictions: [toldEviction]}];
	deletions.add({...aForecast(), pressure});
	const reports = [evict('old', now - 5000), evict('told', now + 24_000), evict('untold', now + 26_000)];
	deletions.takePressure({type: 'reported', reports});
	expect(deletions.happenings()).toMatchObject([
		{name: 'old', isBefore: true},
		{name: 'told', firstPrediction: {madeAt: now, range: toldEviction.when}, isInside: true},
		{name: 'untold', firstPrediction: undefined},
	]);
	const cells = deletions
		.happenings()
		.map((one) =>
			table.columns.filter(({title}) => /PRED|DIFF/.test(title)).map(({cell}) => cell(one, inTable(now))),
		);
	expect(cells).toEqual([
		['-', 'by its kubelet, before this command'],
		['14:00:20Z/14:00:30Z', 'by its kubelet, inside'],
		['-', 'by its kubelet'],
	]);
});

test.for([
	{name: 'with the UID', own: {uid: 'uid-told'}},
	{name: 'without a UID', own: {}},
])(
	'a pod that is deleted before its event tells of its eviction is told once, and judged: $name',
	({own}) => {
		const store = new ClusterStore();
		const deletions = deletionLedger(store);
		const evidence = {node: 'n1', samples: [], pods: [], conditions: [], evicted: [], reports: []};
		deletions.add({
			...aForecast(),
			pressure: [{...forecastPressure(evidence, now), evictions: [toldEviction]}],
		});
		const pod = aPod('told', {
			...{namespace: 'shop', uid: 'uid-told', phase: 'Failed', disruptedBy: 'TerminationByKubelet'},
			isDisruptionTarget: true,
		});
		deletions.take(store.apply([{type: 'podApplied', pod}], now + 29_000));
		// It ends after its deletion.
		deletions.take(store.apply([{type: 'podDeleted', namespace: 'shop', name: 'told'}], now + 33_000));
		const told = [{at: now + 33_000, name: 'told', firstPrediction: {madeAt: now}, isInside: true}];
		expect(deletions.happenings()).toMatchObject(told);
		const report = {node: 'n1', reason: 'Evicted', message: 'low', pod: 'shop/told', at: now + 29_000};
		deletions.takePressure({type: 'reported', reports: [{...report, ...own}]});
		expect(deletions.happenings()).toMatchObject(told);
		expect(deletions.happenings()).toHaveLength(1);
	},
);
