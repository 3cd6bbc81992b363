/** Number of cached strings; twice as many make nothing faster. */
const slots = 4096;

/**
 * Returns one string for equal bytes while it is cached: most strings, such as condition types, recur in all objects. So a
 * large list allocates few strings, and most of its bytes are only compared.
 */
export class SharedTexts {
	readonly #texts: string[] = new Array<string>(slots).fill('');

	/** The string for UTF-8 bytes. */
	read(bytes: Buffer, from: number, to: number): string {
		const slot = slotOf(bytes, from, to);
		const known = this.#texts[slot] ?? '';
		if (isText(known, bytes, from, to)) return known;
		const text = bytes.toString('utf8', from, to);
		this.#texts[slot] = text;
		return text;
	}
}

/** Whether the bytes equal this string; always false unless it is ASCII. */
function isText(text: string, bytes: Buffer, from: number, to: number) {
	if (text.length !== to - from) return false;
	for (let at = from; at < to; at++) {
		const byte = bytes[at] ?? 0;
		if (byte >= 0x80 || text.charCodeAt(at - from) !== byte) return false;
	}
	return true;
}

/** Hashes mainly the end, where names differ; a slot keeps its latest string. */
function slotOf(bytes: Buffer, from: number, to: number): number {
	let hash = to - from;
	for (let at = Math.max(from, to - 5); at < to; at++) hash = Math.imul(hash, 31) + (bytes[at] ?? 0);
	hash = Math.imul(hash, 31) + (bytes[from] ?? 0);
	hash = Math.imul(hash, 31) + (bytes[(from + to) >>> 1] ?? 0);
	return (hash ^ (hash >>> 12)) & (slots - 1);
}
