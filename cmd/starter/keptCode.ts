import {
	closeSync,
	fstatSync,
	mkdirSync,
	openSync,
	readdirSync,
	readFileSync,
	renameSync,
	rmSync,
	writeFileSync,
} from 'node:fs';
import {dirname, join} from 'node:path';
import {crc32} from 'node:zlib';

/** What V8 compiled of a script, and how many runs had a part in it. */
export type KeptCode = {readonly runs: number; readonly compiled: Buffer};

/** A byte that counts the runs, three unused, and the checksum; what follows has to begin at a multiple of eight. */
const headSize = 8;
const checksumAt = 4;

/**
 * What was kept in a file. V8 runs what it is given, and dies of what is damaged: it must be whole, and nobody else may have
 * written it.
 */
export function readCode(file: string): KeptCode | undefined {
	try {
		const bytes = readOwn(file);
		if (bytes.length <= headSize) return undefined;
		const compiled = bytes.subarray(headSize);
		return bytes.readUInt32LE(checksumAt) === crc32(compiled) ? {runs: bytes[0] ?? 0, compiled} : undefined;
	} catch {
		return undefined;
	}
}

function readOwn(file: string): Buffer {
	const descriptor = openSync(file, 'r');
	try {
		const {uid, mode} = fstatSync(descriptor);
		// Windows has no such numbers: the folder is the user's own there.
		const isOwn = process.getuid === undefined || (uid === process.getuid() && (mode & 0o022) === 0);
		return isOwn ? readFileSync(descriptor) : Buffer.alloc(0);
	} finally {
		closeSync(descriptor);
	}
}

/** Replaces a file at once, since others may read it; where that cannot be done, the next run compiles again. */
export function keepCode(file: string, {runs, compiled}: KeptCode): void {
	// Others may have the same number in another container.
	const own = `${file}.${process.pid}-${Math.random().toString(36).slice(2)}`;
	try {
		mkdirSync(dirname(file), {recursive: true, mode: 0o700});
		const head = Buffer.alloc(headSize);
		head[0] = runs;
		head.writeUInt32LE(crc32(compiled), checksumAt);
		writeFileSync(own, Buffer.concat([head, compiled]), {mode: 0o600, flag: 'wx'});
		renameSync(own, file);
	} catch {
		drop(own);
	}
}

/** Removes the code of other builds: files whose names begin alike, and go on in another way than those to keep. */
export function dropOthers(
	file: string,
	{start, keep}: {readonly start: string; readonly keep: string},
): void {
	try {
		for (const name of readdirSync(dirname(file))) {
			const isOther = name.startsWith(start) && !name.startsWith(keep);
			if (isOther) drop(join(dirname(file), name));
		}
	} catch {
		// There is nothing to remove.
	}
}

function drop(file: string): void {
	try {
		rmSync(file, {force: true});
	} catch {
		// It lies where nothing can be written.
	}
}
