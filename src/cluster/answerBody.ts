import {promisify} from 'node:util';
import {constants, gunzip, gunzipSync} from 'node:zlib';

const inflate = promisify(gunzip);

/** So many bytes as they come hold what a list says of itself before its objects. */
const headLength = 1024;
/** Of an answer that claims to be longer than this when inflated, no more is set aside in advance. */
const mostSetAside = 64 * 2 ** 20;

/** A body as it came over the wire, and how it is compressed. */
export type Body = {
	readonly chunks: AsyncIterable<Buffer>;
	readonly isZipped: boolean;
};

/**
 * Reads an answer to its end, inflated, and says how many bytes came. As soon as its first bytes are there they are told,
 * as many as can be read then.
 *
 * @throws Error where it ends too early, or is no gzip although it says so
 */
export async function readBody(
	{chunks, isZipped}: Body,
	onHead: (head: Buffer) => void = () => undefined,
): Promise<{readonly bytes: Buffer; readonly received: number}> {
	const parts: Buffer[] = [];
	let received = 0;
	for await (const chunk of chunks) {
		parts.push(chunk);
		const before = received;
		received += chunk.length;
		if (before < headLength) onHead(headOf(parts, isZipped));
	}
	const wire = joined(parts, received);
	if (!isZipped) return {bytes: wire, received};
	const bytes = await inflateAtOnce(wire);
	release(wire);
	return {bytes, received};
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
