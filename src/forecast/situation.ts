import type {ControllerSettings} from '../core/model/controllerSettings.ts';
import type {Duration, Instant} from '../core/time/instant.ts';
import type {Known} from './explain/known.ts';
import type {ZonesPast} from './infer/zonePast.ts';
import type {Evidence} from './observe/evidence.ts';
import type {Leader} from './observe/leader.ts';
import type {Suspects} from './observe/suspects.ts';
import type {Ensemble} from './simulate/ensemble.ts';

/** All that the verdicts are drawn from, at one instant. */
export type Situation = {
	readonly now: Instant;
	readonly settings: ControllerSettings;
	/** Where the settings come from, as far as an explanation is to say so. */
	readonly known: Known;
	/** As in `/version`; undefined where it is not known. */
	readonly kubernetesVersion: string | undefined;
	readonly evidence: Evidence;
	readonly leader: Leader;
	readonly suspects: Suspects;
	/** The zones as far as the nodes show them now. */
	readonly zones: ZonesPast;
	readonly ensemble: Ensemble;
	/** How long the deletions that are due already may keep each other waiting. */
	readonly lineOfDue: Duration;
};
