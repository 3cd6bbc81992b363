import {zoneKey} from '../../../core/model/zone.ts';
import {type Duration, second} from '../../../core/time/instant.ts';
import {throttleDelayFor, throttledEnds} from '../../observe/countdowns/deletionThrottleDelay.ts';
import type {Simulated} from '../../simulate/simulated.ts';
import {PodOutcomes} from '../podOutcomes.ts';

/** How long pods of each zone wait if one node's are not all deleted when the next node's are due. */
export class ZoneDelays {
	readonly #simulated: Simulated;
	#longest: ReadonlyMap<string, Duration> | undefined;

	constructor(simulated: Simulated) {
		this.#simulated = simulated;
	}

	of(zone: string): Duration {
		this.#longest ??= longestDelays({...this.#simulated, delays: this});
		return this.#longest.get(zone) ?? 0;
	}
}

function longestDelays(situation: Simulated & {readonly delays: ZoneDelays}): ReadonlyMap<string, Duration> {
	const {affected, evidence, runs, settings} = situation;
	const most = Math.max(0, ...affected.nodes.map(({node}) => evidence.pods.mapOfNode(node.name).size));
	const longest = new Map<string, Duration>();
	if (throttleDelayFor(most, settings) < second / settings.nodeEvictionRate) return longest;
	const outcomes = affected.nodes.map((one) => ({
		zone: zoneKey(one.node),
		ofNode: new PodOutcomes(one, situation),
	}));
	for (const run of runs) {
		const due = outcomes
			.flatMap(({zone, ofNode}) => ofNode.dueIn(run).map((at) => ({zone, at})))
			.toSorted((a, b) => a.at - b.at);
		const instants = due.map(({at}) => at);
		const ends = throttledEnds(instants, settings);
		for (const [index, {zone, at}] of due.entries())
			longest.set(zone, Math.max(longest.get(zone) ?? 0, (ends[index] ?? at) - at));
	}
	return longest;
}
