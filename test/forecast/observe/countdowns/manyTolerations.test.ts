import {expect, test} from 'vitest';
import type {Taint} from '../../../../src/core/model/taint.ts';
import type {Toleration} from '../../../../src/core/model/toleration.ts';
import {matchingTolerations} from '../../../../src/core/tainteviction/tolerations.ts';
import {type Instant, never} from '../../../../src/core/time/instant.ts';
import {Random} from '../../../../src/core/time/random.ts';
import {
	earlierUses,
	handling,
	type ReferencePod,
} from '../../../../src/forecast/observe/countdowns/referencePods.ts';

const toleration = (key: string, parts: Partial<Toleration> = {}): Toleration => ({
	key,
	operator: 'Exists',
	value: '',
	effect: 'NoExecute',
	tolerationSeconds: 300,
	...parts,
});

/** The earliest instant from which one of all taints that tolerations name may have been there: each is tried. */
function earliestByTrial(
	used: Toleration,
	tolerations: readonly Toleration[],
	references: readonly ReferencePod[],
	from: Instant,
): Instant {
	const there = references.filter(({since, until}) => since <= from && until > from);
	const named = [used, ...there.flatMap((reference) => reference.tolerations)];
	if (named.some(({operator}) => operator === 'Lt')) return from;
	const match = (taint: Taint, among: readonly Toleration[]) =>
		matchingTolerations([taint], among, true)?.[0];
	const starts = [...named, {key: '', value: ''}].flatMap(({key, value}) => {
		const taint: Taint = {key, value, effect: 'NoExecute'};
		if (match(taint, tolerations) !== used) return [];
		const against = there.filter((reference) => !match(taint, reference.tolerations));
		return Math.max(from, ...against.map(({until}) => until - handling));
	});
	return Math.min(never, ...starts);
}

test('the use of a toleration is bounded as by a trial of each taint', () => {
	const random = new Random(7);
	const any = <T>(...values: readonly T[]): T => values[Math.floor(random.next() * values.length)] as T;
	for (let round = 0; round < 3000; round += 1) {
		const pool = Array.from({length: 6}, () =>
			toleration(any('a', 'b', 'c', '', 'a'), {
				operator: any('Exists', 'Equal', '', 'Exists', 'Equal', any('Lt', 'Exists')),
				value: any('', 'v', 'w'),
				effect: any('NoExecute', '', 'NoSchedule', 'NoExecute'),
			}),
		);
		const some = () => Array.from({length: any(0, 1, 2, 4, 6)}, () => any(...pool));
		const tolerations = [...some(), any(...pool)];
		const references = Array.from({length: any(0, 1, 2, 3)}, () => ({
			tolerations: any(some(), tolerations),
			since: any(0, 1000, 2000),
			until: any(2500, 4000, 9000),
		}));
		const usedSince = earlierUses({tolerations}, references, true);
		for (const used of tolerations) {
			const from = any(500, 1500, 3000);
			expect(usedSince(used, from)).toBe(earliestByTrial(used, tolerations, references, from));
		}
	}
});

test.each([
	{name: 'keys', make: (index: number) => toleration(`k${index}`)},
	{
		name: 'values',
		make: (index: number) => toleration('k', {operator: 'Equal', value: `v${index}`}),
	},
])('a pod with 5,000 tolerations of many $name takes a second or two', ({make}) => {
	const tolerations = Array.from({length: 5000}, (_, index) => make(index));
	const begun = process.cpuUsage();
	const usedSince = earlierUses({tolerations}, [{tolerations, since: 0, until: 9000}], true);
	for (const used of tolerations) expect(usedSince(used, 1000)).toBe(1000);
	expect(process.cpuUsage(begun).user).toBeLessThan(4e6);
});
