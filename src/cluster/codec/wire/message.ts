import {maxOf} from '../../../core/collections/extremes.ts';
import {kept} from '../../../core/collections/kept.ts';
import {formatQuantity} from '../../../core/nodepressure/quantities/formatQuantity.ts';
import type {Quantity} from '../../../core/nodepressure/quantities/quantity.ts';
import type {Instant} from '../../../core/time/instant.ts';
import {WireTime} from '../rawJson.ts';
import {recordedTime} from '../recordedTime.ts';
import {fieldNumber, WireReader} from './reader.ts';
import {SharedTexts} from './sharedTexts.ts';

/**
 * The fields to read of a protobuf message, by field number, with their JSON names. All others are skipped by length, which
 * makes protobuf fast: most of an object is never parsed.
 */
export type Message = readonly (Field | undefined)[];

export type Field = Readonly<{
	name: string;
	type: FieldType;
	/** Of a message, and of each entry of a list. */
	message?: Message;
	/** Of a map: the keys to read; all if absent. */
	keys?: readonly string[] | undefined;
	/** Of JSON, which is parsed only if it contains this: most of it is large and not needed. */
	holding?: string;
}>;

type FieldType =
	/** `inline`: an embedded message whose fields JSON has beside those of its parent. */
	| 'inline'
	/** `ownText`: a string that is unique to its object. `microTime`: a mere `time` is in whole seconds at an API server. */
	| ('text' | 'ownText' | 'texts' | 'number' | 'boolean' | 'time' | 'microTime' | 'json' | 'message' | 'list')
	/** Maps of strings, and of quantities, which are strings in JSON. */
	| ('map' | 'quantities')
	/** A kubelet's uint64 and quantity, which come as JSON. */
	| ('amount' | 'quantity');

/** Fields by number, or merely in order. */
export type MessageFields = Readonly<Record<number, Field>> | readonly Field[];

/** Formats an instant, of which an API server keeps the second or the microsecond. */
export type TimeFormat = (at: Instant, isMicroTime: boolean) => string | undefined;

const plain =
	(type: FieldType) =>
	(name: string): Field => ({name, type});
const mapped =
	(type: FieldType) =>
	(name: string, keys?: readonly string[]): Field => ({name, type, keys});
const nested =
	(type: FieldType) =>
	(name: string, fields: MessageFields): Field & {readonly message: Message} => ({
		name,
		type,
		message: message(fields),
	});

export const text = plain('text');
export const ownText = plain('ownText');
export const texts = plain('texts');
export const number = plain('number');
export const boolean = plain('boolean');
export const time = plain('time');
export const microTime = plain('microTime');
export const amount = plain('amount');
export const quantity = plain('quantity');
export const map = mapped('map');
export const quantities = mapped('quantities');
export const part = nested('message');
export const list = nested('list');
export const inline = (fields: MessageFields) => nested('inline')('', fields);

export function message(fields: MessageFields): Message {
	const numbered = fields as Readonly<Record<number, Field>>;
	const highest = maxOf(Object.keys(numbered).map(Number), 0);
	return Array.from({length: highest + 1}, (_, number) => numbered[number]);
}

const shared = new SharedTexts();

export const readerOf = (bytes: Uint8Array): WireReader => new WireReader(bytes, shared);

type WireObject = Record<string, unknown>;

/** Decodes a message as JSON.parse would, except for times (WireTime). @throws Error if the bytes are not such a message */
export function readMessage(bytes: Uint8Array, fields: Message): WireObject {
	return read(readerOf(bytes), bytes.length, fields);
}

/** The same for an embedded message, which is preceded by its length. */
export function readPart(reader: WireReader, fields: Message): WireObject {
	return read(reader, reader.endOfPart(), fields);
}

function read(reader: WireReader, end: number, fields: Message): WireObject {
	const object: WireObject = {};
	while (reader.pos < end) {
		const tag = reader.unsigned();
		const field = fields[fieldNumber(tag)];
		if (field === undefined) reader.skipField(tag);
		else if (field.type === 'inline') Object.assign(object, readPart(reader, field.message ?? []));
		else object[field.name] = readField(reader, field, object);
	}
	if (reader.pos !== end) throw new RangeError('a part is longer than the whole');
	return object;
}

