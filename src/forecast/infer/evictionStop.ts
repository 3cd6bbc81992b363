import {compareValues} from '../../core/collections/compareValues.ts';
import {firstIndex} from '../../core/collections/firstIndex.ts';
import {kept} from '../../core/collections/kept.ts';
import type {ControllerSettings} from '../../core/model/controllerSettings.ts';
import {areThresholdsKnown, type SettingsSpan} from '../../core/model/settingsSpan.ts';
import {zoneLabel} from '../../core/model/zone.ts';
import {computeZoneState, evictionRate, hidesStop} from '../../core/nodelifecycle/zones/zoneState.ts';
import {type Duration, type Instant, second} from '../../core/time/instant.ts';
import type {Observed} from '../observe/observed.ts';
import {flag, startsAgain, stoppedWords} from '../words.ts';
import type {ZoneStop} from '../zoneForecast.ts';
import type {PassInProgress} from './passInProgress.ts';
import {type ZonePast, type ZonesPast, type ZonesToCome, zonesAt} from './zonePast.ts';

/** What stops the evictions of a zone, or of the whole cluster. */
export type Stop = ZoneStop & {
	/** The shortest time from its release until the first node is tainted. */
	readonly firstAfter: Duration;
};

/** A search among all changes looks at fewer times. */
const mostPast = 64;

/** What stops the evictions of each zone, determined once per zone. */
export class EvictionStops {
	readonly #observed: Observed & {readonly span: SettingsSpan};
	readonly #zones: ZonesPast;
	readonly #inForce: ZonesPast;
	readonly #zonesToCome: ZonesToCome;
	readonly #stops = new Map<string, Stop | null>();
	/** The zones as they were, for all zones whose stops are looked for then. */
	readonly #past = new Map<Instant, ZonesPast>();
	#changedAt: readonly Instant[] | undefined;
	readonly #nowOrToCome = new Map<string, Stop | null>();

	/**
	 * @param zones by the present conditions of their nodes
	 * @param pass that may be in progress
	 */
	constructor(
		observed: Observed & {readonly span: SettingsSpan},
		zones: ZonesPast,
		zonesToCome: ZonesToCome,
		pass: PassInProgress | undefined,
	) {
		this.#observed = observed;
		this.#zones = zones;
		this.#zonesToCome = zonesToCome;
		this.#inForce = pass ? inForceDuring(pass, zones, observed) : zones;
	}

