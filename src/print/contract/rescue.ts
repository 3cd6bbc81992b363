import type {Instant} from '../../core/time/instant.ts';
import type {Ending} from '../../forecast/conclude/endings.ts';
import type {PodForecast} from '../../forecast/podForecast.ts';
import type {Range} from '../../forecast/range.ts';
import type {Remedy} from '../../forecast/whatif/remedy.ts';
import type {HeldZone, Trigger} from '../../forecast/whatif/triggers.ts';
import type {PrintedJson} from './common.ts';

/** A possible remedy for a pod, and its simulated effect. */
export type RemedyJson = Pick<Remedy, 'kind' | 'effect' | 'eviction'> &
	Readonly<{
		/** Until when it certainly helps; null if it does not. */
		until: Instant | null;
		/** Whether `until` follows from other pods or the first node that turns Unknown, so that a later time may help as well. */
		isEarly: boolean;
		/** Held pods that the return of a node releases, because evictions resume; null if that was not simulated. */
		evicts: {readonly pods: number; readonly first: Range | null} | null;
		/** For StopControllers: the pod's verdict once a new controller manager starts; otherwise null. */
		afterRestart: PodForecast['verdict'] | null;
		/** As text. */
		what: string;
		/** The command to run; empty if there is none. */
		command: string;
	}>;

/** Printed by `rescue`: how and until when pods can be saved. */
export type RescueJson = PrintedJson<'Rescue'> & {
	readonly pods: readonly (Pick<PodForecast, 'node' | 'eviction' | 'after'> & {
		readonly metadata: Pick<PodForecast, 'namespace' | 'name' | 'uid'>;
		/** Empty if none was simulated, nor follows from what was simulated of another pod. */
		readonly remedies: readonly RemedyJson[];
		/** Everything that may end it, the earliest first; causes without a known time last. */
		readonly endings: readonly Ending[];
	})[];
	/** The zones whose pods are held, and what might release them. */
	readonly held: readonly (Pick<HeldZone, 'zone' | 'by'> & {
		readonly triggers: readonly (Pick<Trigger, 'what'> & {
			/** The first eviction that follows, in any zone; null if there is none. */
			readonly first: Range | null;
			/** How many more pods of all zones are evicted then; pods of lost nodes that were not read are not counted. */
			readonly added: number;
			/** How many fewer pods are evicted then. */
			readonly avoided: number;
		})[];
	})[];
};
