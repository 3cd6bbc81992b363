import {existsSync, readFileSync} from 'node:fs';
import type {Divergence} from './shadow/divergence.ts';

/** A token that the controller consumed without a taint, and when. */
export type LostToken = {readonly zone: string; readonly at: number};

/** A client notices a lost token when the taint is overdue: the same time as in the simulated outages. */
export const lostTokenNoticedWithin = 400;

/** How long a lost token holds up the nodes of its zone: each of a queue of four by one token, ten seconds at most. */
export const heldUpFor = 60_000;

/** The zone of a node, or of a pod named after one (shop/a-1-brief): its first letter. */
export const zoneOf = (name: string): string => /(?:^|\/)(\w)-\d/.exec(name)?.[1] ?? '';

const dropped =
	/^I(\d\d)(\d\d) (\S+)\.(\d{3})\d* .*"Node was in a taint queue, but it's ready now\. .*node="([^"]+)"$/gm;

/**
 * The lost tokens, from the controller manager's log. Since v1.34 a node is queued as soon as it is Unknown. If its zone's
 * queue is processed before the controller's own cache shows the status, the controller takes the node for ready, drops it, and
 * has consumed a token. The node is queued again, and waits for the next token. No client can predict that.
 */
export function lostTokens(log: string): readonly LostToken[] {
	const text = existsSync(log) ? readFileSync(log, 'utf8') : '';
	const year = new Date().getFullYear();
	return [...text.matchAll(dropped)].map(([, month, day, time, milliseconds, node = '']) => ({
		zone: zoneOf(node),
		at: Date.parse(`${year}-${month}-${day}T${time}.${milliseconds}`),
	}));
}

/** Whether a shadow's report is true because the controller lost a token: a taint, or what follows from it, is late. */
export function followsLostToken(
	{type, action, object, noticedAt}: Divergence,
	lost: readonly LostToken[],
): boolean {
	const at = Date.parse(noticedAt);
	return (
		(type === 'Missing' || type === 'Late') &&
		(action === 'TaintNode' || action === 'DeletePod') &&
		lost.some((one) => one.zone === zoneOf(object.name) && at >= one.at && at <= one.at + heldUpFor)
	);
}
