import {createReadStream} from 'node:fs';
import {readFile, stat} from 'node:fs/promises';
import {Readable} from 'node:stream';
import {constants, createGunzip, gunzipSync} from 'node:zlib';
import {fileErrorOf, messageOf, UserError} from '../../text/userError.ts';

export const dumpCommand = 'kubectl get nodes,pods,leases,events -A -o json > FILE';

/** Prints the owners and the budgets of pods, to be read beside a dump. */
export const ownersCommand = 'kubectl get deploy,rs,sts,ds,jobs,pdb -A -o json';

/** kubectl's output compresses to a tenth, rarely below a thirtieth; a gzip bomb to a thousandth. */
const maxRatio = 100;
const alwaysAllowed = 32 * 2 ** 20;
const maxBytes = 2 ** 30;

/** The bytes of a dump, uncompressed if they are gzip. @throws UserError if they are too large, or cannot be uncompressed */
export async function uncompressed(bytes: Buffer, file: string): Promise<Buffer> {
	if (!isGzip(bytes)) return bytes;
	const most = Math.min(maxBytes, Math.max(alwaysAllowed, bytes.length * maxRatio));
	try {
		const unpacked = Readable.from([bytes]).pipe(createGunzip({chunkSize: 2 ** 18}));
		return await readStream(unpacked, file, most);
	} catch (error) {
		if (error instanceof UserError) throw error;
		throw new UserError(
			`${nameOf(file)} cannot be uncompressed: ${messageOf(error)}`,
			'it looks like gzip, but may have been cut off; compress it again, or pass it uncompressed',
		);
	}
}

/** The name of a dump in messages. */
export const nameOf = (file: string) => (file === '-' ? 'standard input' : file);

const isGzip = (bytes: Buffer) => bytes[0] === 0x1f && bytes[1] === 0x8b;

/** PowerShell's `>` writes it, and begins with a mark. */
const isUtf16 = (bytes: Buffer) => bytes[0] === 0xff && bytes[1] === 0xfe;

/** The text of a dump, without the byte order mark that tools of Windows write. */
export const decodeText = (bytes: Buffer) =>
	bytes.toString(isUtf16(bytes) ? 'utf16le' : 'utf8').replace(/^\ufeff/, '');

/** The error for a file that is no text. */
export const binary = (file: string): UserError =>
	new UserError(
		`${file} is neither JSON nor YAML, but binary`,
		`unpack it if it is an archive, and pass its folder; else write it with: ${dumpCommand}`,
	);

/** Whether it can be read once only: standard input, a pipe, a device. */
export const isStream = async (file: string): Promise<boolean> => {
	const found = file === '-' ? undefined : await stat(file).catch(() => undefined);
	return file === '-' || (found !== undefined && !found.isFile() && !found.isDirectory());
};

/** Reads a dump or a recording as it is, from standard input for `-`. @throws UserError if it is too large, or cannot be read */
export async function readBytes(file: string, stdin: NodeJS.ReadableStream): Promise<Buffer> {
	try {
		const {size = 0} = file === '-' ? {} : await stat(file);
		if (size > maxBytes) throw tooLarge(file);
		// What has no size, such as a pipe, may have no end.
		return size > 0
			? await readFile(file)
			: await readStream(file === '-' ? stdin : createReadStream(file), file);
	} catch (error) {
		if (error instanceof UserError) throw error;
		throw new UserError(`cannot read ${file}: ${fileErrorOf(error)}`, `write it with: ${dumpCommand}`);
	}
}

async function readStream(stream: NodeJS.ReadableStream, file: string, most = maxBytes): Promise<Buffer> {
	const parts: Buffer[] = [];
	let [length, isOtherwise, withoutObject] = [0, false, 0];
	for await (const part of stream) {
		const bytes = Buffer.from(part as Buffer);
		isOtherwise ||= length === 0 && (isGzip(bytes) || isUtf16(bytes));
		if (!isOtherwise && bytes.includes(0)) throw binary(nameOf(file));
		length += bytes.length;
		if (length > most) throw tooLarge(file, most);
		parts.push(bytes);
		withoutObject = bytes.includes('metadata') ? 0 : withoutObject + bytes.length;
		if (withoutObject <= alwaysAllowed) continue;
		// What is compressed, or in other letters, is looked at once.
		if (!isOtherwise || !beginOf(Buffer.concat(parts)).includes('metadata'))
			throw new UserError(
				`${nameOf(file)} is no dump: no object of Kubernetes is in ${alwaysAllowed / 2 ** 20} MiB of it`,
				`write it with: ${dumpCommand}`,
			);
		withoutObject = -maxBytes;
	}
	return Buffer.concat(parts, length);
}

/** The text at the begin of a dump; that of a compressed one as far as its first megabyte goes. */
function beginOf(bytes: Buffer): string {
	if (!isGzip(bytes)) return decodeText(bytes);
	const options = {finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: maxRatio * 2 ** 20};
	try {
		return decodeText(gunzipSync(bytes.subarray(0, 2 ** 20), options));
	} catch {
		return '';
	}
}

const tooLarge = (file: string, most = maxBytes): UserError =>
	new UserError(
		`${nameOf(file)} is too large: it has more than ${Math.floor(most / 2 ** 20)} MiB${most < maxBytes ? ', uncompressed' : ''}`,
		most < maxBytes
			? 'a dump does not compress that well; if it is one, pass it uncompressed'
			: 'leave out the pods of namespaces that do not matter, or ask the cluster itself',
	);
