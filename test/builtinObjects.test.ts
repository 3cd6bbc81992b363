import {expect, test} from 'vitest';
import {withBuiltinObjects} from '../scripts/trimmedDependencies.ts';

test('the bundle takes what it needs of Node.js itself from objects, and imports its own modules', () => {
	const code = withBuiltinObjects(
		[
			'import path, { join as joined, sep } from "node:path";',
			'import * as os$1 from "os";',
			'import process$1 from "node:process";',
			'import { t as own } from "./own.mjs";',
		].join('\n'),
	);
	expect(code.match(/^import.*$/gm)).toEqual(['import { t as own } from "./own.mjs";']);
	const ran = new Function(
		`${code.replace(/^import.*$/gm, '')}; return [path.sep, joined('a', 'b'), sep, os$1.EOL, process$1.pid];`,
	);
	expect(ran()).toEqual(['/', 'a/b', '/', '\n', process.pid]);
});
