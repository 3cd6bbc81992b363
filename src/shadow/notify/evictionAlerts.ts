import {type Duration, type Instant, minute} from '../../core/time/instant.ts';
import {formatDuration} from '../../print/countdown.ts';
import {horizons, isWithin, type PendingPod, pendingOf} from '../compare/pending.ts';
import type {ShadowView} from '../shadowView.ts';
import type {Alert} from './alert.ts';

/** How long before the next eviction a zone is told of. */
const ahead: Duration = 5 * minute;
/** For how long no eviction is to come until that is told: forecasts change their minds. */
const calm: Duration = 2 * minute;
/** For how long after its start nothing is believed to be over: what is known narrows in its first minutes. */
const settling: Duration = 5 * minute;

/** Makes one alert of each zone whose pods are about to go. */
export class EvictionAlerts {
	/** When each zone's alert began, and when an eviction was last to come there. */
	readonly #zones = new Map<string, {readonly startsAt: Instant; readonly seenAt: Instant}>();
	/** Zones that an earlier process told of, and that nothing was said of since. */
	readonly #inherited: Set<string>;

	/** @param inherited the keys of alerts that fire by what an earlier process told */
	constructor(inherited: Iterable<string> = []) {
		this.#inherited = new Set([...inherited].filter((key) => key.startsWith(prefix)));
	}

	/** What is to be told by a view; most of it will have been told before. */
	alertsOf(view: ShadowView): readonly Alert[] {
		if (!view.hasSynced) return [];
		const now = view.observedAt;
		for (const key of this.#inherited) {
			this.#zones.set(key.slice(prefix.length), {startsAt: view.startedAt, seenAt: now});
		}
		this.#inherited.clear();
		const pending = pendingOf(view.forecast.pods);
		const byZone = Map.groupBy(
			pending.filter((pod) => isWithin(pod, ahead, now)),
			({zone}) => zone,
		);
		for (const zone of byZone.keys()) {
			this.#zones.set(zone, {startsAt: this.#zones.get(zone)?.startsAt ?? now, seenAt: now});
		}
		const maySettle = now - view.startedAt >= settling;
		return [...this.#zones].map(([zone, {startsAt, seenAt}]): Alert => {
			const isOver = maySettle && now - seenAt >= calm;
			if (isOver) this.#zones.delete(zone);
			const all = pending.filter((pod) => pod.zone === zone);
			return {...alertOf(zone, all, now), isFiring: !isOver, startsAt, endsAt: isOver ? now : null};
		});
	}
}

const prefix = 'EvictwatchEvictions/';

function alertOf(
	zone: string,
	pods: readonly PendingPod[],
	now: Instant,
): Omit<Alert, 'isFiring' | 'startsAt' | 'endsAt'> {
	const counts = horizons.map(
		([name, length]) => [name, pods.filter((pod) => isWithin(pod, length, now)).length] as const,
	);
	const [next] = pods;
	const names = pods.slice(0, 5).map(({namespace, name}) => `${namespace}/${name}`);
	return {
		key: `${prefix}${zone}`,
		name: 'EvictwatchEvictions',
		labels: {zone},
		annotations: {
			summary: next
				? `${pods.length} pods of zone ${zone} will be evicted, the first in ${formatDuration(next.eviction.expected - now)}`
				: `No pod of zone ${zone} is to be evicted any more`,
			description: names.length === 0 ? '' : `The first: ${names.join(', ')}.`,
			...Object.fromEntries(counts.map(([name, count]) => [`within_${name}`, String(count)])),
		},
	};
}
