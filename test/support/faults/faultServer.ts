import type {Instant} from '../../../src/core/time/instant.ts';
import type {Upstream} from './httpProxy.ts';

/** An API server that faults are tried on: the demo's, or the real one. */
export type FaultServer = AsyncDisposable & {
	readonly upstream: Upstream;
	/** The server's clock. */
	readonly now: () => Instant;
	/** Changes something in each collection, and deletes something. Each change differs from the earlier ones. */
	change(): Promise<void>;
	/** Creates a pod of about `bytes` bytes. */
	addPod(name: string, bytes: number): Promise<void>;
	/** Stops its process, if it is not this process; the returned function resumes it. */
	freeze?(): Promise<() => Promise<void>>;
	/** Kills it without closing its connections; its stored data is kept. */
	kill(): Promise<void>;
	/** Starts it again at the same address. */
	restart(): Promise<void>;
};
