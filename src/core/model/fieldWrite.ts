import type {Instant} from '../time/instant.ts';

/** One managedFields entry: who wrote some fields of an object, and when, by the API server's clock (whole seconds). */
export type FieldWrite = {
	readonly manager: string;
	readonly operation: string;
	readonly time: Instant;
};
