import {type FileHandle, open} from 'node:fs/promises';
import {constants, createGzip, type Gzip} from 'node:zlib';
import {fileErrorOf, messageOf, UserError} from '../../text/userError.ts';

/** Where the text of a recording goes. */
export type TextSink = {
	/** Resolves once the text is out of the process: what is written then survives it. */
	readonly write: (text: string) => Promise<void>;
	readonly close: () => Promise<void>;
};

/**
 * A new file for a recording, packed where its name ends in `.gz`. Nobody else may read it, since it shows a cluster.
 *
 * @throws UserError where it exists already, or cannot be written
 */
export async function newRecordingFile(name: string): Promise<TextSink & {readonly bytes: () => number}> {
	const file = await open(name, 'wx', 0o600).catch((error: NodeJS.ErrnoException) => {
		if (error.code === 'EEXIST')
			throw new UserError(`${name} exists already`, 'choose another name; a recording is never overwritten');
		throw new UserError(`cannot write ${name}: ${fileErrorOf(error)}`, 'choose another name or folder');
	});
	return recordingInto(file, name);
}

/** The same in a file that is open already. */
export function recordingInto(file: FileHandle, name: string): TextSink & {readonly bytes: () => number} {
	let bytes = 0;
	const out = async (data: Uint8Array) => {
		await writeAll(file, data, name);
		bytes += data.length;
	};
	const packed = /\.gz$/i.test(name) ? new Packed(out) : undefined;
	return {
		bytes: () => bytes,
		write: (text) => (packed ? packed.write(text) : out(Buffer.from(text))),
		close: async () => {
			try {
				await packed?.end();
			} finally {
				await file.close();
			}
		},
	};
}

async function writeAll(file: FileHandle, data: Uint8Array, name: string): Promise<void> {
	try {
		for (let at = 0; at < data.length; ) at += (await file.write(data, at)).bytesWritten;
	} catch (error) {
		throw new UserError(
			`cannot write to ${name} any more: ${messageOf(error)}`,
			'what was recorded until then is in it, and can be replayed',
		);
	}
}

/**
 * One stream of gzip that is flushed after each write, so that all of it can be unpacked up to there, whatever happens
 * to the process afterwards.
 */
class Packed {
	readonly #gzip: Gzip = createGzip();
	readonly #out: (data: Uint8Array) => Promise<void>;
	#ready: Buffer[] = [];

	constructor(out: (data: Uint8Array) => Promise<void>) {
		this.#out = out;
		this.#gzip.on('data', (data: Buffer) => this.#ready.push(data));
	}

	async write(text: string): Promise<void> {
		this.#gzip.write(text);
		await new Promise<void>((resolve) => this.#gzip.flush(constants.Z_SYNC_FLUSH, () => resolve()));
		await this.#drain();
	}

	async end(): Promise<void> {
		const ended = new Promise<void>((resolve) => this.#gzip.once('end', () => resolve()));
		this.#gzip.end();
		await ended;
		await this.#drain();
	}

	async #drain(): Promise<void> {
		const ready = this.#ready;
		this.#ready = [];
		await this.#out(Buffer.concat(ready));
	}
}
