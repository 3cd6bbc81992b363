import {promisify} from 'node:util';
import {constants, gunzip, gunzipSync} from 'node:zlib';

const inflate = promisify(gunzip);

/** Bytes on the wire that contain a list's metadata, which precedes its objects. */
const headLength = 1024;
/** Maximum buffer that is allocated in advance for the claimed inflated length. */
const maxPreallocated = 64 * 2 ** 20;

/** A response body, which arrives in chunks. */
export class AnswerBody {
	readonly #isGzip: boolean;
	readonly #parts: Buffer[] = [];
	readonly #ended = Promise.withResolvers<void>();
	#received = 0;
	#onHead: (head: Buffer) => void = () => undefined;
	#onPart: () => void = () => undefined;

	constructor(isGzip: boolean) {
		this.#isGzip = isGzip;
		// Marks the promise as handled; `read` rejects instead.
		this.#ended.promise.catch(() => undefined);
	}

	take(part: Buffer): void {
		const before = this.#received;
		this.#parts.push(part);
		this.#received += part.length;
		this.#onPart();
		if (before < headLength) this.#onHead(headOf(this.#parts, this.#isGzip));
	}

	end(): void {
		this.#ended.resolve();
	}

	fail(error: unknown): void {
		this.#ended.reject(error);
	}

	/** Waits for its end, or for its failure. */
	async dump(): Promise<void> {
		await this.#ended.promise.catch(() => undefined);
	}

	onFailure(listener: (error: unknown) => void): void {
		this.#ended.promise.catch(listener);
	}

	onPart(listener: () => void): void {
		this.#onPart = listener;
	}

	/**
	 * Reads the whole body, inflated; `received` is its length on the wire. `onHead` gets the readable first bytes as soon as
	 * they arrive, also more than once.
	 *
	 * @throws Error if it ends too early, or is invalid gzip
	 */
	async read(
		onHead: (head: Buffer) => void = () => undefined,
	): Promise<{readonly bytes: Buffer; readonly received: number}> {
		if (this.#received > 0) onHead(headOf(this.#parts, this.#isGzip));
		this.#onHead = onHead;
		await this.#ended.promise;
		const received = this.#received;
		const wire = joined(this.#parts, received);
		if (!this.#isGzip) return {bytes: wire, received};
		const bytes = await inflateAtOnce(wire);
		release(wire);
		return {bytes, received};
	}
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
function inflateAtOnce(bytes: Buffer): Promise<Buffer> {
	// gzip ends with the uncompressed length. One byte more avoids a second buffer.
	const length = bytes.length < 18 ? 0 : bytes.readUInt32LE(bytes.length - 4);
	const chunkSize = Math.max(constants.Z_MIN_CHUNK, Math.min(length + 1, maxPreallocated));
	return inflate(bytes, {chunkSize});
}

/** Frees bytes that are no longer needed, as pages pile up until the next garbage collection. Any view on them becomes empty. */
export function release(bytes: Uint8Array): void {
	const {buffer} = bytes;
	// A smaller view, except for the one extra byte, may share its memory, as small buffers do.
	const isAlone = bytes.length >= buffer.byteLength - 1 && buffer.byteLength > Buffer.poolSize;
	if (isAlone && buffer instanceof ArrayBuffer && !buffer.detached) buffer.transfer(0);
}
