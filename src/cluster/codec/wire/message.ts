import {maxOf} from '../../../core/collections/extremes.ts';
import {kept} from '../../../core/collections/kept.ts';
import {WireTime} from '../rawJson.ts';
import {fieldNumber, WireReader} from './reader.ts';
import {SharedTexts} from './sharedTexts.ts';

/**
 * The fields to read of a protobuf message, by field number, with their JSON names. All others are skipped by length, which
 * makes protobuf fast: most of an object is never parsed.
 */
export type Message = readonly (Field | undefined)[];

export type Field =
	/** `ownText`: a string that is unique to its object. */
	| {readonly name: string; readonly type: 'text' | 'ownText' | 'number' | 'boolean' | 'time' | 'microTime'}
	/** Parsed only if it contains `holding`: most of it is large and not needed. */
	| {readonly name: string; readonly type: 'json'; readonly holding: string}
	/** A map of strings, restricted to `keys` if given. */
	| {readonly name: string; readonly type: 'map'; readonly keys?: readonly string[]}
	/** The same of quantities, which are strings in JSON. */
	| {readonly name: string; readonly type: 'quantities'; readonly keys?: readonly string[]}
	| {readonly name: string; readonly type: 'texts'}
	/** A kubelet's uint64 and quantity, which come as JSON. */
	| {readonly name: string; readonly type: 'amount' | 'quantity'}
	| {readonly name: string; readonly type: 'message'; readonly message: Message}
	| {readonly name: string; readonly type: 'list'; readonly message: Message};

/** Fields by number, or merely in order. */
export type MessageFields = Readonly<Record<number, Field>> | readonly Field[];

export const time = (name: string) => ({name, type: 'time'}) as const;
/** A time with microseconds; a mere `time` is in whole seconds at an API server. */
export const microTime = (name: string) => ({name, type: 'microTime'}) as const;
export const text = (name: string) => ({name, type: 'text'}) as const;
export const ownText = (name: string) => ({name, type: 'ownText'}) as const;
export const number = (name: string) => ({name, type: 'number'}) as const;
export const boolean = (name: string) => ({name, type: 'boolean'}) as const;
/** @param keys the keys to read; all if absent */
export const map = (name: string, keys?: readonly string[]) =>
	({name, type: 'map', ...(keys && {keys})}) as const;
export const quantities = (name: string, keys?: readonly string[]) =>
	({name, type: 'quantities', ...(keys && {keys})}) as const;
export const amount = (name: string) => ({name, type: 'amount'}) as const;
export const quantity = (name: string) => ({name, type: 'quantity'}) as const;
export const part = (name: string, fields: MessageFields) =>
	({name, type: 'message', message: message(fields)}) as const;
export const list = (name: string, fields: MessageFields) =>
	({name, type: 'list', message: message(fields)}) as const;

export function message(fields: MessageFields): Message {
	const numbered = fields as Readonly<Record<number, Field>>;
	const highest = maxOf(Object.keys(numbered).map(Number), 0);
	return Array.from({length: highest + 1}, (_, number) => numbered[number]);
}

const texts = new SharedTexts();

export const readerOf = (bytes: Uint8Array): WireReader => new WireReader(bytes, texts);

/** Decodes a message as JSON.parse would, except for times (WireTime). @throws Error if the bytes are not such a message */
export function readMessage(bytes: Uint8Array, fields: Message): Record<string, unknown> {
	return read(readerOf(bytes), bytes.length, fields);
}

/** The same for an embedded message, which is preceded by its length. */
export function readPart(reader: WireReader, fields: Message): Record<string, unknown> {
	return read(reader, reader.endOfPart(), fields);
}

function read(reader: WireReader, end: number, fields: Message): Record<string, unknown> {
	const object: Record<string, unknown> = {};
	while (reader.pos < end) {
		const tag = reader.unsigned();
		const field = fields[fieldNumber(tag)];
		if (field === undefined) reader.skipField(tag);
		else readField(reader, field, object);
	}
	if (reader.pos !== end) throw new RangeError('a part is longer than the whole');
	return object;
}

/** Decodes one occurrence of a field; repeated fields append to earlier occurrences. */
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
		case 'microTime':
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
			readEntry(reader, mapIn(object, field.name), field.keys, readQuantity);
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
		const tag = reader.unsigned();
		if (fieldNumber(tag) === entryParts.key) key = reader.text();
		else if (fieldNumber(tag) === entryParts.value && (!keys || keys.includes(key)))
			value = readValue(reader);
		else reader.skipField(tag);
	}
	if (!keys || keys.includes(key)) define(map, key, value);
}

/** A Quantity: a message whose only field is a string. */
function readQuantity(reader: WireReader): string {
	const end = reader.endOfPart();
	let text = '';
	while (reader.pos < end) {
		const tag = reader.unsigned();
		if (fieldNumber(tag) === 1) text = reader.text();
		else reader.skipField(tag);
	}
	return text;
}

// Assignment would not store a key named __proto__.
function define(map: Record<string, string>, key: string, value: string): void {
	if (key === '__proto__')
		Object.defineProperty(map, key, {value, enumerable: true, writable: true, configurable: true});
	else map[key] = value;
}

/** A Timestamp. An empty one is Go's zero time, which is null in JSON. */
function readTime(reader: WireReader): WireTime | undefined {
	const end = reader.endOfPart();
	if (reader.pos === end) return undefined;
	let [seconds, nanoseconds] = [0, 0];
	while (reader.pos < end) {
		const tag = reader.unsigned();
		if (fieldNumber(tag) === 1) seconds = reader.integer();
		else if (fieldNumber(tag) === 2) nanoseconds = reader.integer();
		else reader.skipField(tag);
	}
	return new WireTime(seconds, nanoseconds);
}

/** The latest JSON that was parsed: what one manager writes of objects of a kind is the same in all of them. */
const parsed = new Map<string, unknown>();

/** FieldsV1: a message whose only field is JSON. Undefined if that does not contain `holding`. */
function readJson(reader: WireReader, holding: string): unknown {
	const end = reader.endOfPart();
	let json: unknown;
	while (reader.pos < end) {
		const tag = reader.unsigned();
		if (fieldNumber(tag) !== 1) {
			reader.skipField(tag);
			continue;
		}
		const text = reader.ownText();
		json = text.includes(holding) ? kept(parsed, text, () => JSON.parse(text), 100) : undefined;
	}
	return json;
}
