import {spawnSync} from 'node:child_process';
import {closeSync, existsSync, openSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';

const streams = JSON.stringify(join(import.meta.dirname, '../../../cmd/output/terminal.ts'));

test.skipIf(!existsSync('/dev/full')).for(['print', 'printDocument'])(
	'standard output on a full disk is an error of one line, and no stack: %s',
	(method) => {
		const source = `import {endWithReader, processTerminal} from ${streams};
			endWithReader();
			await processTerminal.${method}('a'.repeat(100_000));
			await processTerminal.${method}('b');`;
		const full = openSync('/dev/full', 'w');
		try {
			const {status, stderr} = spawnSync(process.execPath, ['--input-type=module', '-e', source], {
				stdio: ['ignore', full, 'pipe'],
				encoding: 'utf8',
			});
			expect(stderr).toMatch(/^error: cannot write to standard output: .*\n$/);
			expect(status).toBe(1);
		} finally {
			closeSync(full);
		}
	},
);
