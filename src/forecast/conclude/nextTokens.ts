import {maxOf, minOf} from '../../core/collections/extremes.ts';
import {kept} from '../../core/collections/kept.ts';
import type {ControllerSettings} from '../../core/model/controllerSettings.ts';
import {queuedBy} from '../infer/adoptedZones.ts';
import {nextToken} from '../infer/bucket.ts';
import {isExact} from '../infer/settingsSpan.ts';
import {type ZonesPast, zonesAt} from '../infer/zonePast.ts';
import type {NodeEvidence} from '../observe/nodes/nodeEvidence.ts';
import {Range} from '../range.ts';
import type {Simulated} from '../simulate/simulated.ts';

type ZonesBySettings = {readonly settings: ControllerSettings; readonly zones: ZonesPast};

/** When the bucket of each zone next holds a token, by all settings that are possible. */
export class NextTokens {
	readonly #simulated: Simulated;
	readonly #found = new Map<string, Range | null>();
	#byEnds: readonly ZonesBySettings[] | undefined;

	constructor(simulated: Simulated) {
		this.#simulated = simulated;
	}

	/** @returns null if the zone is stopped, or nothing was simulated */
	of(zone: string, waiting: readonly NodeEvidence[]): Range | null {
		return kept(this.#found, zone, () => this.#find(zone, waiting));
	}

	#find(zone: string, waiting: readonly NodeEvidence[]): Range | null {
		const {affected, now, passes, stops, runs, settings: likeliest} = this.#simulated;
		if (stops.of(zone) || runs.length === 0) return null;
		const waitingSince = waiting.map((one) => queuedBy(one, now, likeliest));
		const {schedule} = passes;
		const found = this.#possibleZones.map(({settings, zones}) => {
			const past = zones.zones.get(zone);
			return past && nextToken({zone, past, waitingSince, affected, settings, schedule, now});
		});
		const tokens = found.filter((token) => token !== undefined);
		if (tokens.length === 0) return null;
		const [usual] = found;
		const isSure = tokens.length === found.length;
		return new Range(
			minOf(tokens.map(({lo}) => lo)),
			usual ? (usual.lo + usual.hi) / 2 : now,
			isSure ? maxOf(tokens.map(({hi}) => hi)) : null,
		);
	}

	/** The zones by the settings in use, and by both ends of those that are possible. */
	get #possibleZones(): readonly ZonesBySettings[] {
		const {settings, span, affected, now, zones} = this.#simulated;
		const ends = isExact(span) ? [] : [span.earlyEnd, span.lateEnd];
		this.#byEnds ??= ends.map((end) => ({settings: end, zones: zonesAt(now, affected, end)}));
		return [{settings, zones}, ...this.#byEnds];
	}
}
