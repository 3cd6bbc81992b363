import {expect, test} from 'vitest';
import {parsePercentage} from '../../../../src/core/nodepressure/quantities/parsePercentage.ts';
import {evictionSettings} from '../../../../src/core/nodepressure/thresholds/evictionSettings.ts';
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

test('the hard map is read first, then the soft one, grace periods and minimum reclaims', () => {
	const wrong = {'a.b': 'x'};
	const all = {
		evictionHard: {'h.x': '1'},
		evictionSoft: {'s.x': '1'},
		evictionSoftGracePeriod: {[memory]: '1'},
		evictionMinimumReclaim: wrong,
	};
	const {evictionHard: _, ...rest} = all;
	const {evictionSoft: __, ...last} = rest;
	expect(() => parseThresholds(all)).toThrow('unsupported eviction signal h.x');
	expect(() => parseThresholds(rest)).toThrow('unsupported eviction signal s.x');
	expect(() => parseThresholds(last)).toThrow('time: missing unit in duration "1"');
});

test.for([
	{text: '10%', want: Math.fround(0.1)},
	{text: '1_0%', want: Math.fround(0.1)},
	{text: '0x1p4%', want: Math.fround(0.16)},
	{text: '0x1.8p1%%', want: Math.fround(0.03)},
	{text: '-Inf%', want: Number.NEGATIVE_INFINITY},
	{text: 'nan%', want: Number.NaN},
	{text: '16777217%', want: 167_772.15625},
])('$text is read as a float32', ({text, want}) => {
	expect(parsePercentage(text)).toBe(want);
});

test.for([
	{text: '1e50%', want: 'strconv.ParseFloat: parsing "1e50": value out of range'},
	{text: '0x10%', want: 'strconv.ParseFloat: parsing "0x10": invalid syntax'},
	{text: '1__0%', want: 'strconv.ParseFloat: parsing "1__0": invalid syntax'},
	{text: '+nan%', want: 'strconv.ParseFloat: parsing "+nan": invalid syntax'},
	{text: '.%', want: 'strconv.ParseFloat: parsing ".": invalid syntax'},
])('$text is refused in Go’s words', ({text, want}) => {
	expect(() => parsePercentage(text)).toThrow(want);
});

test('what a configuration leaves out has the kubelet’s defaults', () => {
	expect(evictionSettings({evictionHard: {[memory]: '1Gi'}})).toMatchObject({
		thresholds: [{signal: memory}, {signal: 'allocatableMemory.available'}],
		pressureTransitionPeriod: 300_000,
		monitoringInterval: 10_000,
		maxPodGracePeriodSeconds: 0,
		localStorageCapacityIsolation: true,
		kernelMemcgNotification: false,
	});
});
