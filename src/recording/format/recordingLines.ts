import {createReadStream} from 'node:fs';
import {Readable} from 'node:stream';
import {constants, createGunzip} from 'node:zlib';
import {codeOf, fileErrorOf, UserError} from '../../text/userError.ts';
import {nameOf} from './dumpBytes.ts';

/** A file that can be read several times: a path, or the bytes of what was read already. */
export type RecordingSource = {readonly name: string; readonly bytes?: Uint8Array | undefined};

/** No line of a recording is as long; without an end, a file of another kind would fill the memory. */
const longestLine = 16 * 1024 * 1024;

/** How reading came to its end. */
export type LinesEnd = {
	/** A last line without its end. */
	hasPartialLine: boolean;
	/** Packed bytes that cannot be uncompressed: the file was cut off there, or is damaged. */
	isDamaged: boolean;
};

/**
 * The lines of a file, as many together as come at a time; unpacked where it begins as gzip does. A file that was cut
 * off gives what is whole of it, and `end` tells.
 *
 * @throws UserError where the file cannot be read
 */
export async function* linesOfFile(
	source: RecordingSource,
	end: LinesEnd,
): AsyncGenerator<readonly string[]> {
	const decoder = new TextDecoder();
	// The beginning of a line whose end has not come yet, in pieces: a long one is put together once.
	let rest: string[] = [];
	let restLength = 0;
	for await (const chunk of unpacked(source, end)) {
		const text = decoder.decode(chunk, {stream: true});
		const lastBreak = text.lastIndexOf('\n');
		const lines = lastBreak < 0 ? [] : [...rest, text.slice(0, lastBreak)].join('').split('\n');
		if (lastBreak >= 0) [rest, restLength] = [[], 0];
		rest.push(text.slice(lastBreak + 1));
		restLength += text.length - lastBreak - 1;
		if (restLength > longestLine) break;
		if (lines.length > 0) yield lines;
	}
	if (restLength === 0) return;
	end.hasPartialLine = true;
}

async function* unpacked(source: RecordingSource, end: LinesEnd): AsyncGenerator<Uint8Array> {
	const raw = openSource(source);
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
	// Without a trailer, all that can be unpacked is given.
	const gunzip = createGunzip({finishFlush: constants.Z_SYNC_FLUSH});
	all.on('error', (error) => gunzip.destroy(error));
	try {
		for await (const chunk of all.pipe(gunzip)) yield chunk as Uint8Array;
	} catch (error) {
		if (!codeOf(error).startsWith('Z_')) throw unreadable(source, error);
		end.isDamaged = true;
	} finally {
		all.destroy();
	}
}

const openSource = ({name, bytes}: RecordingSource): Readable =>
	bytes ? Readable.from([bytes]) : createReadStream(name, {highWaterMark: 256 * 1024});

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
