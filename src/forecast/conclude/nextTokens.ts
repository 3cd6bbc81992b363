import {maxOf, minOf} from '../../core/collections/extremes.ts';
import {kept} from '../../core/collections/kept.ts';
import type {ControllerSettings} from '../../core/model/controllerSettings.ts';
import {isExact} from '../../core/model/settingsSpan.ts';
import {queuedBy} from '../infer/adoptedZones.ts';
import {tokenFinder} from '../infer/bucket.ts';
import {zonesAt} from '../infer/zonePast.ts';
import type {NodeEvidence} from '../observe/nodes/nodeEvidence.ts';
import {Range} from '../range.ts';
import type {Simulated} from '../simulate/simulated.ts';

/** When the bucket of each zone next holds a token, by all settings that are possible. */
export class NextTokens {
	readonly #simulated: Simulated;
	readonly #found = new Map<string, Range | null>();
	#finders: readonly ReturnType<typeof tokenFinder>[] | undefined;

	constructor(simulated: Simulated) {
		this.#simulated = simulated;
	}

	/** @returns null if the zone is stopped, or nothing was simulated */
	of(zone: string, waiting: readonly NodeEvidence[]): Range | null {
		return kept(this.#found, zone, () => this.#find(zone, waiting));
	}

	#find(zone: string, waiting: readonly NodeEvidence[]): Range | null {
		const {now, stops, runs, settings} = this.#simulated;
		if (stops.of(zone) || runs.length === 0) return null;
		const waitingSince = waiting.map((one) => queuedBy(one, now, settings));
		this.#finders ??= this.#findersBySettings();
		const found = this.#finders.map((find) => find(zone, waitingSince));
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

	/** By the settings in use, and by both ends of those that are possible. */
	#findersBySettings() {
		const {settings: inUse, span, affected, now, zones, passes} = this.#simulated;
		const {schedule} = passes;
		const findBy = (settings: ControllerSettings, past = zonesAt(now, affected, settings)) =>
			tokenFinder({zones: past.zones, affected, settings, schedule, now});
		const ends = isExact(span) ? [] : [span.earlyEnd, span.lateEnd];
		return [findBy(inUse, zones), ...ends.map((end) => findBy(end))];
	}
}
