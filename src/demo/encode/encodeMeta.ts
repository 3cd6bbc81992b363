import type {Instant} from '../../core/time/instant.ts';

/** A stable small whole number for a text, to make up addresses and hashes from names. */
export function hashOf(text: string): number {
	// FNV-1a: short, and with few collisions.
	let hash = 0x811c9dc5;
	for (const character of text) {
		hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193) >>> 0;
	}
	return hash;
}

/** An instant as the API server writes it: Time is truncated to whole seconds, MicroTime to microseconds. */
export function serverTime(at: Instant, isMicroTime = false): string {
	const milliseconds = new Date(Math.floor(at)).toISOString().slice(0, -1);
	if (!isMicroTime) return milliseconds.replace(/\.\d+$/, 'Z');
	return `${milliseconds}${String(Math.floor((at - Math.floor(at)) * 1000)).padStart(3, '0')}Z`;
}
