import type {Instant} from '../../../src/core/time/instant.ts';
import type {Upstream} from './httpProxy.ts';

/** An API server that faults are tried on: the demo's, or the real one. */
export type FaultServer = AsyncDisposable & {
	readonly upstream: Upstream;
	/** What its clock shows. */
	readonly now: () => Instant;
	/** Changes something of each collection, and deletes something. Later changes differ from earlier ones. */
	change(): Promise<void>;
	/** Creates a pod of about so many bytes. */
	addPod(name: string, bytes: number): Promise<void>;
	/** Stops its process, where that is another than this one; it goes on where it was. */
	freeze?(): Promise<() => Promise<void>>;
	/** Ends it without a word to its clients; what it stored is kept. */
	kill(): Promise<void>;
	/** Starts it again at the same address. */
	restart(): Promise<void>;
};
