import type {ConnectionOptions} from '../../../src/cluster/access/connectionOptions.ts';
import type {Stage} from './stage.ts';

/** One kind of fault, the same for every server that it is tried on. */
export type FaultScenario = {
	readonly name: string;
	/** Whether the client notices by silence: fast tests shorten its timeout. */
	readonly isMute?: boolean;
	/** Whether the connection uses TLS: credentials are sent only over TLS. */
	readonly isTls?: boolean;
	/** Setup before the client connects. */
	readonly before?: (stage: Stage, folder: string) => Promise<ConnectionOptions | undefined>;
	/** Inflicts the fault on a client that follows, and ends it. */
	readonly inflict: (stage: Stage, folder: string) => Promise<void>;
	/** Whether `inflict` runs before the client has received anything. */
	readonly isEarly?: boolean;
	/** What is wrong afterwards; in addition, the state must equal a fresh list's. */
	readonly check?: (stage: Stage) => readonly string[];
};
