import type {ControllerSettings} from '../../core/model/controllerSettings.ts';
import type {Duration, Instant} from '../../core/time/instant.ts';
import type {AffectedNodes} from './affectedNodes.ts';
import type {Evidence} from './evidence.ts';
import type {Leader} from './leader.ts';

/** What the API showed up to one instant, and what it proves. */
export type Observed = {
	readonly now: Instant;
	readonly settings: ControllerSettings;
	/** As in `/version`; undefined where it is not known. */
	readonly kubernetesVersion: string | undefined;
	readonly evidence: Evidence;
	readonly leader: Leader;
	readonly affected: AffectedNodes;
	/** How long the deletions that are due already may keep each other waiting. */
	readonly delayOfDue: Duration;
};
