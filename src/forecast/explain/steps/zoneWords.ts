import {zoneLabel} from '../../../core/model/zone.ts';
import {stopOf} from '../../conclude/zones/zoneVerdict.ts';
import {count, flag, onePer} from '../../words.ts';
import {type Fact, fact} from '../explanation.ts';
import {type Situation, settingFlag} from '../situation.ts';

/** The rate at which a zone's nodes get their taint, and the flag that sets it. */
export function rateWords(zone: string, situation: Situation): string {
	const {zones, settings} = situation;
	const past = zones.zones.get(zone);
	const name = `zone ${zoneLabel(zone)}`;
	const stop = stopOf(zone, situation);
	if (!past) return `${name} has no node that counts`;
	if (stop && (stop.kind !== 'ZoneStopped' || stop.isForGood)) return stop.by;
	const each = past.rate > 0 ? onePer(past.rate) : 'no node';
	const allows = (rate: string, value: number) => {
		const given = settingFlag(rate, value, situation);
		return `${given} allows ${each}${given === flag(rate, value) ? '' : ` at ${value}`}`;
	};
	if (past.state !== 'PartialDisruption')
		return `${name} is ${past.state}: ${allows('node-eviction-rate', settings.nodeEvictionRate)}`;
	const {size} = past.count;
	const large = flag('large-cluster-size-threshold', settings.largeClusterSizeThreshold);
	if (size <= settings.largeClusterSizeThreshold) {
		return `${name} is PartialDisruption with ${count(size, 'node')}, not more than ${large}: ${each} is tainted`;
	}
	const slow = allows('secondary-node-eviction-rate', settings.secondaryNodeEvictionRate);
	return `${name} is PartialDisruption with ${count(size, 'node')}, more than ${large}: ${slow}`;
}

/** The same for a node that has its taint: the zone may have stopped since, and its rate at that time is unknown. */
export const pastRateWords = (zone: string, situation: Situation) =>
	stopOf(zone, situation)
		? `its zone was not stopped when it got its taint; now ${rateWords(zone, situation)}`
		: rateWords(zone, situation);

/** How many nodes of a zone are not ready. */
export function zoneFact(zone: string, {zones}: Situation): Fact {
	const {size, notReady} = zones.zones.get(zone)?.count ?? {size: 0, notReady: 0};
	return fact(`zone/${zoneLabel(zone)}`, 'nodes not ready', `${notReady} of ${size}`, 'of those that count');
}
