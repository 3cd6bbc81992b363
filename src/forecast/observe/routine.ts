import {isControllerManagerLease} from '../../core/model/lease.ts';
import type {Observation} from '../../core/model/observation.ts';
import {withKnownZoneLabels, zoneKey} from '../../core/model/zone.ts';
import type {Instant} from '../../core/time/instant.ts';
import type {Evidence} from './evidence.ts';

/** Whether an observation shows only that a healthy node is still alive. */
export function isRoutine(observation: Observation, evidence: Evidence, now: Instant): boolean {
	if (observation.type === 'leaseApplied') {
		if (isControllerManagerLease(observation.lease))
			return evidence.controllers.isSameLeader(observation.lease);
		const known = evidence.nodes.get(observation.lease.name);
		return known !== undefined && !evidence.isAffected(known, now);
	}
	if (observation.type === 'eventDeleted') return true;
	if (observation.type !== 'nodeApplied') return false;
	const node = withKnownZoneLabels(observation.node, evidence.settings);
	const known = evidence.nodes.get(node.name);
	if (!known || evidence.isAffected(known, now)) return false;
	const next = {...known, node, heartbeatAt: {lo: now, hi: now}};
	return !evidence.isAffected(next, now) && zoneKey(known.node) === zoneKey(node);
}
