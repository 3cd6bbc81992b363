import type {V1ListMeta, V1NodeList} from '@kubernetes/client-node';
import {entriesOf, fieldsOf, numberOf, type Raw, textOf} from './rawJson.ts';
import {
	type Message,
	message,
	number,
	ownText,
	part,
	readerOf,
	readMessage,
	readPart,
	text,
} from './wire/message.ts';
import {fieldNumber} from './wire/reader.ts';

/** A page of 500 pods takes two thirds of the bytes and a third of the time of JSON. */
export const protobuf = 'application/vnd.kubernetes.protobuf';

/** One page of a list; its objects are decoded when iterated. */
export type Page = Readonly<{
	/** The continue token; empty on the last page. */
	next: string;
	resourceVersion: string;
	/** Estimated number of objects after this page; undefined if the server does not give it. */
	remaining: number | undefined;
	items: () => Iterable<unknown>;
}>;

type ListMeta = V1ListMeta & {continue: string};

/** Parses a page of JSON; undefined if it is no list. */
export function pageOfJson(value: unknown): Page | undefined {
	const list = fieldsOf<V1NodeList>(value);
	const {items} = list;
	// An empty list of Go may be null.
	const isList = textOf(list.kind).endsWith('List') && (Array.isArray(items) || !items);
	if (!isList) return undefined;
	const metadata = fieldsOf<ListMeta>(list.metadata);
	return {
		next: textOf(metadata.continue),
		resourceVersion: textOf(metadata.resourceVersion),
		remaining: numberOf(metadata.remainingItemCount),
		items: () => entriesOf(items),
	};
}

/** Kubernetes' prefix of protobuf, before an envelope that names the type. */
const magic = Buffer.from('k8s\0');

/** Whether an answer is in Kubernetes' protobuf. */
export const isProtobuf = (bytes: Uint8Array) => magic.equals(bytes.subarray(0, magic.length));

const envelope = message({1: part('typeMeta', {2: text('kind')})});
const listMeta = message({
	2: text('resourceVersion'),
	3: ownText('continue'),
	4: number('remainingItemCount'),
});
const envelopeParts = {raw: 2};
const listParts = {metadata: 1, items: 2};

/**
 * The continue token, from the first bytes of a page: both encodings put it before the objects. Empty on the last page;
 * undefined if there are too few bytes, or the order is different.
 */
export function nextInHead(head: Uint8Array): string | undefined {
	try {
		return isProtobuf(head) ? nextInProtobuf(head) : nextInJson(Buffer.from(head).toString());
	} catch {
		return undefined;
	}
}

function nextInProtobuf(head: Uint8Array): string | undefined {
	const reader = readerOf(head.subarray(magic.length));
	for (let tag = reader.unsigned(); fieldNumber(tag) !== envelopeParts.raw; tag = reader.unsigned())
		reader.skipField(tag);
	// The length of the list, which exceeds these bytes.
	reader.unsigned();
	if (fieldNumber(reader.unsigned()) !== listParts.metadata) return undefined;
	return textOf(readPart(reader, listMeta)['continue']);
}

function nextInJson(head: string): string | undefined {
	const items = head.indexOf('"items"');
	if (items < 0) return undefined;
	const list: Raw<{metadata: ListMeta}> = JSON.parse(`${head.slice(0, items).trimEnd().replace(/,$/, '')}}`);
	return list?.metadata ? textOf(list.metadata.continue) : undefined;
}

/**
 * Parses a page of protobuf; undefined if it is no list.
 *
 * @throws Error if the bytes are not protobuf
 */
export function pageOfProtobuf(bytes: Uint8Array, item: Message): Page | undefined {
	if (!isProtobuf(bytes)) return undefined;
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
				const tag = reader.unsigned();
				if (fieldNumber(tag) === listParts.items) yield readPart(reader, item);
				else reader.skipField(tag);
			}
		},
	};
}

/** @upstream kubernetes v1.36.3 staging/src/k8s.io/apimachinery/pkg/apis/meta/v1/generated.proto Status */
const status = message({3: text('message'), 4: text('reason'), 6: number('code')});

/** Parses an error Status, which is protobuf if protobuf was requested. Undefined if it is no Status, or unreadable. */
export function statusOfProtobuf(bytes: Uint8Array): Record<string, unknown> | undefined {
	try {
		return objectOfProtobuf(bytes, status);
	} catch {
		return undefined;
	}
}

/** Reads these fields of an object in Kubernetes' protobuf; undefined if it is none. @throws Error if it cannot be read */
export function objectOfProtobuf(bytes: Uint8Array, fields: Message): Record<string, unknown> | undefined {
	const raw = isProtobuf(bytes) ? partOf(bytes.subarray(magic.length), envelopeParts.raw) : undefined;
	return raw && readMessage(raw, fields);
}

/** The bytes of the first field with this number; undefined if there is none. */
function partOf(bytes: Uint8Array, wanted: number): Uint8Array | undefined {
	const reader = readerOf(bytes);
	while (reader.pos < reader.len) {
		const tag = reader.unsigned();
		if (fieldNumber(tag) === wanted) return reader.part();
		reader.skipField(tag);
	}
	return undefined;
}
