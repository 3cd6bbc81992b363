import {expect, test} from 'vitest';
import {withBuiltinObjects} from '../scripts/trimmedDependencies.ts';

test('the bundle takes what it needs of Node.js itself from objects, and imports its own modules', () => {
	const code = withBuiltinObjects(
		[
			'import path, { join as joined, sep } from "node:path";',
			'import * as os$1 from "os";',
			'import process from "node:process";',
			'import {\n\tinspect as shown,\n\tformat\n} from "node:util";',
			'import { t as own } from "./own.mjs";',
		].join('\n'),
	);
	expect(code.match(/^import.*$/gm)).toEqual(['import { t as own } from "./own.mjs";']);
	const ran = new Function(
		`${code.replace(/^import.*$/gm, '')}; return [path.sep, joined('a', 'b'), sep, os$1.EOL, process.pid, shown(1), format('%d', 2)];`,
	);
	expect(ran()).toEqual(['/', 'a/b', '/', '\n', process.pid, '1', '2']);
});

test.each(['import os, * as all from "node:os";', 'import { default as os } from "node:os";'])(
	'an import of Node.js in a form that is not known ends the build: %s',
	(line) => {
		expect(() => withBuiltinObjects(line)).toThrow(line);
	},
);
