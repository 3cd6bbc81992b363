import {readFileSync} from 'node:fs';
import {glob} from 'node:fs/promises';
import {join} from 'node:path';
import {beforeAll, expect, test} from 'vitest';
import {build} from '../../../scripts/build.ts';
import {testFolder} from '../../support/testFolder.ts';

// Globals that Node.js 22 lacks: rolldown does not transform them, and Node.js' types include them.
const newer = new RegExp(
	[
		String.raw`\bnew (Async)?DisposableStack\b`,
		String.raw`\bnew (SuppressedError|Float16Array|URLPattern)\b`,
		String.raw`\bIntl\.DurationFormat\b`,
		String.raw`\b(Iterator\.(concat|zip|zipKeyed)|Promise\.try|RegExp\.escape|Error\.isError)\(`,
		String.raw`\b(Math\.(f16round|sumPrecise)|Atomics\.pause|process\.execve)\(`,
		String.raw`\bUint8Array\.from(Base64|Hex)\(`,
		String.raw`\.(setFrom(Base64|Hex)|getOrInsert(Computed)?)\(`,
		String.raw`\bTemporal\.(Now|Instant|Duration|Plain\w+|ZonedDateTime)\b`,
	].join('|'),
	'g',
);

const {path: folder} = testFolder();
beforeAll(() => build(folder).then(() => undefined), 120_000);

test('the program asks for no global that the oldest Node.js that it promises to run with has not', async () => {
	const found: string[] = [];
	let files = 0;
	for await (const file of glob('**/*.mjs', {cwd: folder})) {
		files += 1;
		for (const [text] of readFileSync(join(folder, file), 'utf8').matchAll(newer))
			found.push(`${file} ${text}`);
	}
	expect(files).toBeGreaterThan(3);
	expect(found).toEqual([]);
});

test('such a global would be seen', () => {
	const code = 'new AsyncDisposableStack; Iterator.concat(a); new Float16Array(1); map.getOrInsert(1, 2)';
	expect(code.match(newer)).toHaveLength(4);
});
