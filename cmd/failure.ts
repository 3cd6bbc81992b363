import {writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {UserError} from '../src/cluster/userError.ts';
import {escapeForTerminal} from '../src/print/escape.ts';

/** What is said of a thrown error. A UserError speaks for itself; of a bug, only where its stack can be read. */
export function describeFailure(error: unknown, folder: string = tmpdir()): string {
	if (error instanceof UserError) {
		return `error: ${escapeForTerminal(error.message)}\n${error.hint ? `${escapeForTerminal(error.hint)}\n` : ''}`;
	}
	const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
	const log = join(folder, `kubectl-evictwatch-${process.pid}.log`);
	try {
		// The stack may name what the user looked at, so nobody else may read it.
		writeFileSync(log, `${process.versions.node} ${process.platform}\n${stack}\n`, {mode: 0o600});
	} catch {
		return `error: a bug in evictwatch: ${escapeForTerminal(stack)}\n`;
	}
	return `error: a bug in evictwatch, not in what you did; its stack is in ${log}\n`;
}
