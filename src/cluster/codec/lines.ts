const newline = 0x0a;

/**
 * Splits a stream of bytes into lines, at `\n` alone: other line separators are legal inside JSON strings. Yields, for
 * each chunk, the lines that it completes. What follows the last `\n` is a line cut off, and is dropped.
 */
export async function* linesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<readonly string[]> {
	let begun: Uint8Array[] = [];
	for await (const chunk of chunks) {
		const lines: string[] = [];
		let start = 0;
		for (let end = chunk.indexOf(newline); end >= 0; end = chunk.indexOf(newline, start)) {
			// Decoded as a whole, since a character may lie across two chunks.
			lines.push(Buffer.concat([...begun, chunk.subarray(start, end)]).toString('utf8'));
			begun = [];
			start = end + 1;
		}
		if (start < chunk.length) begun.push(chunk.subarray(start));
		if (lines.length > 0) yield lines;
	}
}
