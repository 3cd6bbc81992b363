import {isReadyNode} from '../../../core/model/node.ts';
import {zoneLabel} from '../../../core/model/zone.ts';
import {second} from '../../../core/time/instant.ts';
import type {Stop} from '../../infer/evictionStop.ts';
import {nodesIn} from '../../observe/affectedNodes.ts';
import {Range} from '../../range.ts';
import {count, isoTime, someOf, whenWords} from '../../words.ts';
import {type Draft, type Fact, fact, type ReasonDraft} from '../explanation.ts';
import {type Situation, thresholdFlag} from '../situation.ts';
import {rateWords, zoneFact} from '../steps/zoneWords.ts';

/** The most nodes that the value of a fact names. */
const mostNames = 8;

export function heldEvidence(
	kind: Stop['kind'],
	zone: string,
	situation: Situation,
): Pick<Draft, 'rule' | 'evidence'> {
	const {leader, zones, settings} = situation;
	switch (kind) {
		case 'ControllerDown':
			return {
				rule: 'without a controller manager nobody taints, counts down or deletes; the next one begins every countdown again',
				evidence: () =>
					leader.type === 'absent'
						? [
								fact(
									'lease/kube-system/kube-controller-manager',
									'spec.renewTime',
									isoTime(leader.since),
									`held by ${leader.holder || 'nobody'}; older than its leaseDurationSeconds`,
								),
							]
						: [],
			};
		case 'AllZonesDown':
			return {
				rule: () =>
					`if no zone has a ready node, the controller assumes that it is cut off itself: it stops every zone${settings.taintBasedEvictions ? ' and removes the NoExecute taints' : `; once a node is back, every node's time begins anew, but for those that are queued already`}`,
				evidence: () => [...zones.zones.keys()].slice(0, mostNames).map((key) => zoneFact(key, situation)),
			};
		case 'ZoneStopped':
			return {
				rule: () =>
					`${thresholdFlag(situation)}: ${rateWords(zone, situation)}${settings.taintBasedEvictions ? `; nodes that have their taint keep it, and their pods' countdowns continue` : '; nodes go on joining its queue'}`,
				evidence: () => [zoneFact(zone, situation), ...notReadyFact(zone, situation)],
			};
	}
}

export function notReadyFact(zone: string, {affected}: Situation): readonly Fact[] {
	const names = nodesIn(zone, affected)
		.filter(({node}) => !isReadyNode(node))
		.map(({node}) => node.name);
	if (names.length === 0) return [];
	return [fact(`zone/${zoneLabel(zone)}`, 'not ready', someOf(names, mostNames))];
}

/** Why a zone's nodes get no taint: what stops it, since when, what resumes it, and when the first taint follows then. */
export function stopReason(stop: Stop, zone: string, situation: Situation): ReasonDraft {
	const {now, settings} = situation;
	const {kind, by, since, releasedBy, firstAfter, isInDoubt, isForGood} = stop;
	const earliest = now + firstAfter;
	const slack = settings.nodeMonitorPeriod + second;
	const first = Range.over({lo: earliest, hi: earliest + slack});
	const waiting = situation.queues.lengthOf(zone);
	const follows =
		waiting > 0 && !isForGood
			? `. If they resumed now, the first of ${count(waiting, 'node')} waiting in zone ${zoneLabel(zone)} would ${settings.taintBasedEvictions ? 'get its taint' : 'be evicted'} ${whenWords(first, now)}`
			: '';
	return {
		reason: kind,
		effect: isInDoubt ? 'MayPrevent' : 'Prevents',
		at: since,
		what: `${by}. Evictions resume when ${releasedBy}${follows}`,
		...heldEvidence(kind, zone, situation),
	};
}
