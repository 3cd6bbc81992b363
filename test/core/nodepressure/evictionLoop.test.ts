import {expect, test} from 'vitest';
import {aNodePod, evictionLoop, lines, memoryLeft, ScriptedNode} from '../../support/pressure.ts';

const hard = {evictionHard: {'memory.available': '500Mi'}};
const [a, b] = [aNodePod('a'), aNodePod('b')];
const starved = () => new ScriptedNode(memoryLeft('1Mi'), [a, b]);
const kills = (told: readonly string[]) => told.filter((line) => line.includes('killed'));

test('after an eviction the next pass follows its cleanup at once, without the rest between passes', () => {
	const loop = evictionLoop(hard, starved());
	expect(kills(lines(loop.advanceTo(5_000)))).toEqual(['0s killed a', '1s killed b']);
	expect(loop.nextDueAt).toBe(12_000);
});

test('the cleanup is looked for once a second, for half a minute', () => {
	const node = starved();
	node.cleanup = 2_500;
	expect(kills(lines(evictionLoop(hard, node).advanceTo(10_000)))).toEqual(['0s killed a', '3s killed b']);
	const slow = starved();
	slow.cleanup = 60_000;
	const told = lines(evictionLoop(hard, slow).advanceTo(35_000));
	expect(told).toContain('30s cleanupTimedOut a');
	expect(kills(told)).toEqual(['0s killed a', '30s killed b']);
});

test('while a kill blocks, no pass runs: no condition changes, and nothing else is evicted', () => {
	const node = starved();
	node.termination = 8_000;
	const loop = evictionLoop({...hard, evictionPressureTransitionPeriod: '1s'}, node);
	loop.advanceTo(0);
	node.answer = memoryLeft('4Gi');
	expect([loop.phase.type, loop.nextDueAt]).toEqual(['killing', 8_000]);
	expect(loop.advanceTo(7_999)).toEqual([]);
	expect(lines(loop.advanceTo(9_000))).toEqual([
		'9s cleanedUp a',
		'9s passStarted',
		'9s conditionChanged MemoryPressure=false',
	]);
});

test('a kill that timed out counts as an eviction; the pod is ranked and killed again in the next pass', () => {
	const node = starved();
	node.termination = undefined;
	expect(lines(evictionLoop(hard, node).advanceTo(40_000))).toEqual([
		'0s passStarted',
		'0s conditionChanged MemoryPressure=true',
		'0s reclaimAttempted memory',
		'0s ranked a>b',
		'0s killed a',
		'10s killTimedOut a',
		'40s cleanupTimedOut a',
		'40s passStarted',
		'40s reclaimAttempted memory',
		'40s ranked a>b',
		'40s killed a',
	]);
});

test('a pod that ends just when its kill is given up did end in time', () => {
	const node = starved();
	node.termination = 10_000;
	expect(lines(evictionLoop(hard, node).advanceTo(10_000))).not.toContain('10s killTimedOut a');
});

test('a loop may start in the middle of a rest, with what it remembers', () => {
	const first = evictionLoop(hard, new ScriptedNode(memoryLeft('1Mi'), []));
	first.advanceTo(0);
	expect(first.state.conditions).toEqual(['MemoryPressure']);
	expect([...first.state.firstObserved.values()]).toEqual([0]);
});

test('time never runs backwards', () => {
	const loop = evictionLoop(hard, starved());
	loop.advanceTo(5_000);
	expect(() => loop.advanceTo(4_000)).toThrow('time runs backwards: 5000 -> 4000');
});
