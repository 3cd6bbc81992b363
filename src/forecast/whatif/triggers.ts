import type {Instant} from '../../core/time/instant.ts';
import type {Pausable} from '../pausable.ts';
import type {PodForecast} from '../podForecast.ts';
import type {Range} from '../range.ts';
import type {Change, ChangeKind} from '../simulate/change.ts';
import {someOf} from '../words.ts';
import type {ZoneForecast} from '../zoneForecast.ts';
import type {Ask} from './remedy.ts';

/** What would release evictions that are held, or stop others, and what follows of it. */
export type Trigger = {
	readonly change: readonly Change[];
	/** In words: `one node back (a1)`. */
	readonly what: string;
	/** The first eviction that follows of it, in whatever zone; null where none does. */
	readonly first: Range | null;
	/** How many pods of all zones go then that would not, and the other way round. */
	readonly added: number;
	readonly avoided: number;
};

/** A zone whose evictions are held, and what would change that. */
export type HeldZone = {readonly zone: string; readonly by: string; readonly triggers: readonly Trigger[]};

/** The nodes of a zone that are down and those that are not, by name. */
type ZoneNodes = {readonly down: readonly string[]; readonly up: readonly string[]};

/**
 * Plays what may happen next to each zone whose pods are held: nodes that come back, one more that is lost, controllers
 * that start anew.
 */
export function* triggersOf(
	zones: readonly ZoneForecast[],
	pods: readonly PodForecast[],
	nodesOf: (zone: string) => ZoneNodes,
	now: Instant,
	ask: Ask,
): Pausable<readonly HeldZone[]> {
	const held = Map.groupBy(
		pods.filter(({verdict}) => verdict === 'Held'),
		({zone}) => zone,
	);
	const found: HeldZone[] = [];
	for (const zone of zones) {
		const [pod] = held.get(zone.zone) ?? [];
		if (!pod) continue;
		const triggers: Trigger[] = [];
		for (const {what, kinds} of candidatesOf(zone, nodesOf(zone.zone))) {
			const change = kinds.map((kind): Change => ({at: now, ...kind}));
			const {pods: changed} = yield* ask(change);
			// A node that comes back may release other zones than its own.
			const added = changed.filter(({effect}) => effect === 'added');
			const evictions = added.flatMap(({after}) => after.eviction ?? []);
			triggers.push({
				change,
				what,
				first: evictions.toSorted((a, b) => a.earliest - b.earliest)[0] ?? null,
				added: added.length,
				avoided: changed.filter(({effect}) => effect === 'avoided').length,
			});
		}
		found.push({zone: zone.zone, by: pod.held?.by ?? zone.stopped?.by ?? 'nothing taints it', triggers});
	}
	return found;
}

/** Nodes named in words at the most. */
const mostNamed = 3;

type Candidate = {readonly what: string; readonly kinds: readonly ChangeKind[]};

function candidatesOf({toNextState}: ZoneForecast, {down, up}: ZoneNodes): readonly Candidate[] {
	const back = (count: number): Candidate => ({
		what: `${count === 1 ? 'one node' : `${count} nodes`} back (${someOf(down.slice(0, count), mostNamed)})`,
		kinds: down.slice(0, count).map((node) => ({type: 'nodeBack', node})),
	});
	const lost = (count: number): Candidate => ({
		what: `${count === 1 ? 'one more' : `${count} more`} lost (${someOf(up.slice(0, count), mostNamed)})`,
		kinds: up.slice(0, count).map((node) => ({type: 'nodeDown', node})),
	});
	const returns = new Set([1, ...toNextState.flatMap(({nodesBack}) => nodesBack ?? [])]);
	const losses = new Set([1, ...toNextState.flatMap(({nodesDown}) => nodesDown ?? [])]);
	return [
		...[...returns].filter((count) => count <= down.length).map(back),
		...[...losses].filter((count) => count <= up.length).map(lost),
		{what: 'a controller manager starts anew', kinds: [{type: 'controllersStart'}]},
	];
}
