import {existsSync, readFileSync} from 'node:fs';

/** A token of a zone that the controller spent for nothing, and when. */
export type LostToken = {readonly zone: string; readonly at: number};

/** The zone of a node, or of what is named after one (shop/a-1-brief): its first letter. */
export const zoneOf = (name: string): string => /(?:^|\/)(\w)-\d/.exec(name)?.[1] ?? '';

const dropped =
	/^I(\d\d)(\d\d) (\S+)\.(\d{3})\d* .*"Node was in a taint queue, but it's ready now\. .*node="([^"]+)"$/gm;

/**
 * The tokens that were lost, by the log of the controller manager. Since v1.34 a node is queued as soon as it has turned
 * Unknown; where its zone's queue is looked at before the controller's own cache shows that, the controller takes it for
 * ready, drops it, and has spent a token on it. It is queued again, and waits for the next. No client sees that coming.
 */
export function lostTokens(log: string): readonly LostToken[] {
	const text = existsSync(log) ? readFileSync(log, 'utf8') : '';
	const year = new Date().getFullYear();
	return [...text.matchAll(dropped)].map(([, month, day, time, milliseconds, node = '']) => ({
		zone: zoneOf(node),
		at: Date.parse(`${year}-${month}-${day}T${time}.${milliseconds}`),
	}));
}
