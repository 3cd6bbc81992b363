import {isReadyNode} from '../../../core/model/node.ts';
import {zoneKey, zoneLabel} from '../../../core/model/zone.ts';
import type {Stop} from '../../infer/evictionStop.ts';
import {flag, isoTime, someOf} from '../../words.ts';
import type {Fact, Step} from '../explanation.ts';
import type {Situation} from '../situation.ts';
import {rateWords, zoneFact} from '../steps/zoneWords.ts';

/** The most nodes that the value of a fact names. */
const mostNames = 8;

/** The rule and the evidence of a stop. */
export function heldEvidence(
	kind: Stop['kind'],
	zone: string,
	situation: Situation,
): Pick<Step, 'rule' | 'evidence'> {
	const {leader, zones, settings} = situation;
	switch (kind) {
		case 'ControllerDown':
			return {
				rule: 'without a controller manager nobody taints, counts down or deletes; the next one begins every countdown again',
				evidence:
					leader.type === 'absent'
						? [
								{
									object: 'lease/kube-system/kube-controller-manager',
									field: 'spec.renewTime',
									value: isoTime(leader.since),
									note: `held by ${leader.holder || 'nobody'}; older than its leaseDurationSeconds`,
								},
							]
						: [],
			};
		case 'AllZonesDown':
			return {
				rule: `if no zone has a ready node, the controller assumes that it is cut off itself: it stops every zone${settings.taintBasedEvictions ? ' and removes the NoExecute taints' : `; once a node is back, every node's time begins anew, but for those that are queued already`}`,
				evidence: [...zones.zones.keys()].slice(0, mostNames).map((key) => zoneFact(key, situation)),
			};
		case 'ZoneStopped':
			return {
				rule: `${flag('unhealthy-zone-threshold', settings.unhealthyZoneThreshold)}: ${rateWords(zone, situation)}${settings.taintBasedEvictions ? `; nodes that have their taint keep it, and their pods' countdowns go on` : '; nodes go on joining its queue'}`,
				evidence: [zoneFact(zone, situation), ...notReadyFact(zone, situation)],
			};
	}
}

/** The nodes of a zone that are not ready, by name. */
export function notReadyFact(zone: string, {affected}: Situation): readonly Fact[] {
	const names = affected.nodes
		.filter(({node}) => zoneKey(node) === zone && !isReadyNode(node))
		.map(({node}) => node.name);
	if (names.length === 0) return [];
	return [
		{
			object: `zone/${zoneLabel(zone)}`,
			field: 'not ready',
			value: someOf(names, mostNames),
			note: '',
		},
	];
}