/** Decodes one occurrence of a field; a repeated one goes on with what earlier ones gave the object. */
function readField(reader: WireReader, field: Field, object: WireObject): unknown {
	switch (field.type) {
		case 'text':
			return reader.text();
		case 'ownText':
			return reader.ownText();
		case 'number':
			return reader.integer();
		case 'boolean':
			return reader.bool();
		case 'time':
		case 'microTime':
			return readTime(reader);
		case 'json':
			return readJson(reader, field.holding ?? '');
		case 'message':
			return readPart(reader, field.message ?? []);
		case 'list':
			return appended(object[field.name], readPart(reader, field.message ?? []));
		case 'texts':
			return appended(object[field.name], reader.text());
		case 'quantities':
			return withEntry(
				reader,
				object[field.name],
				field.keys,
				() => readPart(reader, firstText)['text'] ?? '',
			);
		case 'map':
			return withEntry(reader, object[field.name], field.keys, () => reader.text());
		default:
			return reader.text();
	}
}

function appended(before: unknown, entry: unknown): unknown {
	if (!Array.isArray(before)) return [entry];
	before.push(entry);
	return before;
}

/** A Quantity, and FieldsV1: a message whose only field is a string. */
const firstText = message({1: text('text')});
const firstOwnText = message({1: ownText('text')});

const entryParts = {key: 1, value: 2};

function withEntry(
	reader: WireReader,
	before: unknown,
	keys: readonly string[] | undefined,
	readValue: () => unknown,
): unknown {
	const end = reader.endOfPart();
	let [key, value]: [string, unknown] = ['', ''];
	while (reader.pos < end) {
		const tag = reader.unsigned();
		if (fieldNumber(tag) === entryParts.key) key = reader.text();
		else if (fieldNumber(tag) === entryParts.value && (!keys || keys.includes(key))) value = readValue();
		else reader.skipField(tag);
	}
	const entries = (before ?? {}) as WireObject;
	if (!keys || keys.includes(key)) define(entries, key, value);
	return entries;
}

// Assignment would not store a key named __proto__.
function define(map: WireObject, key: string, value: unknown) {
	if (key === '__proto__')
		Object.defineProperty(map, key, {value, enumerable: true, writable: true, configurable: true});
	else map[key] = value;
}

const timestamp = message({1: number('seconds'), 2: number('nanoseconds')});

/** A Timestamp. An empty one is Go's zero time, which is null in JSON. */
function readTime(reader: WireReader): WireTime | undefined {
	const {seconds, nanoseconds = 0} = readPart(reader, timestamp) as Partial<WireTime>;
	return seconds === undefined ? undefined : new WireTime(seconds, nanoseconds);
}

/** The latest JSON that was parsed: what one manager writes of objects of a kind is the same in all of them. */
const parsed = new Map<string, unknown>();

/** FieldsV1. Undefined if it does not contain `holding`. */
function readJson(reader: WireReader, holding: string): unknown {
	const json = String(readPart(reader, firstOwnText)['text'] ?? '');
	return json.includes(holding) ? kept(parsed, json, () => JSON.parse(json), 100) : undefined;
}

/**
 * The fields of a message as JSON, from a source that has them by the same names. Anything else of the source is left out, and
 * what is absent, empty or false, as by an API server.
 */
export function encodeMessage(
	fields: Message,
	source: object,
	format: TimeFormat = recordedTime,
): WireObject {
	const object: WireObject = {};
	for (const field of fields) {
		if (field === undefined) continue;
		if (field.type === 'inline') {
			Object.assign(object, encodeMessage(field.message ?? [], source, format));
			continue;
		}
		const value = (source as WireObject)[field.name];
		const encoded = value === undefined || value === null ? undefined : encodeField(field, value, format);
		if (encoded !== undefined && encoded !== '' && encoded !== false) object[field.name] = encoded;
	}
	return object;
}

function encodeField({type, keys, message: fields = []}: Field, value: unknown, format: TimeFormat): unknown {
	switch (type) {
		case 'time':
		case 'microTime':
			return format(value as Instant, type === 'microTime');
		case 'amount':
			return (value as bigint) <= Number.MAX_SAFE_INTEGER ? Number(value) : String(value);
		case 'quantity':
			return quantityText(value as MapValue);
		case 'map':
		case 'quantities':
			return mapText(value as object, keys);
		case 'message':
			return encodeMessage(fields, value as object, format);
		case 'list':
			return filled((value as readonly object[]).map((entry) => encodeMessage(fields, entry, format)));
		case 'texts':
			return filled(value as readonly string[]);
		default:
			return value;
	}
}

const filled = <T>(list: readonly T[]) => (list.length > 0 ? list : undefined);

type MapValue = Quantity | string | number;

const quantityText = (value: MapValue): string =>
	typeof value === 'object' ? formatQuantity(value) : String(value);

function mapText(source: object, keys: readonly string[] | undefined): object | undefined {
	const texts = Object.entries(source as Record<string, MapValue | undefined>).flatMap(([key, value]) =>
		value === undefined || keys?.includes(key) === false ? [] : [[key, quantityText(value)] as const],
	);
	return texts.length > 0 ? Object.fromEntries(texts) : undefined;
}
