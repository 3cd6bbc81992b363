import type {ShadowListener} from '../src/shadow/shadowView.ts';
import type {Options} from './options.ts';

/** What else a shadow does with what it knows. */
export type ShadowParts = {
	readonly listeners: readonly ShadowListener[];
	/** Lets go of all that they hold, once all is told. */
	readonly close: () => Promise<void>;
};

/** Makes them as the flags ask for. @throws UserError where a flag cannot be followed */
export async function shadowParts(_options: Options): Promise<ShadowParts> {
	return {listeners: [], close: async () => undefined};
}
