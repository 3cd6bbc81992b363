import {once} from 'node:events';
import {type FileHandle, open} from 'node:fs/promises';
import {constants, createGzip} from 'node:zlib';
import {fileErrorOf, messageOf, UserError} from '../../text/userError.ts';

export type TextSink = {
	/** Resolves once the text was passed to the operating system, so that it survives this process. */
	readonly write: (text: string) => Promise<void>;
	readonly close: () => Promise<void>;
};

/**
 * Creates a file for a recording, compressed if its name ends in `.gz`. Only its owner may read it, as it shows a cluster.
 *
 * @throws UserError if it exists already, or cannot be written
 */
export async function newRecordingFile(name: string) {
	const file = await open(name, 'wx', 0o600).catch((error: NodeJS.ErrnoException) => {
		if (error.code === 'EEXIST')
			throw new UserError(`${name} exists already`, 'choose another name; a recording is never overwritten');
		throw new UserError(`cannot write ${name}: ${fileErrorOf(error)}`, 'choose another name or folder');
	});
	return recordingInto(file, name);
}

/** The same for a file that is already open. */
export function recordingInto(file: FileHandle, name: string) {
	let bytes = 0;
	const out = async (data: Uint8Array) => {
		await writeAll(file, data, name);
		bytes += data.length;
	};
	const compressed = /\.gz$/i.test(name) ? compressedOutput(out) : undefined;
	return {
		bytes: () => bytes,
		write: (text: string) => (compressed ? compressed.write(text) : out(Buffer.from(text))),
		close: async () => {
			try {
				await compressed?.close();
			} finally {
				await file.close();
			}
		},
	};
}

async function writeAll(file: FileHandle, data: Uint8Array, name: string) {
	try {
		for (let at = 0; at < data.length; ) at += (await file.write(data, at)).bytesWritten;
	} catch (error) {
		throw new UserError(
			`cannot write to ${name} any more: ${messageOf(error)}`,
			'what was recorded until then is in it, and can be replayed',
		);
	}
}

/** A gzip stream, flushed after each write: all that was written can be uncompressed even if the process is killed. */
function compressedOutput(out: (data: Uint8Array) => Promise<void>): TextSink {
	const gzip = createGzip();
	let ready: Buffer[] = [];
	gzip.on('data', (data: Buffer) => ready.push(data));
	const drain = async () => {
		const data = Buffer.concat(ready);
		ready = [];
		await out(data);
	};
	return {
		write: async (text) => {
			gzip.write(text);
			await new Promise<void>((resolve) => gzip.flush(constants.Z_SYNC_FLUSH, resolve));
			await drain();
		},
		close: async () => {
			const ended = once(gzip, 'end');
			gzip.end();
			await ended;
			await drain();
		},
	};
}
