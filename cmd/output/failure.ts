import {writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {redact} from '../../src/text/redact.ts';
import {UserError} from '../../src/text/userError.ts';

/** What is said of a thrown error. A UserError speaks for itself; of a bug, only where its stack can be read. */
export function describeFailure(error: unknown, folder: string = tmpdir()): string {
	if (error instanceof UserError) {
		return `error: ${error.message}\n${error.hint ? `${error.hint}\n` : ''}`;
	}
	const stack = redact(error instanceof Error ? (error.stack ?? error.message) : String(error));
	const log = join(folder, `kubectl-evictwatch-${crypto.randomUUID()}.log`);
	try {
		// The stack may name what the user looked at, so nobody else may read it, or have put a file or a link there before.
		writeFileSync(log, `${process.versions.node} ${process.platform}\n${stack}\n`, {mode: 0o600, flag: 'wx'});
	} catch {
		return `error: a bug in evictwatch: ${stack}\n`;
	}
	return `error: a bug in evictwatch, not in what you did; its stack is in ${log}\n`;
}
