import type {ClusterSnapshot} from '../../src/core/model/clusterSnapshot.ts';
import {isControllerManagerLease, type Lease} from '../../src/core/model/lease.ts';
import type {Instant} from '../../src/core/time/instant.ts';
import {inTimeZone} from '../../src/dates/format.ts';
import type {Forecast} from '../../src/forecast/forecast.ts';
import {isWellNode} from '../../src/forecast/nodeForecast.ts';
import {acquiredAt} from '../../src/forecast/observe/leader.ts';
import {takeoverWords} from '../../src/print/whyNotYet.ts';
import type {Options} from '../args/options.ts';

/** The controllers' lease in a snapshot. */
export const leaseOfControllers = ({leases = [], leaderLease}: ClusterSnapshot): Lease | undefined =>
	leases.find(isControllerManagerLease) ?? leaderLease;

/** When the controllers took over, if a node in trouble last renewed before; else undefined. @param lease theirs */
export function tookOverAt(lease: Lease | undefined, {nodes}: Forecast): Instant | undefined {
	const since = lease && acquiredAt(lease)?.lo;
	const wasHeardBefore = (at: Instant) =>
		nodes.some((node) => !isWellNode(node) && node.lastRenewal !== null && node.lastRenewal < at);
	return since !== undefined && wasHeardBefore(since) ? since : undefined;
}

/** A line on the takeover for below a table; empty without one. */
export function takeoverText(
	snapshot: ClusterSnapshot,
	forecast: Forecast,
	now: Instant,
	{timeZone}: Options,
): string {
	const since = tookOverAt(leaseOfControllers(snapshot), forecast);
	return since === undefined ? '' : `${inTimeZone(takeoverWords(since, now), now, timeZone)}.\n`;
}
