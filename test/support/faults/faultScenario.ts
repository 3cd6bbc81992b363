import type {ConnectionOptions} from '../../../src/cluster/access/connectionOptions.ts';
import type {Stage} from './stage.ts';

/** One kind of trouble: the same for every server that it is tried on. */
export type FaultScenario = {
	readonly name: string;
	/** Whether the client finds out by silence: a test in a hurry makes its patience short. */
	readonly isMute?: boolean;
	/** Whether the way there is TLS: credentials are only sent over that. */
	readonly isTls?: boolean;
	/** Set up before anybody connects. */
	readonly before?: (stage: Stage, folder: string) => Promise<ConnectionOptions | undefined>;
	/** Does it, to a client that follows, and ends it. */
	readonly inflict: (stage: Stage, folder: string) => Promise<void>;
	/** Whether `inflict` comes before the client knows anything. */
	readonly isEarly?: boolean;
	/** What is wrong afterwards, besides that the state must be that of a fresh list. */
	readonly check?: (stage: Stage) => readonly string[];
};