	/** Why nodes of a zone get no NoExecute taint now; undefined if they do. */
	of(zone: string): Stop | undefined {
		return kept(this.#stops, zone, () => this.#find(zone) ?? null) ?? undefined;
	}

	/** The stop to show: the present one, the one that the pass in progress will set by the nodes' present conditions, or one in doubt. */
	shown(zone: string): Stop | undefined {
		return (
			this.of(zone) ?? this.#stopIn(this.#zones, zone, 'toCome') ?? this.#stopIn(this.#zones, zone, 'inDoubt')
		);
	}

	/** The present stop, or the one that passes will set once they have found the nodes that are silent now. */
	nowOrToCome(zone: string): Stop | undefined {
		const find = () => this.of(zone) ?? this.#stopIn(this.#zonesToCome.found, zone, 'toCome') ?? null;
		return kept(this.#nowOrToCome, zone, find) ?? undefined;
	}

	#find(zone: string): Stop | undefined {
		const stop = this.#stopIn(this.#inForce, zone);
		// What stops the zone alone gives way to what stops all, once the next pass finds all zones down.
		return stop?.kind === 'ZoneStopped' && this.#zones.allDown
			? this.#stopIn(this.#zonesToCome.found, zone, 'toCome')
			: stop;
	}

	/** What stops a zone, given the states of the zones: those in force, or those that no pass has found yet. */
	#stopIn(past: ZonesPast, zone: string, when: 'now' | 'toCome' | 'inDoubt' = 'now'): Stop | undefined {
		const {leader, settings, span, evidence} = this.#observed;
		if (leader.type === 'absent') {
			return {
				kind: 'ControllerDown',
				by: 'no controller manager runs (its leader lease was not renewed)',
				since: leader.since,
				releasedBy: `a controller manager takes the lease; then ${startsAgain}`,
				firstAfter: 0,
			};
		}
		const isOpen = evidence.lacksNodes && settings.nodeEvictionRate > 0;
		const isOfFlags = when === 'inDoubt';
		const unseen = isOpen ? 'other nodes' : isOfFlags ? 'flags of kube-controller-manager' : undefined;
		const one = past.zones.get(zone);
		const own = one && one.rate <= 0 && (isOfFlags || (one.otherRate ?? 0) <= 0) ? one : undefined;
		if (!own && !past.allDown) return undefined;
		const common = {
			firstAfter: settings.nodeEvictionRate > 0 ? second / settings.nodeEvictionRate : 0,
			releasedBy: releaseWords(zone, past, settings, areThresholdsKnown(span)),
			...(when === 'toCome' && {isToCome: true}),
			...(unseen && {isInDoubt: true}),
		};
		const since = (isStopped: (then: ZonesPast) => boolean) =>
			when === 'now' ? this.#since(isStopped) : null;
		if (!own || past.allDown) {
			return {
				kind: 'AllZonesDown',
				by: allDownWords(settings, when),
				since: since((then) => then.allDown),
				...common,
			};
		}
		// All other states use the rate of the flag.
		if (own.state !== 'PartialDisruption')
			return {
				...common,
				kind: 'ZoneStopped',
				by: 'node-eviction-rate is 0',
				since: null,
			};
		const {size, notReady} = own.count;
		return {
			...common,
			kind: 'ZoneStopped',
			by: `evictions in zone ${zoneLabel(zone)} ${stoppedWords[unseen && when === 'now' ? 'inDoubt' : when]}, as ${notReady} of ${size} nodes are ${when === 'toCome' ? 'silent or ' : ''}not ready${unseen ? ` (it depends on ${unseen} that are not seen)` : ''}`,
			since: since((then) => (then.zones.get(zone)?.rate ?? 1) <= 0),
		};
	}

	/** When conditions of nodes changed, in order. */
	#changes(): readonly Instant[] {
		const {affected, now} = this.#observed;
		this.#changedAt ??= affected.nodes
			.flatMap(({readyChangedAt}) => readyChangedAt?.lo ?? [])
			.filter((at) => at <= now)
			.toSorted(compareValues);
		return this.#changedAt;
	}

	/** When the change of a node's condition stopped the evictions; null if none did. */
	#since(isStopped: (zones: ZonesPast) => boolean): Instant | null {
		const {affected, settings, now} = this.#observed;
		const changes = this.#changes();
		const zonesThen = (at: Instant) => kept(this.#past, at, () => zonesAt(at, affected, settings), mostPast);
		const wasStopped = (at: Instant) => isStopped(zonesThen(at));
		// A binary search: many nodes may go down together.
		if (!wasStopped(changes.at(-1) ?? now)) return null;
		return changes[firstIndex(changes.length - 1, (index) => wasStopped(changes[index] ?? now))] ?? null;
	}
}

/**
 * The zone states that the controller certainly uses. A pass that may be in progress judges the zones only at its end; until
 * then their queues continue as before.
 */
function inForceDuring(
	{startedAt}: PassInProgress,
	zones: ZonesPast,
	{affected, settings}: Observed,
): ZonesPast {
	const before = zonesAt(startedAt - 1, affected, settings);
	const surely = [...zones.zones].map(([name, one]): [string, ZonePast] => {
		const was = before.zones.get(name);
		return [name, one.rate <= 0 && was && was.rate > 0 ? was : one];
	});
	return {zones: new Map(surely), allDown: zones.allDown && before.allDown};
}

