import {Writable} from 'node:stream';
import {finished} from 'node:stream/promises';
import {promisify} from 'node:util';
import {constants, gunzip, gunzipSync} from 'node:zlib';
import {type Duration, second} from '../../core/time/instant.ts';
import {codeOf} from '../../text/userError.ts';
import {isProtobuf} from '../codec/page.ts';

const inflate = promisify(gunzip);

/** Bytes on the wire that contain a list's metadata, which precedes its objects. */
const headLength = 1024;

/** Maximum length of a body, inflated, by what is asked for. A larger one is an error. */
export const mostBytes = {
	/** etcd keeps objects of up to 1.5 MB. */
	object: 4 * 2 ** 20,
	/** A kubelet's statistics, or the metrics API's: some 6 KB a pod. */
	statistics: 8 * 2 ** 20,
	/** 64 KB for each of 500 objects; a page that is larger is asked for in smaller ones. */
	list: 32 * 2 ** 20,
	refusal: 2 ** 20,
	/** A line of a watch, with one object. */
	line: 4 * 2 ** 20,
};

/** A value of Kubernetes' JSON takes 25 bytes, its name among them; parsed, even an empty one takes 60. */
const mostValuesOf = (kind: AnswerKind): number => mostBytes[kind] / 16;

export type AnswerKind = keyof typeof mostBytes;

/** A body, or a line of a watch, is longer than any of its kind, or has more values. */
export class AnswerTooLarge extends Error {
	constructor(kind: AnswerKind, what = 'it has', most = mostBytes[kind]) {
		super(`${what} more than ${most / 2 ** 20} MiB, or as many values`);
	}
}

/** The bytes of all bodies that are arriving, and how many there may be: each list may be large, but not all at once. */
let arriving = 0;
const mostArriving = 3 * mostBytes.list;
/** What others send does not make a body too large that has no more than this. */
const usual = mostBytes.object;

/** What comes more slowly than at this rate is no answer: bytes in a millisecond. */
const slowest = (4 * 2 ** 10) / second;
/** So many bytes are progress. */
const progress = 1024;
/** A longer pause counts as this long: this process may not have read meanwhile. */
const longestPause: Duration = 5 * second;

/** The error of an answer that does not come in time, or drips. */
export const lateAnswer = () => new DOMException('there was no answer in time', 'TimeoutError');

/** Whether a request failed with that, or by the limit of the user. */
export const isLateAnswer = (error: unknown) =>
	error instanceof DOMException && error.name === 'TimeoutError';

/** A response body, which is written in chunks. It fails once it is too large, or has dripped for too long: the rest need not be sent. */
export class AnswerBody extends Writable {
	readonly #isGzip: boolean;
	readonly #kind: AnswerKind;
	readonly #patience: Duration;
	readonly #parts: Buffer[] = [];
	#received = 0;
	/** How many of these have been told. */
	#told = 0;
	#partAt: Duration = performance.now();
	/** By how much it is later than at the slowest rate. */
	#lateness: Duration = 0;
	#onHead: (head: Buffer) => void = () => undefined;
	#onPart: () => void = () => undefined;

	/** @param silence how long nothing may come; what drips may be late by a third of that. Zero for ever */
	constructor(isGzip: boolean, kind: AnswerKind, silence: Duration = 0) {
		super();
		this.#patience = silence / 3;
		this.#isGzip = isGzip;
		this.#kind = kind;
		// `read` rejects instead.
		this.on('error', () => undefined);
	}

