import {createReadStream} from 'node:fs';
import {textUpTo} from './textUpTo.ts';

/** The largest kubeconfigs, of a thousand clusters with their certificates, have half of it. */
const mostOfConfig = 10 * 2 ** 20;

/** Reads a file that is small by nature: a configuration, certificate, token or template. @throws Error if it cannot be read or is large */
export async function readTextFile(file: string, most = mostOfConfig): Promise<string> {
	const text = await textUpTo(most, createReadStream(file));
	if (text === undefined) throw new Error(`it has more than ${most / 2 ** 20} MiB`);
	return text;
}
