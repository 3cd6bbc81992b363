/** How many texts are kept. Twice as many make nothing faster. */
const slots = 4096;

/**
 * Hands out one string for equal bytes, as long as it is remembered: most of what objects say, all others say too, as the
 * types of conditions. So a large list becomes few strings, and most of its bytes are only compared.
 */
export class SharedTexts {
	readonly #texts: string[] = new Array<string>(slots).fill('');

	/** The text of some bytes in UTF-8. */
	read(bytes: Buffer, from: number, to: number): string {
		const slot = slotOf(bytes, from, to);
		const known = this.#texts[slot] ?? '';
		if (isText(known, bytes, from, to)) return known;
		const text = bytes.toString('utf8', from, to);
		this.#texts[slot] = text;
		return text;
	}
}

/** Whether the bytes are this text; of one that is not ASCII that is never said. */
function isText(text: string, bytes: Buffer, from: number, to: number): boolean {
	if (text.length !== to - from) return false;
	for (let at = from; at < to; at++) {
		const byte = bytes[at] ?? 0;
		if (byte >= 0x80 || text.charCodeAt(at - from) !== byte) return false;
	}
	return true;
}

/** Names differ at their ends, as a rule; where two texts share a slot, the later one is kept. */
function slotOf(bytes: Buffer, from: number, to: number): number {
	let hash = to - from;
	for (let at = Math.max(from, to - 5); at < to; at++) hash = Math.imul(hash, 31) + (bytes[at] ?? 0);
	hash = Math.imul(hash, 31) + (bytes[from] ?? 0);
	hash = Math.imul(hash, 31) + (bytes[(from + to) >>> 1] ?? 0);
	return (hash ^ (hash >>> 12)) & (slots - 1);
}
