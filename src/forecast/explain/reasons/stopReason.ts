import {zoneLabel} from '../../../core/model/zone.ts';
import {second} from '../../../core/time/instant.ts';
import {queueOf} from '../../conclude/queue.ts';
import type {Stop} from '../../infer/evictionStop.ts';
import {Range} from '../../range.ts';
import {count, whenWords} from '../../words.ts';
import type {ReasonDraft} from '../draft.ts';
import type {Situation} from '../situation.ts';
import {heldEvidence} from './heldEvidence.ts';

/** Why a zone's nodes get no taint: what stops it, since when, what releases it, and when the first taint follows then. */
export function stopReason(stop: Stop, zone: string, situation: Situation): ReasonDraft {
	const {now, settings} = situation;
	const {kind, by, since, releasedBy, firstAfter} = stop;
	const earliest = now + firstAfter;
	const slack = settings.nodeMonitorPeriod + second;
	const first = Range.over({lo: earliest, hi: earliest + slack});
	const waiting = queueOf(zone, situation).length;
	const follows =
		waiting > 0
			? `. If they resumed now, the first of ${count(waiting, 'node')} waiting in zone ${zoneLabel(zone)} would ${settings.taintBasedEvictions ? 'get its taint' : 'be evicted'} ${whenWords(first, now)}`
			: '';
	return {
		reason: kind,
		effect: 'Prevents',
		at: since,
		what: `evictions are stopped: ${by}. They resume when ${releasedBy}${follows}`,
		detail: () => heldEvidence(kind, zone, situation),
	};
}
