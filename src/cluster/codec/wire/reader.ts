import {BinaryReader, WireType} from '@bufbuild/protobuf/wire';
import type {SharedTexts} from './sharedTexts.ts';

/** The field that a tag is of. */
export const fieldNumber = (tag: number): number => tag >>> 3;
const wireTypeOf = (tag: number): WireType => tag & 7;

/** Up to here a sum of seven bits each is exact. */
const largestUnit = 2 ** 49;

/**
 * Reads protobuf from front to back: the library's reader, but a tag is one number, a part is left where it is, and texts
 * that many objects have are made once. Every method throws where the bytes end too early.
 */
export class WireReader extends BinaryReader {
	readonly #bytes: Buffer;
	readonly #texts: SharedTexts;

	constructor(bytes: Uint8Array, texts: SharedTexts) {
		super(bytes);
		this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
		this.#texts = texts;
	}

	/** An integer of up to 64 bits; beyond 53 it is the nearest number, as JSON.parse has it. */
	integer(): number {
		const start = this.pos;
		let [value, unit] = [0, 1];
		for (let byte = this.#next(); ; byte = this.#next()) {
			value += (byte & 0x7f) * unit;
			if (byte < 0x80) return value;
			unit *= 0x80;
			if (unit === largestUnit) break;
		}
		// Large and negative ones are seldom; the library makes a BigInt of each.
		this.pos = start;
		return Number(this.int64());
	}

	#next(): number {
		const byte = this.#bytes[this.pos++];
		if (byte === undefined) throw new RangeError('an integer ends after the whole');
		return byte;
	}

	/** Where the part that begins here ends: its length comes first. */
	endOfPart(): number {
		const length = this.uint32();
		const end = this.pos + length;
		if (end > this.len) throw new RangeError('a part ends after the whole');
		return end;
	}

	/** A text that other objects may have, too. */
	text(): string {
		const to = this.endOfPart();
		const from = this.pos;
		this.pos = to;
		return this.#texts.read(this.#bytes, from, to);
	}

	/** A text that no other object has. */
	ownText(): string {
		const to = this.endOfPart();
		const from = this.pos;
		this.pos = to;
		return this.#bytes.toString('utf8', from, to);
	}

	/** The bytes of a part. They are those of the whole: whoever keeps them keeps all of it. */
	part(): Buffer {
		const to = this.endOfPart();
		const from = this.pos;
		this.pos = to;
		return this.#bytes.subarray(from, to);
	}

	/** Passes over the field of a tag that was read. */
	skipField(tag: number): void {
		if (wireTypeOf(tag) === WireType.LengthDelimited) this.pos = this.endOfPart();
		else this.skip(wireTypeOf(tag), fieldNumber(tag));
	}
}
