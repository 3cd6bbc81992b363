import type {Instant} from '../../core/time/instant.ts';
import type {Divergence} from '../compare/divergence.ts';

/** Something that somebody shall know of, from its beginning to its end. */
export type Alert = {
	/** The same for the same thing, over restarts too. */
	readonly key: string;
	readonly name: 'EvictwatchDivergence' | 'EvictwatchEvictions';
	readonly isFiring: boolean;
	/** What it is known by; these never change while it lasts. */
	readonly labels: Readonly<Record<string, string>>;
	/** What is said of it, which may change. */
	readonly annotations: Readonly<Record<string, string>>;
	readonly startsAt: Instant;
	/** Null while it fires. */
	readonly endsAt: Instant | null;
};

/** A divergence as an alert: it fires as long as it lasts and is an alarm. @param now when it ended, where it does not say */
export function divergenceAlert(divergence: Divergence, now: Instant): Alert {
	const {id, kind, action, object, zone, reason, because, explainedBy, isAlarm, noticedAt, endedAt} =
		divergence;
	const isFiring = isAlarm && endedAt === null;
	const whose = object.namespace === undefined ? object.name : `${object.namespace}/${object.name}`;
	return {
		key: id,
		name: 'EvictwatchDivergence',
		isFiring,
		labels: {
			action,
			zone,
			object_kind: object.kind,
			...(object.namespace !== undefined && {namespace: object.namespace}),
			object: object.name,
			divergence: id,
		},
		annotations: {
			summary: `${action} of ${whose} is ${kind.toLowerCase()}`,
			description: because.join(' '),
			kind,
			reason,
			...(explainedBy !== null && {explained_by: explainedBy}),
		},
		startsAt: noticedAt,
		endsAt: isFiring ? null : (endedAt ?? now),
	};
}
