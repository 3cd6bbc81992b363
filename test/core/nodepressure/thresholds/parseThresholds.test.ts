import {expect, test} from 'vitest';
import {parseThresholds} from '../../../../src/core/nodepressure/thresholds/parseThresholds.ts';

const memory = 'memory.available';

test('exactly 0% and 100% switch a threshold off, 0.0% keeps one that is never met', () => {
	const count = (text: string) => parseThresholds({evictionHard: {[memory]: text}}).length;
	expect(['0%', '100%', '0.0%', '100.0%', '00%'].map(count)).toEqual([0, 0, 1, 1, 1]);
});

test('a minimum reclaim in percent may be more than 100%', () => {
	const [threshold] = parseThresholds({
		evictionHard: {[memory]: '1Gi'},
		evictionMinimumReclaim: {[memory]: '150%'},
	});
	expect(threshold?.minReclaim).toEqual({percentage: 1.5});
});

test('soft thresholds are not copied to the allocatable memory', () => {
	const signalsOf = (grace: string) =>
		parseThresholds({
			enforceNodeAllocatable: ['pods', 'system-reserved'],
			evictionHard: {[memory]: '1Gi'},
			evictionSoft: {[memory]: '2Gi'},
			evictionSoftGracePeriod: {[memory]: grace},
		}).map(({signal}) => signal);
	expect(signalsOf('30s')).toEqual([memory, memory, 'allocatableMemory.available']);
	expect(signalsOf('0s')).toEqual([
		memory,
		memory,
		'allocatableMemory.available',
		'allocatableMemory.available',
	]);
});