	override _write(part: Buffer, _encoding: string, done: (error?: Error) => void) {
		const before = this.#received;
		this.#parts.push(part);
		this.#received += part.length;
		arriving += part.length;
		const tooLarge = this.#tooLarge;
		if (tooLarge) {
			for (const one of this.#parts) release(one);
			this.#parts.length = 0;
			done(tooLarge);
			return;
		}
		if (this.#isTooLate(part.length)) {
			done(lateAnswer());
			return;
		}
		if (this.#received - this.#told >= progress) {
			this.#told = this.#received;
			this.#onPart();
		}
		if (before < headLength) this.#onHead(headOf(this.#parts, this.#isGzip));
		done();
	}

	get #tooLarge(): AnswerTooLarge | undefined {
		if (this.#received > mostBytes[this.#kind]) return new AnswerTooLarge(this.#kind);
		const isOneTooMany = this.#received > usual && arriving > mostArriving;
		return isOneTooMany ? new AnswerTooLarge(this.#kind, 'all that arrive have', mostArriving) : undefined;
	}

	override _destroy(error: Error | null, done: (error?: Error | null) => void) {
		arriving -= this.#received;
		done(error);
	}

	#isTooLate(length: number) {
		const now = performance.now();
		const pause = Math.min(now - this.#partAt, longestPause);
		this.#partAt = now;
		this.#lateness = Math.max(0, this.#lateness + pause - length / slowest);
		return this.#patience > 0 && this.#lateness > this.#patience;
	}

	/** Waits for its end, or for its failure. */
	async dump(): Promise<void> {
		await finished(this).catch(() => undefined);
	}

	/** Calls back when more has come; not for each byte of what drips. */
	onPart(listener: () => void) {
		this.#onPart = listener;
	}

	/**
	 * Reads the whole body, inflated; `received` is its length on the wire. `onHead` gets the readable first bytes as soon as
	 * they arrive, also more than once.
	 *
	 * @throws Error if it ends too early, is too large, or is invalid gzip
	 */
	async read(
		onHead: (head: Buffer) => void = () => undefined,
	): Promise<{readonly bytes: Buffer; readonly received: number}> {
		if (this.#received > 0) onHead(headOf(this.#parts, this.#isGzip));
		this.#onHead = onHead;
		await finished(this);
		const received = this.#received;
		const wire = joined(this.#parts, received);
		const bytes = this.#isGzip ? await inflateAtOnce(wire, this.#kind) : wire;
		if (this.#isGzip) release(wire);
		const most = mostValuesOf(this.#kind);
		if (bytes.length > most && valuesIn(bytes) > most) throw new AnswerTooLarge(this.#kind);
		return {bytes, received};
	}
}

const [comma, brace, bracket] = Buffer.from(',{[');

/** How many values JSON has at most; protobuf is read item by item. */
function valuesIn(bytes: Buffer): number {
	if (isProtobuf(bytes)) return 0;
	let count = 0;
	for (const byte of bytes) if (byte === comma || byte === brace || byte === bracket) count += 1;
	return count;
}

function joined(parts: readonly Buffer[], length: number): Buffer {
	const [only] = parts;
	if (parts.length === 1 && only) return only;
	const whole = Buffer.concat(parts, length);
	for (const part of parts) release(part);
	return whole;
}

/** The first bytes, inflated; empty if they cannot be inflated yet. */
function headOf(parts: readonly Buffer[], isGzip: boolean): Buffer {
	const head = Buffer.concat(parts).subarray(0, headLength);
	if (!isGzip) return head;
	try {
		return gunzipSync(head, {finishFlush: constants.Z_SYNC_FLUSH});
	} catch {
		return Buffer.alloc(0);
	}
}

/** Inflates into one buffer: Node.js would use many small ones, and copy a page once more. */
async function inflateAtOnce(bytes: Buffer, kind: AnswerKind): Promise<Buffer> {
	// gzip ends with the uncompressed length. One byte more avoids a second buffer.
	const length = bytes.length < 18 ? 0 : bytes.readUInt32LE(bytes.length - 4);
	const most = mostBytes[kind];
	// Many such answers at once would fill the memory while they are inflated up to their limit.
	if (length > most) throw new AnswerTooLarge(kind);
	const chunkSize = Math.max(constants.Z_MIN_CHUNK, length + 1);
	return inflate(bytes, {chunkSize, maxOutputLength: most}).catch((error: unknown) => {
		throw codeOf(error) === 'ERR_BUFFER_TOO_LARGE' ? new AnswerTooLarge(kind) : error;
	});
}

/** Frees bytes that are no longer needed, as pages pile up until the next garbage collection. Any view on them becomes empty. */
export function release(bytes: Uint8Array) {
	const {buffer} = bytes;
	// A smaller view, except for the one extra byte, may share its memory, as small buffers do.
	const isAlone = bytes.length >= buffer.byteLength - 1 && buffer.byteLength > Buffer.poolSize;
	if (isAlone && buffer instanceof ArrayBuffer && !buffer.detached) buffer.transfer(0);
}
