import type {V1ListMeta, V1NodeList} from '@kubernetes/client-node';
import {entriesOf, fieldsOf, numberOf, textOf} from './rawJson.ts';
import {type Message, message, readerOf, readMessage, readPart} from './wire/message.ts';
import {fieldNumber} from './wire/reader.ts';

/** The media type in which a page of 500 pods takes two thirds of the bytes and a third of the time. */
export const protobuf = 'application/vnd.kubernetes.protobuf';

/** One page of a list, its objects not yet looked at. */
export type Page = {
	/** Names the next page; empty on the last. */
	readonly next: string;
	readonly resourceVersion: string;
	/** About how many objects come after this page; undefined where the server does not say. */
	readonly remaining: number | undefined;
	/** The objects, one after another as they are asked for. */
	readonly items: () => Iterable<unknown>;
};

/** Reads a page of JSON; undefined where it is no list. */
export function pageOfJson(value: unknown): Page | undefined {
	const list = fieldsOf<V1NodeList>(value);
	if (!textOf(list.kind).endsWith('List')) return undefined;
	const metadata = fieldsOf<V1ListMeta & {continue: string}>(list.metadata);
	return {
		next: textOf(metadata.continue),
		resourceVersion: textOf(metadata.resourceVersion),
		remaining: numberOf(metadata.remainingItemCount),
		items: () => entriesOf(list.items),
	};
}

/** What protobuf begins with in Kubernetes, before an envelope that names the type. */
const magic = Buffer.from('k8s\0');
const envelope = message({
	1: {name: 'typeMeta', type: 'message', message: message({2: {name: 'kind', type: 'text'}})},
});
const listMeta = message({
	2: {name: 'resourceVersion', type: 'text'},
	3: {name: 'continue', type: 'ownText'},
	4: {name: 'remainingItemCount', type: 'number'},
});
const envelopeParts = {raw: 2};
const listParts = {metadata: 1, items: 2};

/**
 * What names the next page, from the first bytes of one: in either encoding a list says that before its objects. Empty
 * on the last page; undefined where too little is there yet, or it stands elsewhere.
 */
export function nextInHead(head: Uint8Array, isProtobuf: boolean): string | undefined {
	try {
		return isProtobuf ? nextInProtobuf(head) : nextInJson(Buffer.from(head).toString());
	} catch {
		return undefined;
	}
}

function nextInProtobuf(head: Uint8Array): string | undefined {
	if (!magic.equals(head.subarray(0, magic.length))) return undefined;
	const reader = readerOf(head.subarray(magic.length));
	for (let tag = reader.uint32(); fieldNumber(tag) !== envelopeParts.raw; tag = reader.uint32())
		reader.skipField(tag);
	// How long the list is: longer than what is there.
	reader.uint32();
	if (fieldNumber(reader.uint32()) !== listParts.metadata) return undefined;
	return textOf(readPart(reader, listMeta)['continue']);
}

function nextInJson(head: string): string | undefined {
	const items = head.indexOf('"items"');
	if (items < 0) return undefined;
	const list: unknown = JSON.parse(`${head.slice(0, items).trimEnd().replace(/,$/, '')}}`);
	const {metadata} = fieldsOf<V1NodeList>(list);
	return metadata === undefined ? undefined : textOf(fieldsOf<{continue: string}>(metadata).continue);
}

/**
 * Reads a page of protobuf; undefined where it is no list.
 *
 * @throws Error where the bytes are no protobuf
 */
export function pageOfProtobuf(bytes: Uint8Array, item: Message): Page | undefined {
	if (!magic.equals(bytes.subarray(0, magic.length))) return undefined;
	const whole = bytes.subarray(magic.length);
	const {typeMeta} = readMessage(whole, envelope);
	if (!textOf(fieldsOf<{kind: string}>(typeMeta).kind).endsWith('List')) return undefined;
	const list = partOf(whole, envelopeParts.raw) ?? new Uint8Array();
	const metadata = readMessage(partOf(list, listParts.metadata) ?? new Uint8Array(), listMeta);
	return {
		next: textOf(metadata['continue']),
		resourceVersion: textOf(metadata['resourceVersion']),
		remaining: numberOf(metadata['remainingItemCount']),
		*items() {
			const reader = readerOf(list);
			while (reader.pos < reader.len) {
				const tag = reader.uint32();
				if (fieldNumber(tag) === listParts.items) yield readPart(reader, item);
				else reader.skipField(tag);
			}
		},
	};
}

/** @upstream kubernetes v1.36.3 staging/src/k8s.io/apimachinery/pkg/apis/meta/v1/generated.proto Status */
const status = message({
	3: {name: 'message', type: 'text'},
	4: {name: 'reason', type: 'text'},
	6: {name: 'code', type: 'number'},
});

/** Reads a refusal: whoever asks for protobuf is refused in protobuf. Undefined where it is none, or cannot be read. */
export function statusOfProtobuf(bytes: Uint8Array): Record<string, unknown> | undefined {
	if (!magic.equals(bytes.subarray(0, magic.length))) return undefined;
	try {
		const raw = partOf(bytes.subarray(magic.length), envelopeParts.raw);
		return raw && readMessage(raw, status);
	} catch {
		return undefined;
	}
}

/** The bytes of the first part of a message that has this number; undefined where it has none. */
function partOf(bytes: Uint8Array, wanted: number): Uint8Array | undefined {
	const reader = readerOf(bytes);
	while (reader.pos < reader.len) {
		const tag = reader.uint32();
		if (fieldNumber(tag) === wanted) return reader.part();
		reader.skipField(tag);
	}
	return undefined;
}
