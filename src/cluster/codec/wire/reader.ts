import {BinaryReader, WireType} from '@bufbuild/protobuf/wire';
import type {SharedTexts} from './sharedTexts.ts';

export const fieldNumber = (tag: number): number => tag >>> 3;
const wireTypeOf = (tag: number): WireType => tag & 7;

/** Numbers stay exact while a varint's unit is below this. */
const largestUnit = 2 ** 49;

/** The library's reader, with tags as one number, nested messages in place, and shared strings. Throws if bytes end too early. */
export class WireReader extends BinaryReader {
	readonly #bytes: Buffer;
	readonly #texts: SharedTexts;

	constructor(bytes: Uint8Array, texts: SharedTexts) {
		super(bytes);
		this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
		this.#texts = texts;
	}

	/** An integer of up to 64 bits; beyond 53 bits it is rounded, as by JSON.parse. */
	integer(): number {
		const start = this.pos;
		let [value, unit] = [0, 1];
		for (let byte = this.#next(); ; byte = this.#next()) {
			value += (byte & 0x7f) * unit;
			if (byte < 0x80) return value;
			unit *= 0x80;
			if (unit === largestUnit) break;
		}
		// Large and negative integers are rare; the library makes a BigInt of each.
		this.pos = start;
		return Number(this.int64());
	}

	/** The library's `uint32`; nearly all tags and lengths are of one byte. */
	unsigned(): number {
		const byte = this.#bytes[this.pos];
		if (byte === undefined || byte >= 0x80) return this.uint32();
		this.pos += 1;
		return byte;
	}

	#next(): number {
		const byte = this.#bytes[this.pos++];
		if (byte === undefined) throw new RangeError('an integer ends after the whole');
		return byte;
	}

	/** Reads a length and returns the end position of the part that follows. */
	endOfPart(): number {
		const length = this.unsigned();
		const end = this.pos + length;
		if (end > this.len) throw new RangeError('a part ends after the whole');
		return end;
	}

	/** A string that other objects may share. */
	text(): string {
		const to = this.endOfPart();
		const from = this.pos;
		this.pos = to;
		return this.#texts.read(this.#bytes, from, to);
	}

	ownText(): string {
		return this.part().toString();
	}

	/** The bytes of a part: a view, which keeps the whole buffer in memory. */
	part(): Buffer {
		const to = this.endOfPart();
		const from = this.pos;
		this.pos = to;
		return this.#bytes.subarray(from, to);
	}

	skipField(tag: number) {
		if (wireTypeOf(tag) === WireType.LengthDelimited) this.pos = this.endOfPart();
		else this.skip(wireTypeOf(tag), fieldNumber(tag));
	}
}
