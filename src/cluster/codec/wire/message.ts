import {WireTime} from '../rawJson.ts';
import {fieldNumber, WireReader} from './reader.ts';
import {SharedTexts} from './sharedTexts.ts';

/**
 * Which fields of a protobuf message are read, by their numbers, and under which names of the API's JSON. All others are
 * skipped over by their length, which is what makes protobuf worth it: most of an object is never looked at.
 */
export type Message = readonly (Field | undefined)[];

type Field =
	/** `ownText` is one that differs from object to object. */
	| {readonly name: string; readonly type: 'text' | 'ownText' | 'number' | 'boolean' | 'time'}
	/** Parsed only where its text holds another: most of it is of no use, and large. */
	| {readonly name: string; readonly type: 'json'; readonly holding: string}
	/** A map of texts; of `keys` alone, where they are given. */
	| {readonly name: string; readonly type: 'map'; readonly keys?: readonly string[]}
	/** Several texts, and a map of quantities, which JSON has as texts. */
	| {readonly name: string; readonly type: 'texts' | 'quantities'}
	| {readonly name: string; readonly type: 'message'; readonly message: Message}
	| {readonly name: string; readonly type: 'list'; readonly message: Message};

/** The fields of a message by their numbers. */
export type MessageFields = Readonly<Record<number, Field>>;

export const time = (name: string) => ({name, type: 'time'}) as const;
export const text = (name: string) => ({name, type: 'text'}) as const;
export const ownText = (name: string) => ({name, type: 'ownText'}) as const;
export const number = (name: string) => ({name, type: 'number'}) as const;
export const boolean = (name: string) => ({name, type: 'boolean'}) as const;
/** @param keys those that are read; all of them where there are none */
export const map = (name: string, keys?: readonly string[]) =>
	({name, type: 'map', ...(keys && {keys})}) as const;
export const part = (name: string, fields: MessageFields) =>
	({name, type: 'message', message: message(fields)}) as const;
export const list = (name: string, fields: MessageFields) =>
	({name, type: 'list', message: message(fields)}) as const;

/** A message by the numbers of its fields. */
export function message(fields: MessageFields): Message {
	const highest = Math.max(0, ...Object.keys(fields).map(Number));
	return Array.from({length: highest + 1}, (_, number) => fields[number]);
}

/** What all objects that are read say alike. */
const texts = new SharedTexts();

/** Reads bytes of protobuf, wherever they come from. */
export const readerOf = (bytes: Uint8Array): WireReader => new WireReader(bytes, texts);

/**
 * Reads one message into an object as JSON.parse would have made it, but for times, which stay what they are.
 *
 * @throws Error where the bytes are no such message
 */
export function readMessage(bytes: Uint8Array, fields: Message): Record<string, unknown> {
	return read(readerOf(bytes), bytes.length, fields);
}

/** The same of a message that is part of another, its length before it. */
export function readPart(reader: WireReader, fields: Message): Record<string, unknown> {
	return read(reader, reader.endOfPart(), fields);
}

function read(reader: WireReader, end: number, fields: Message): Record<string, unknown> {
	const object: Record<string, unknown> = {};
	while (reader.pos < end) {
		const tag = reader.uint32();
		const field = fields[fieldNumber(tag)];
		if (field === undefined) reader.skipField(tag);
		else readField(reader, field, object);
	}
	if (reader.pos !== end) throw new RangeError('a part is longer than the whole');
	return object;
}

/** Reads a field once; one of several parts goes on with what the parts before it have made. */
function readField(reader: WireReader, field: Field, object: Record<string, unknown>): void {
	switch (field.type) {
		case 'text':
			object[field.name] = reader.text();
			break;
		case 'ownText':
			object[field.name] = reader.ownText();
			break;
		case 'number':
			object[field.name] = reader.integer();
			break;
		case 'boolean':
			object[field.name] = reader.bool();
			break;
		case 'time':
			object[field.name] = readTime(reader);
			break;
		case 'json':
			object[field.name] = readJson(reader, field.holding);
			break;
		case 'message':
			object[field.name] = readPart(reader, field.message);
			break;
		case 'list':
			append(object, field.name, readPart(reader, field.message));
			break;
		case 'texts':
			append(object, field.name, reader.text());
			break;
		case 'quantities':
			readEntry(reader, mapIn(object, field.name), undefined, readQuantity);
			break;
		case 'map':
			readEntry(reader, mapIn(object, field.name), field.keys);
	}
}

function append(object: Record<string, unknown>, name: string, one: unknown): void {
	const list = object[name];
	if (Array.isArray(list)) list.push(one);
	else object[name] = [one];
}

function mapIn(object: Record<string, unknown>, name: string): Record<string, string> {
	object[name] ??= {};
	return object[name] as Record<string, string>;
}

const entryParts = {key: 1, value: 2};

function readEntry(
	reader: WireReader,
	map: Record<string, string>,
	keys: readonly string[] | undefined,
	readValue = (value: WireReader) => value.text(),
): void {
	const end = reader.endOfPart();
	let [key, value] = ['', ''];
	while (reader.pos < end) {
		const tag = reader.uint32();
		if (fieldNumber(tag) === entryParts.key) key = reader.text();
		else if (fieldNumber(tag) === entryParts.value && (!keys || keys.includes(key)))
			value = readValue(reader);
		else reader.skipField(tag);
	}
	if (!keys || keys.includes(key)) define(map, key, value);
}

/** A Quantity: a message whose one field is its text. */
function readQuantity(reader: WireReader): string {
	const end = reader.endOfPart();
	let text = '';
	while (reader.pos < end) {
		const tag = reader.uint32();
		if (fieldNumber(tag) === 1) text = reader.text();
		else reader.skipField(tag);
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
function readTime(reader: WireReader): WireTime | undefined {
	const end = reader.endOfPart();
	if (reader.pos === end) return undefined;
	let [seconds, nanoseconds] = [0, 0];
	while (reader.pos < end) {
		const tag = reader.uint32();
		if (fieldNumber(tag) === 1) seconds = reader.integer();
		else if (fieldNumber(tag) === 2) nanoseconds = reader.integer();
		else reader.skipField(tag);
	}
	return new WireTime(seconds, nanoseconds);
}

/** FieldsV1: a message whose one field is JSON. Undefined where that does not hold what is looked for in it. */
function readJson(reader: WireReader, holding: string): unknown {
	const end = reader.endOfPart();
	let json: unknown;
	while (reader.pos < end) {
		const tag = reader.uint32();
		if (fieldNumber(tag) !== 1) {
			reader.skipField(tag);
			continue;
		}
		const bytes = reader.part();
		json = bytes.includes(holding) ? JSON.parse(bytes.toString()) : undefined;
	}
	return json;
}
