import {BinaryWriter} from '@bufbuild/protobuf/wire';
import fc from 'fast-check';
import {expect, test} from 'vitest';
import {WireReader} from '../../../src/cluster/codec/wire/reader.ts';
import {SharedTexts} from '../../../src/cluster/codec/wire/sharedTexts.ts';

const readerOf = (bytes: Uint8Array) => new WireReader(bytes, new SharedTexts());

test('an integer of any size and sign is the number nearest to it, and the next one is found after it', () => {
	const integers = fc.oneof(
		fc.bigInt({min: -(2n ** 63n), max: 2n ** 63n - 1n}),
		fc.integer().map(BigInt),
		// Around the limits of the accumulator, of exact numbers, and of each byte's seven bits.
		fc
			.tuple(fc.integer({min: 0, max: 62}), fc.constantFrom(-1n, 0n, 1n))
			.map(([power, by]) => 2n ** BigInt(power) + by),
	);
	fc.assert(
		fc.property(integers, fc.nat(300), (integer, after) => {
			const reader = readerOf(new BinaryWriter().int64(integer).int64(after).finish());
			expect([reader.integer(), reader.integer()]).toEqual([Number(integer), after]);
		}),
	);
});

test('a tag or length of any size is read as by the library, and what follows it is found', () => {
	fc.assert(
		fc.property(fc.oneof(fc.nat(300), fc.nat(2 ** 31 - 1)), fc.nat(127), (one, after) => {
			const reader = readerOf(new BinaryWriter().uint32(one).uint32(after).finish());
			expect([reader.unsigned(), reader.unsigned()]).toEqual([one, after]);
			expect(() => reader.unsigned()).toThrow();
		}),
	);
});

test('an integer that is cut off is an error', () => {
	for (const length of [0, 1, 4, 9])
		expect(() => readerOf(new Uint8Array(length).fill(0x80)).integer()).toThrow();
});
