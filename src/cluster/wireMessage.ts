import {BinaryReader, WireType} from '@bufbuild/protobuf/wire';
import {WireTime} from './decodeTime.ts';

/**
 * Which fields of a protobuf message are read, by their numbers, and under which names of the API's JSON. All others are
 * skipped over by their length, which is what makes protobuf worth it: most of an object is never looked at.
 */
export type Message = readonly (Field | undefined)[];

type Field =
	| {readonly name: string; readonly type: 'text' | 'number' | 'boolean' | 'time' | 'json'}
	/** A map of texts; of `keys` alone, where they are given. */
	| {readonly name: string; readonly type: 'map'; readonly keys?: readonly string[]}
	/** Several texts, and a map of quantities, which JSON has as texts. */
	| {readonly name: string; readonly type: 'texts' | 'quantities'}
	| {readonly name: string; readonly type: 'message'; readonly message: Message}
	| {readonly name: string; readonly type: 'list'; readonly message: Message};

/** A message by the numbers of its fields. */
export function message(fields: Readonly<Record<number, Field>>): Message {
	const highest = Math.max(0, ...Object.keys(fields).map(Number));
	return Array.from({length: highest + 1}, (_, number) => fields[number]);
}

/**
 * Reads one message into an object as JSON.parse would have made it, but for times, which stay what they are.
 *
 * @throws Error where the bytes are no such message
 */
export function readMessage(bytes: Uint8Array, fields: Message): Record<string, unknown> {
	return read(new BinaryReader(bytes), bytes.length, fields);
}

function read(reader: BinaryReader, end: number, fields: Message): Record<string, unknown> {
	const object: Record<string, unknown> = {};
	while (reader.pos < end) {
		const [number, wireType] = reader.tag();
		const field = fields[number];
		if (field === undefined) reader.skip(wireType, number);
		else object[field.name] = readField(reader, field, object[field.name]);
	}
	if (reader.pos !== end) throw new RangeError('a part is longer than the whole');
	return object;
}

function readPart(reader: BinaryReader, fields: Message): Record<string, unknown> {
	const length = reader.uint32();
	return read(reader, reader.pos + length, fields);
}

/** Reads a field once; one of several parts goes on with what the parts before it have made. */
function readField(reader: BinaryReader, field: Field, before: unknown): unknown {
	switch (field.type) {
		case 'text':
			return reader.string();
		case 'number':
			return Number(reader.int64());
		case 'boolean':
			return reader.bool();
		case 'time':
			return readTime(reader);
		case 'json':
			return readJson(reader);
		case 'message':
			return readPart(reader, field.message);
		case 'list': {
			const list = Array.isArray(before) ? before : [];
			list.push(readPart(reader, field.message));
			return list;
		}
		case 'texts':
			return [...(Array.isArray(before) ? before : []), reader.string()];
		case 'quantities': {
			const map = (before ?? {}) as Record<string, string>;
			readEntry(reader, map, undefined, readQuantity);
			return map;
		}
		case 'map': {
			const map = (before ?? {}) as Record<string, string>;
			readEntry(reader, map, field.keys);
			return map;
		}
	}
}

const entryParts = {key: 1, value: 2};

function readEntry(
	reader: BinaryReader,
	map: Record<string, string>,
	keys: readonly string[] | undefined,
	readValue = (value: BinaryReader) => value.string(),
): void {
	const end = reader.uint32() + reader.pos;
	let [key, value] = ['', ''];
	while (reader.pos < end) {
		const [number, wireType] = reader.tag();
		if (number === entryParts.key) key = reader.string();
		else if (number === entryParts.value && (!keys || keys.includes(key))) value = readValue(reader);
		else reader.skip(wireType, number);
	}
	if (!keys || keys.includes(key)) define(map, key, value);
}

/** A Quantity: a message whose one field is its text. */
function readQuantity(reader: BinaryReader): string {
	const end = reader.uint32() + reader.pos;
	let text = '';
	while (reader.pos < end) {
		const [number, wireType] = reader.tag();
		if (number === 1) text = reader.string();
		else reader.skip(wireType, number);
	}
	return text;
}

// A key may be called __proto__, which an assignment would not store.
function define(map: Record<string, string>, key: string, value: string): void {
	if (key === '__proto__')
		Object.defineProperty(map, key, {value, enumerable: true, writable: true, configurable: true});
	else map[key] = value;
}

/** A Timestamp. One without any content is Go's zero time, which JSON has as null. */
function readTime(reader: BinaryReader): WireTime | undefined {
	const end = reader.uint32() + reader.pos;
	if (reader.pos === end) return undefined;
	let [seconds, nanoseconds] = [0, 0];
	while (reader.pos < end) {
		const [number, wireType] = reader.tag();
		if (number === 1) seconds = Number(reader.int64());
		else if (number === 2) nanoseconds = reader.int32();
		else reader.skip(wireType, number);
	}
	return new WireTime(seconds, nanoseconds);
}

/** FieldsV1: a message whose one field is JSON. */
function readJson(reader: BinaryReader): unknown {
	const end = reader.uint32() + reader.pos;
	let json: unknown;
	while (reader.pos < end) {
		const [number, wireType] = reader.tag();
		if (number === 1 && wireType === WireType.LengthDelimited) json = parse(reader.bytes());
		else reader.skip(wireType, number);
	}
	return json;
}

const parse = (bytes: Uint8Array): unknown =>
	JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString());
