import {readFileSync} from 'node:fs';
import {enableCompileCache} from 'node:module';
import {homedir} from 'node:os';
import {basename, join} from 'node:path';
import {getRawAsset, isSea} from 'node:sea';
import {cachedDataVersionTag} from 'node:v8';
import {runCompiled} from './compiledScript.ts';
import {listNames} from './listNames.ts';

// What V8 has compiled once is kept beside the program, for whoever may write there, and else where kubectl keeps what it
// can make anew. Without a home it does without.
const directory = enableCompileCache(join(import.meta.dirname, 'compiled')).directory ?? ofUser();

function ofUser(): string | undefined {
	try {
		const cache = process.env['KUBECACHEDIR'] || join(homedir(), '.kube/cache');
		return enableCompileCache(join(cache, 'evictwatch')).directory;
	} catch {
		return undefined;
	}
}

/** The script of lists, by the name that the build gave it: another one has another. */
const script = process.env['EVICTWATCH_LISTS'] ?? '';

const sourceOf = (name: string): string =>
	// All of it is ASCII, which is quicker to read as what it also is.
	isSea()
		? Buffer.from(getRawAsset(name)).toString('latin1')
		: readFileSync(join(import.meta.dirname, name), 'latin1');

const [word = ''] = process.argv.slice(2);
const list = listNames.get(word);
if (list !== undefined) {
	// Each user, and each V8 with other flags, has code of its own: that of another would only be refused.
	const start = `lists-${process.getuid?.() ?? 'user'}-${cachedDataVersionTag().toString(16)}-`;
	const keep = `${start}${basename(script)}-`;
	runCompiled({
		filename: join(import.meta.dirname, script),
		source: sourceOf(script),
		cacheFile: directory && join(directory, `${keep}${list}`),
		names: {start, keep},
	});
} else await import('./main.mjs' as string);
