import {writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {redact} from '../../src/text/redact.ts';
import {UserError} from '../../src/text/userError.ts';

/** The message of a thrown error: a UserError's own; for a bug, the file that holds its stack. */
export function describeFailure(error: unknown, folder: string = tmpdir()): string {
	if (error instanceof UserError) {
		return `error: ${error.message}\n${error.hint ? `${error.hint}\n` : ''}`;
	}
	const stack = redact(error instanceof Error ? (error.stack ?? error.message) : String(error));
	const log = join(folder, `kubectl-evictwatch-${crypto.randomUUID()}.log`);
	try {
		// The stack may contain names from the cluster, so only the user may read the file, and it must not exist
		// before.
		writeFileSync(log, `${process.versions.node} ${process.platform}\n${stack}\n`, {mode: 0o600, flag: 'wx'});
	} catch {
		return `error: a bug in evictwatch: ${stack}\n`;
	}
	return `error: a bug in evictwatch, not in what you did; its stack is in ${log}\n`;
}