function allDownWords({taintBasedEvictions}: Observed['settings'], when: keyof typeof stoppedWords): string {
	if (when !== 'toCome')
		return taintBasedEvictions
			? 'every zone is down, so no further node gets the NoExecute taint'
			: 'every zone is down, so all evictions are stopped';
	const then = taintBasedEvictions ? 'no further node gets the NoExecute taint' : 'all evictions stop';
	return `every zone is about to be down: then ${then}`;
}

type ZoneStates = ReadonlyMap<string, Pick<ZonePast, 'state' | 'count'>>;

const upOf = new WeakMap<ZoneStates, number>();

/** How many zones are not down. Counted once for all zones of a forecast, which may be thousands. */
function countUp(zones: ZoneStates): number {
	const known = upOf.get(zones);
	if (known !== undefined) return known;
	let up = 0;
	for (const {state} of zones.values()) if (state !== 'FullDisruption') up += 1;
	upOf.set(zones, up);
	return up;
}

/**
 * The state and rate of a zone with more of its nodes ready, or fewer if `back` is negative; all other zones are unchanged.
 * If no zone has a ready node left, none evicts. @param zones not changed afterwards
 */
export function zoneWith(zone: string, back: number, zones: ZoneStates, settings: ControllerSettings) {
	const own = zones.get(zone);
	const {size = 0, notReady = 0} = own?.count ?? {};
	const state = computeZoneState({size, notReady: notReady - back}, settings.unhealthyZoneThreshold);
	const ownUp = own && own.state !== 'FullDisruption' ? 1 : 0;
	const areAllDown = state === 'FullDisruption' && countUp(zones) === ownUp;
	return {state, rate: areAllDown ? 0 : evictionRate(state, size, settings)};
}

/**
 * What lets a stopped zone evict again, to follow `Evictions resume when`. At a rate that a stopped limiter reports, too, only
 * new controllers do, if they do not stop it themselves.
 *
 * @param areKnown whether the thresholds of a zone's states are known
 */
export function releaseWords(
	zone: string,
	past: ZonesPast,
	settings: ControllerSettings,
	areKnown: boolean,
): string {
	const {size, notReady} = past.zones.get(zone)?.count ?? {size: 0, notReady: 0};
	const counts = Array.from({length: size}, (_, index) => index + 1);
	const assumed = areKnown
		? ''
		: ` (with ${flag('unhealthy-zone-threshold', settings.unhealthyZoneThreshold)})`;
	const waysTo = (evicts: (rate: number) => boolean): readonly string[] => {
		const evictsWith = (nodes: number) => evicts(zoneWith(zone, nodes, past.zones, settings).rate);
		const back = counts.find((nodes) => nodes <= notReady && evictsWith(nodes));
		const down = counts.find((nodes) => nodes <= size - notReady && evictsWith(-nodes));
		// Any zone that is not down releases all zones that are.
		if (past.allDown && past.zones.size > 1 && evicts(settings.nodeEvictionRate))
			return [back === 1 ? 'any node recovers' : anyOther(back, assumed)];
		return [
			...(back === undefined ? [] : [`${ownBack(back)}${assumed}`]),
			...(down === undefined ? [] : [ownDown(down)]),
		];
	};
	const ways = waysTo((rate) => rate > 0 && !hidesStop(rate));
	if (ways.length > 0) return ways.join(', or ');
	const toLateStart = waysTo((rate) => rate > 0);
	return toLateStart.length > 0
		? `a new controller manager starts after ${toLateStart.join(', or ')} (a rate of exactly 1 resumes nothing)`
		: 'the node eviction rate is raised above zero';
}

function anyOther(back: number | undefined, assumed: string): string {
	const own = back === undefined ? '' : `, or ${back} nodes of this zone do${assumed}`;
	return `a node of another zone recovers${own}`;
}

const ownBack = (nodes: number): string => `${nodes} of its nodes ${nodes === 1 ? 'recovers' : 'recover'}`;

const ownDown = (nodes: number): string =>
	`its last ${nodes === 1 ? 'node fails' : `${nodes} nodes fail`} too (a zone without any ready node evicts)`;
