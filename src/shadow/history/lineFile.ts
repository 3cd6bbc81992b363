import {
	closeSync,
	fdatasyncSync,
	fsyncSync,
	ftruncateSync,
	openSync,
	readFileSync,
	renameSync,
	writeSync,
} from 'node:fs';
import {dirname} from 'node:path';

/**
 * Lines in a file that a kill at any point leaves readable: a line counts once its end was written, and what follows the
 * last whole one is cut off when it is opened again. Writing waits for the disk, so that what was written is there.
 */
export class LineFile {
	readonly #path: string;
	#descriptor: number;
	#size: number;

	private constructor(path: string, descriptor: number, size: number) {
		this.#path = path;
		this.#descriptor = descriptor;
		this.#size = size;
	}

	/** Opens a file, or makes it; with it come the whole lines that are in it. @throws Error of Node.js where it cannot. */
	static open(path: string): {readonly file: LineFile; readonly lines: readonly string[]} {
		const descriptor = openSync(path, 'a+', 0o600);
		const bytes = readFileSync(path);
		const size = bytes.lastIndexOf(0x0a) + 1;
		if (size < bytes.length) ftruncateSync(descriptor, size);
		const text = bytes.toString('utf8', 0, size);
		return {
			file: new LineFile(path, descriptor, size),
			lines: text.split('\n').filter((line) => line !== ''),
		};
	}

	/** In bytes. */
	get size(): number {
		return this.#size;
	}

	/** Adds lines at the end. */
	append(lines: readonly string[]): void {
		this.#size += writeWhole(this.#descriptor, lines);
	}

	/** Puts other lines in their place: a reader finds the old file or the new one, never a part. */
	replace(lines: readonly string[]): void {
		const part = `${this.#path}.part`;
		const descriptor = openSync(part, 'w', 0o600);
		try {
			const size = writeWhole(descriptor, lines);
			renameSync(part, this.#path);
			this.#size = size;
		} finally {
			closeSync(descriptor);
		}
		syncFolder(dirname(this.#path));
		closeSync(this.#descriptor);
		this.#descriptor = openSync(this.#path, 'a+', 0o600);
	}

	close(): void {
		closeSync(this.#descriptor);
	}
}

function writeWhole(descriptor: number, lines: readonly string[]): number {
	const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(''));
	for (let written = 0; written < bytes.length; ) written += writeSync(descriptor, bytes, written);
	fdatasyncSync(descriptor);
	return bytes.length;
}

/** A new name lasts through a power cut only once its folder is written. Windows cannot do that, and need not. */
function syncFolder(folder: string): void {
	if (process.platform === 'win32') return;
	const descriptor = openSync(folder, 'r');
	try {
		fsyncSync(descriptor);
	} finally {
		closeSync(descriptor);
	}
}
