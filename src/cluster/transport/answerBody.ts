import {promisify} from 'node:util';
import {constants, gunzip, gunzipSync} from 'node:zlib';

const inflate = promisify(gunzip);

/** So many bytes as they come hold what a list says of itself before its objects. */
const headLength = 1024;
/** Of an answer that claims to be longer than this when inflated, no more is set aside in advance. */
const mostSetAside = 64 * 2 ** 20;

/** A body as it comes over the wire, in pieces. */
export class AnswerBody {
	readonly #isZipped: boolean;
	readonly #parts: Buffer[] = [];
	readonly #ended = Promise.withResolvers<void>();
	#received = 0;
	#onHead: (head: Buffer) => void = () => undefined;
	#onPart: () => void = () => undefined;

	constructor(isZipped: boolean) {
		this.#isZipped = isZipped;
		// Until it is read, its failure is nobody's.
		this.#ended.promise.catch(() => undefined);
	}

	/** Takes in the next piece. */
	take(part: Buffer): void {
		const before = this.#received;
		this.#parts.push(part);
		this.#received += part.length;
		this.#onPart();
		if (before < headLength) this.#onHead(headOf(this.#parts, this.#isZipped));
	}

	/** All of it is there. */
	end(): void {
		this.#ended.resolve();
	}

	/** No more of it will come. */
	fail(error: unknown): void {
		this.#ended.reject(error);
	}

	/** Waits for its end, whatever that is. */
	async dump(): Promise<void> {
		await this.#ended.promise.catch(() => undefined);
	}

	/** Tells whoever listens if it is cut off. */
	onFailure(listener: (error: unknown) => void): void {
		this.#ended.promise.catch(listener);
	}

	/** Tells whoever listens of each piece. */
	onPart(listener: () => void): void {
		this.#onPart = listener;
	}

	/**
	 * Reads it to its end, inflated, and says how many bytes came. As soon as its first bytes are there they are told, as
	 * many as can be read then.
	 *
	 * @throws Error where it ends too early, or is no gzip although it says so
	 */
	async read(
		onHead: (head: Buffer) => void = () => undefined,
	): Promise<{readonly bytes: Buffer; readonly received: number}> {
		if (this.#received > 0) onHead(headOf(this.#parts, this.#isZipped));
		this.#onHead = onHead;
		await this.#ended.promise;
		const received = this.#received;
		const wire = joined(this.#parts, received);
		if (!this.#isZipped) return {bytes: wire, received};
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

/** What the first bytes say; nothing where they cannot be inflated yet. */
function headOf(parts: readonly Buffer[], isZipped: boolean): Buffer {
	const head = Buffer.concat(parts).subarray(0, headLength);
	if (!isZipped) return head;
	try {
		return gunzipSync(head, {finishFlush: constants.Z_SYNC_FLUSH});
	} catch {
		return Buffer.alloc(0);
	}
}

/** Inflates into one piece of memory: in many small ones, as it is done by default, a page is copied once more. */
function inflateAtOnce(bytes: Buffer): Promise<Buffer> {
	// gzip ends with the length of what was compressed. With a byte to spare nothing asks for a second piece.
	const length = bytes.length < 18 ? 0 : bytes.readUInt32LE(bytes.length - 4);
	const chunkSize = Math.max(constants.Z_MIN_CHUNK, Math.min(length + 1, mostSetAside));
	return inflate(bytes, {chunkSize});
}

/**
 * Gives back the memory of bytes that nobody looks at any more: until the garbage collector comes by, many pages would
 * pile up. Whoever still holds them, or a part of them, sees none from here on.
 */
export function release(bytes: Uint8Array): void {
	const {buffer} = bytes;
	// What is only a part of it, but for the byte to spare, shares its memory with others, as all small ones do.
	const isAlone = bytes.length >= buffer.byteLength - 1 && buffer.byteLength > Buffer.poolSize;
	if (isAlone && buffer instanceof ArrayBuffer && !buffer.detached) buffer.transfer(0);
}
