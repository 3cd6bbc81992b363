import {createReadStream} from 'node:fs';
import {Readable} from 'node:stream';
import {constants, createGunzip} from 'node:zlib';
import {codeOf, fileErrorOf, UserError} from '../../text/userError.ts';
import {nameOf} from './dumpBytes.ts';

/** A file that can be read several times: a path, or bytes that were already read. */
export type RecordingSource = {readonly name: string; readonly bytes?: Uint8Array | undefined};

/** Maximum length of a line; a file of another kind without line breaks would fill the memory. */
const longestLine = 16 * 1024 * 1024;

/** Whether a file ends within a line, or with compressed bytes that cannot be uncompressed. */
export type LinesEnd = {isCut: boolean};

/**
 * Reads the lines of a file, in batches as they arrive; gzip is detected by its first bytes. Of a file that was cut off,
 * yields the complete lines and sets `end`.
 *
 * @throws UserError if the file cannot be read
 */
export async function* linesOfFile(
	source: RecordingSource,
	end: LinesEnd,
): AsyncGenerator<readonly string[]> {
	const decoder = new TextDecoder();
	// The start of an incomplete line, in pieces: a long line is joined only once.
	let rest: string[] = [];
	let restLength = 0;
	for await (const chunk of uncompressed(source, end)) {
		const text = decoder.decode(chunk, {stream: true});
		const lastBreak = text.lastIndexOf('\n');
		const lines = lastBreak < 0 ? [] : [...rest, text.slice(0, lastBreak)].join('').split('\n');
		if (lastBreak >= 0) [rest, restLength] = [[], 0];
		rest.push(text.slice(lastBreak + 1));
		restLength += text.length - lastBreak - 1;
		if (restLength > longestLine) break;
		if (lines.length > 0) yield lines;
	}
	if (restLength > 0) end.isCut = true;
}

async function* uncompressed(source: RecordingSource, end: LinesEnd): AsyncGenerator<Uint8Array> {
	const {name, bytes} = source;
	const raw = bytes ? Readable.from([bytes]) : createReadStream(name, {highWaterMark: 256 * 1024});
	let first: Uint8Array | undefined;
	const chunks = raw[Symbol.asyncIterator]();
	try {
		first = (await chunks.next()).value as Uint8Array | undefined;
	} catch (error) {
		throw unreadable(source, error);
	}
	if (!first) return;
	const all = Readable.from(startingWith(first, chunks));
	if (first[0] !== 0x1f || first[1] !== 0x8b) {
		yield* all;
		return;
	}
	// Without a trailer, everything that can be uncompressed is yielded.
	const gunzip = createGunzip({finishFlush: constants.Z_SYNC_FLUSH});
	all.on('error', (error) => gunzip.destroy(error));
	try {
		for await (const chunk of all.pipe(gunzip)) yield chunk as Uint8Array;
	} catch (error) {
		if (!codeOf(error).startsWith('Z_')) throw unreadable(source, error);
		end.isCut = true;
	} finally {
		all.destroy();
	}
}

async function* startingWith(first: Uint8Array, rest: AsyncIterator<unknown>): AsyncGenerator<Uint8Array> {
	yield first;
	for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value as Uint8Array;
}

const unreadable = ({name}: RecordingSource, error: unknown): UserError =>
	new UserError(
		codeOf(error) === 'EISDIR'
			? `${nameOf(name)} is a folder, not a recording`
			: `cannot read ${nameOf(name)}: ${fileErrorOf(error)}`,
		'write a recording with: kubectl evictwatch record FILE',
	);
