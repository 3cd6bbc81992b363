import type {LoadHookSync} from 'node:module';
import {fileURLToPath} from 'node:url';
import {trimmedModule} from '../../scripts/trimmedDependencies.ts';

/** Loads a module as in the built program: without the code that is cut from dependencies. */
export const loadTrimmed: LoadHookSync = (url, context, next) => {
	const loaded = next(url, context);
	if (!url.startsWith('file:') || !loaded.source) return loaded;
	const source = trimmedModule(String(loaded.source), fileURLToPath(url));
	return source === undefined ? loaded : {...loaded, source};
};
