import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {gunzipSync} from 'node:zlib';
import {BinaryWriter, WireType} from '@bufbuild/protobuf/wire';
import fc from 'fast-check';
import {expect, test} from 'vitest';
import {Decoder} from '../../../src/cluster/codec/decoder.ts';
import {pageOfJson, pageOfProtobuf, statusOfProtobuf} from '../../../src/cluster/codec/page.ts';
import {type Message, readMessage} from '../../../src/cluster/codec/wire/message.ts';
import {
	eventMessage,
	leaseMessage,
	nodeMessage,
	podMessage,
} from '../../../src/cluster/codec/wire/objects.ts';
import {noting, pathsOf} from '../../support/wire.ts';

// The same pages of a real API server (v1.36.3) in both encodings: healthy, failed, tainted and cordoned nodes; pods with
// unusual tolerations, Pending, or being deleted; leases with all fields and with none; events of the controllers.
const recorded = (name: string) => gunzipSync(readFileSync(join(import.meta.dirname, 'wire', `${name}.gz`)));
const jsonOf = (name: string) => JSON.parse(recorded(`${name}.json`).toString()) as {items: unknown[]};

const decodings = {nodes: 'node', pods: 'pod', leases: 'lease', events: 'event'} as const;
const messages = {nodes: nodeMessage, pods: podMessage, leases: leaseMessage, events: eventMessage};
type Name = keyof typeof decodings;
const names: readonly Name[] = ['nodes', 'pods', 'leases', 'events'];

test.for(names)('%s are the same objects in either encoding of a real API server', (name) => {
	const {decode}: {decode(value: unknown): unknown} = new Decoder()[decodings[name]];
	const json = pageOfJson(jsonOf(name));
	const protobuf = pageOfProtobuf(recorded(`${name}.protobuf`), messages[name]);
	const objects = [...(protobuf?.items() ?? [])].map(decode);
	expect(objects.length).toBeGreaterThan(2);
	expect(objects).toEqual([...(json?.items() ?? [])].map(decode));
	expect({next: protobuf?.next, version: protobuf?.resourceVersion}).toEqual({
		next: json?.next,
		version: json?.resourceVersion,
	});
});

test.for(names)('every field of %s that is decoded is read from protobuf too', (name) => {
	const read = new Set<string>();
	for (const item of jsonOf(name).items) new Decoder()[decodings[name]].decode(noting(item, '', read));
	const known = new Set(pathsOf(messages[name]));
	const ofMaps = /^\.(metadata\.labels|status\.allocatable)\./;
	expect([...read].filter((path) => !known.has(path) && !ofMaps.test(path))).toEqual([]);
	expect(read.size).toBeGreaterThan(8);
});

test.for(names)('%s that are cut off anywhere are an error, or fewer', (name) => {
	const bytes = recorded(`${name}.protobuf`);
	// The envelope ends with two empty fields, which are not needed.
	const needed = bytes.length - 4;
	const whole = [...(pageOfProtobuf(bytes, messages[name])?.items() ?? [])].length;
	fc.assert(
		fc.property(fc.nat(needed - 1), (length) => {
			try {
				const page = pageOfProtobuf(bytes.subarray(0, length), messages[name]);
				return page === undefined || [...page.items()].length < whole;
			} catch {
				return true;
			}
		}),
	);
});

test('what is no protobuf is no list', () => {
	expect(pageOfProtobuf(Buffer.from('{"kind": "PodList"}'), podMessage)).toBeUndefined();
});

const text = fc.string({unit: 'grapheme', maxLength: 8});
const anyOf = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, {nil: undefined});

test('whatever is written in protobuf is read as what it was, its unknown fields left out', () => {
	const objects = fc.record({
		metadata: fc.record({
			name: text,
			labels: fc.dictionary(text, text),
			deletionGracePeriodSeconds: anyOf(fc.maxSafeInteger()),
		}),
		spec: fc.record({
			nodeName: text,
			tolerations: fc.array(fc.record({key: text, tolerationSeconds: anyOf(fc.maxSafeInteger())}), {
				minLength: 1,
			}),
		}),
	});
	fc.assert(
		fc.property(objects, (object) => {
			const bytes = write(object, podMessage);
			expect(JSON.parse(JSON.stringify(readMessage(bytes, podMessage)))).toEqual(
				JSON.parse(JSON.stringify(withoutEmptyMaps(object))),
			);
		}),
	);
});

// A map without entries has no encoding.
function withoutEmptyMaps<T extends {metadata: {labels: object}}>({metadata, ...object}: T) {
	const {labels, ...others} = metadata;
	return {...object, metadata: Object.keys(labels).length > 0 ? metadata : others};
}

/** Writes an object by the fields of a message, and an unknown field after each. */
function write(object: Readonly<Record<string, unknown>>, message: Message): Uint8Array {
	const writer = new BinaryWriter();
	message.forEach((field, number) => {
		const value = field && object[field.name];
		if (field === undefined || value === undefined) return;
		const tag = () => writer.tag(number, WireType.LengthDelimited);
		if (field.type === 'text' || field.type === 'ownText') tag().string(String(value));
		if (field.type === 'number') writer.tag(number, WireType.Varint).int64(Number(value));
		if (field.type === 'message') tag().bytes(write(value as Record<string, unknown>, field.message ?? []));
		if (field.type === 'list') {
			for (const part of value as Record<string, unknown>[]) tag().bytes(write(part, field.message ?? []));
		}
		if (field.type === 'map') {
			for (const [key, text] of Object.entries(value as Record<string, string>)) {
				const entry = new BinaryWriter().tag(1, WireType.LengthDelimited).string(key);
				tag().bytes(entry.tag(2, WireType.LengthDelimited).string(text).finish());
			}
		}
		writer.tag(1000 + number, WireType.LengthDelimited).string('unknown');
		writer.tag(2000 + number, WireType.Bit64).double(1.5);
	});
	return writer.finish();
}

test('a refusal that comes in protobuf is read like any other', () => {
	const refusal = new BinaryWriter()
		.tag(2, WireType.LengthDelimited)
		.string('Failure')
		.tag(3, WireType.LengthDelimited)
		.string('nodes is forbidden')
		.tag(6, WireType.Varint)
		.int32(403)
		.finish();
	const sent = new BinaryWriter().tag(2, WireType.LengthDelimited).bytes(refusal).finish();
	const bytes = Buffer.concat([Buffer.from('k8s\0'), sent]);
	expect(statusOfProtobuf(bytes)).toEqual({message: 'nodes is forbidden', code: 403});
	expect(statusOfProtobuf(bytes.subarray(0, 12))).toBeUndefined();
	expect(statusOfProtobuf(Buffer.from('{"kind": "Status"}'))).toBeUndefined();
});
