import {expect, test} from 'vitest';
import type {Node} from '../../src/core/model/node.ts';
import {defaultSettings} from '../../src/core/model/versionProfile.ts';
import {ActionLedger} from '../../src/forecast/ledger/actionLedger.ts';
import {Range} from '../../src/forecast/range.ts';
import {BehaviourClues} from '../../src/shadow/compare/behaviourClues.ts';
import {ClusterHistory} from '../../src/shadow/compare/clusterHistory.ts';
import {ControllerWatch} from '../../src/shadow/compare/controllerWatch.ts';
import {DivergenceBook} from '../../src/shadow/compare/divergenceBook.ts';
import {Judge} from '../../src/shadow/compare/judge.ts';
import {ObservationGaps} from '../../src/shadow/compare/observationGaps.ts';
import {explained, type UnexplainedAction} from '../../src/shadow/compare/unexplainedAction.ts';
import {ClusterStore} from '../../src/store/clusterStore.ts';
import {aCondition, aNode} from '../support/builders.ts';

const missing = (id: string, now: number): UnexplainedAction => ({
	...{id, kind: 'Missing', action: 'DeletePod', node: 'n1', zone: '<none>', at: null, since: 0},
	object: {kind: 'Pod', namespace: 'default', name: id, uid: id},
	expected: new Range(1000, 1500, 2000),
	...{stateSince: 0, now},
});

/** A judge whose book has this many open divergences; each look records those for which it was asked. */
function aJudge(count: number) {
	const asked: string[] = [];
	const book = new DivergenceBook(() => undefined);
	const gaps = new ObservationGaps();
	const judge = new Judge({
		...{
			world: new ClusterHistory(new ClusterStore()),
			ledger: new ActionLedger(),
			controllers: new ControllerWatch(),
		},
		...{gaps, book, forecaster: {settings: defaultSettings}, matched: () => undefined},
		explain: ({id}) => {
			asked.push(id);
			return explained('Unexplained', 'nothing');
		},
	});
	for (let id = 0; id < count; id += 1)
		book.raise(missing(`pod-${id}`, 10_000), explained('Unexplained', 'nothing'));
	return {
		...{judge, book, gaps},
		look: (now: number): readonly string[] => {
			asked.length = 0;
			judge.checkDue(now);
			return [...asked];
		},
	};
}

test('of thousands that are missing some are explained anew with each look, each in its turn', () => {
	const {look} = aJudge(2000);
	const looks = Array.from({length: 10}, (_, index) => look(11_000 + index * 1000));
	expect(Math.max(...looks.map(({length}) => length))).toBeLessThanOrEqual(200);
	expect(new Set(looks.flat()).size).toBe(2000);
	expect(look(21_000).length).toBe(200);
});

test('a doubt has all explained anew, those as well for which no better reason is looked for', () => {
	const {judge, look} = aJudge(300);
	expect(look(500_000)).toEqual([]);
	judge.doubt();
	const first = look(501_000);
	judge.doubt();
	expect(new Set([...first, ...look(502_000)]).size).toBe(300);
	for (let now = 503_000; now < 506_000; now += 1000) look(now);
	expect(look(506_000)).toEqual([]);
});

test('while the watch is lost nothing is explained anew, and afterwards all is', () => {
	const {judge, gaps, look} = aJudge(3);
	gaps.take({type: 'watchLost', since: 10_000}, 11_000);
	judge.doubt();
	expect(look(12_000)).toEqual([]);
	gaps.take({type: 'watchLost', since: undefined}, 500_000);
	expect(look(501_000).length).toBe(3);
});

test('what all cases of an instant share is worked out once', () => {
	const store = new ClusterStore();
	const world = new ClusterHistory(store);
	const node = (name: string, status: 'True' | 'Unknown') =>
		aNode(name, {conditions: [aCondition('Ready', status)]});
	const see = (...nodes: readonly Node[]) =>
		store.apply(
			nodes.map((one) => ({type: 'nodeApplied', node: one})),
			1000,
		);
	see(node('n1', 'True'), node('n2', 'Unknown'));
	const clues = new BehaviourClues(world, {settings: defaultSettings});
	const [first, second] = [clues.cluesOf(missing('a', 1000)), clues.cluesOf(missing('b', 1000))];
	expect(second.learned).toBe(first.learned);
	expect(second.zone).toBe(first.zone);
	expect(clues.cluesOf({...missing('a', 1000), zone: 'elsewhere'}).zone.size).toBe(0);
	expect(clues.cluesOf(missing('a', 2000)).learned).not.toBe(first.learned);
	const before = clues.cluesOf(missing('a', 2000));
	see(node('n1', 'Unknown'));
	clues.observe([], [], 2000);
	expect([before.zone.notReady, clues.cluesOf(missing('a', 2000)).zone.notReady]).toEqual([1, 2]);
});
