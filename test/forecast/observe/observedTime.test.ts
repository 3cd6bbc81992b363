import {expect, test} from 'vitest';
import {controllerManagerLease} from '../../../src/core/model/lease.ts';
import {minute, second} from '../../../src/core/time/instant.ts';
import {judgeLeader} from '../../../src/forecast/observe/leader.ts';
import {ObservedTime} from '../../../src/forecast/observe/observedTime.ts';

const confirmed = {type: 'confirmed'} as const;

test('without a word that silences are told of, all time counts as seen', () => {
	const seen = new ObservedTime();
	seen.observe(0);
	expect(seen.at(minute)).toBe(minute);
	expect(seen.between(0, minute)).toBe(minute);
});

test('a silence counts for as long as it is confirmed', () => {
	const seen = new ObservedTime();
	seen.observe(0, confirmed);
	seen.observe(3 * second, confirmed);
	expect(seen.at(minute)).toBe(3 * second);
	expect(seen.between(0, minute)).toBe(3 * second);
	seen.observe(6 * second);
	expect(seen.between(0, minute)).toBe(6 * second);
});

test('what is lost is unseen from then on, whatever else is heard', () => {
	const seen = new ObservedTime();
	seen.observe(0, confirmed);
	seen.observe(9 * second, {type: 'watchLost', since: 4 * second});
	expect(seen.observe(12 * second)).toBeUndefined();
	expect(seen.at(12 * second)).toBe(4 * second);
	expect(seen.observe(30 * second, {type: 'watchLost', since: undefined})).toEqual({
		from: 4 * second,
		to: 30 * second,
	});
	seen.observe(32 * second);
	expect(seen.between(0, 32 * second)).toBe(6 * second);
});

test('a pause that nobody explained is a gap: whoever confirms was stopped', () => {
	const seen = new ObservedTime();
	seen.observe(0, confirmed);
	expect(seen.observe(5 * second)).toBeUndefined();
	expect(seen.observe(5 * minute)).toEqual({from: 5 * second, to: 5 * minute});
	expect(seen.between(0, 5 * minute)).toBe(5 * second);
});

test('what came before the first look was seen as far as others had written', () => {
	const seen = new ObservedTime();
	seen.observe(minute, confirmed);
	seen.shown(40 * second);
	expect(seen.between(10 * second, minute)).toBe(30 * second);
	expect(seen.between(50 * second, minute)).toBe(0);
});

const renewed = 1000 * second;
const lease = {
	...controllerManagerLease,
	...{renewTime: renewed, acquireTime: 0, holderIdentity: 'one', leaseDuration: 15 * second},
};

test.for([35 * second, 5 * minute])('a freeze of %s ms says nothing of the controllers', (length) => {
	const seen = new ObservedTime();
	for (let at = renewed - minute; at <= renewed + second; at += second) seen.observe(at, confirmed);
	const typeAt = (after: number) => judgeLeader(lease, renewed + after, seen).type;
	for (let after = 0; after <= length; after += second) expect(typeAt(after)).toBe('running');
	// It answers again: a leader has a whole lease duration to renew.
	for (let after = length; after <= length + 14 * second; after += second) {
		seen.observe(renewed + after);
		expect(typeAt(after)).toBe('running');
	}
	for (let after = length + 14 * second; after <= length + 20 * second; after += second)
		seen.observe(renewed + after);
	expect(typeAt(length + 20 * second)).toBe('absent');
});

test('one who is known to be gone is not back for a gap', () => {
	const seen = new ObservedTime();
	for (let at = renewed; at <= renewed + minute; at += second) seen.observe(at, confirmed);
	expect(judgeLeader(lease, renewed + minute, seen).type).toBe('absent');
	seen.observe(renewed + minute, {type: 'watchLost', since: renewed + minute});
	seen.observe(renewed + 2 * minute, {type: 'watchLost', since: undefined});
	expect(judgeLeader(lease, renewed + 2 * minute, seen).type).toBe('absent');
});
