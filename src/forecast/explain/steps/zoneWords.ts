import {zoneLabel} from '../../../core/model/zone.ts';
import {second} from '../../../core/time/instant.ts';
import {stopOf} from '../../infer/evictionStop.ts';
import {count, flag, goDuration} from '../../words.ts';
import type {Fact} from '../explanation.ts';
import {type Situation, settingFlag} from '../situation.ts';

/** The rate at which a zone's nodes get their taint, and the flag that sets it. */
export function rateWords(zone: string, situation: Situation): string {
	const {zones, settings} = situation;
	const past = zones.zones.get(zone);
	const name = `zone ${zoneLabel(zone)}`;
	const stop = stopOf(zone, situation);
	if (!past) return `${name} has no node that counts`;
	if (stop && stop.kind !== 'ZoneStopped') return `${name} is ${past.state}, but ${stop.by}`;
	const each = past.rate > 0 ? `one node each ${goDuration(second / past.rate)}` : 'none';
	if (past.state !== 'PartialDisruption') {
		const rate = settingFlag('node-eviction-rate', settings.nodeEvictionRate, situation);
		return `${name} is ${past.state}, for which ${rate} holds: ${each}`;
	}
	const {size} = past.count;
	const large = flag('large-cluster-size-threshold', settings.largeClusterSizeThreshold);
	if (size <= settings.largeClusterSizeThreshold) {
		return `${name} is PartialDisruption and, with ${count(size, 'node')}, not larger than ${large}: ${each}`;
	}
	const rate = settingFlag('secondary-node-eviction-rate', settings.secondaryNodeEvictionRate, situation);
	return `${name} is PartialDisruption and, with ${count(size, 'node')}, larger than ${large}, so that ${rate} holds: ${each}`;
}

/** The same for a node that has its taint: the zone may have stopped since, and its rate of then is not known any more. */
export const pastRateWords = (zone: string, situation: Situation): string =>
	stopOf(zone, situation)
		? `the node took a token of its zone, which was not stopped then; now ${rateWords(zone, situation)}`
		: rateWords(zone, situation);

/** How many nodes of a zone are not ready. */
export function zoneFact(zone: string, {zones}: Situation): Fact {
	const {size, notReady} = zones.zones.get(zone)?.count ?? {size: 0, notReady: 0};
	return {
		object: `zone/${zoneLabel(zone)}`,
		field: 'nodes not ready',
		value: `${notReady} of ${size}`,
		note: 'of those that count',
	};
}
