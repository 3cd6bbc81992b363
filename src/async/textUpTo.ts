import type {Readable} from 'node:stream';

/** Reads a stream as text; undefined if it has more characters than `most`, and then it is destroyed. */
export async function textUpTo(most: number, stream: Readable | null): Promise<string | undefined> {
	let text = '';
	for await (const chunk of stream?.setEncoding('utf8') ?? []) {
		text += chunk;
		if (text.length > most) return undefined;
	}
	return text;
}
