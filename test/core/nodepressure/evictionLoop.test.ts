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
