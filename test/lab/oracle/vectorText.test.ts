import {globSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {kubeletVectorText, parseExactly} from './kubeletText.ts';
import {vectorsFolder} from './suite.ts';
import {compact, traceVectorText} from './vectorText.ts';

const read = (file: string) => readFileSync(join(vectorsFolder, file), 'utf8');

test('every trace vector is written as it stands', () => {
	for (const file of globSync('v1.*/*.json', {cwd: vectorsFolder})) {
		const text = read(file);
		expect(traceVectorText(JSON.parse(text)), file).toBe(text.replace('100.0,\n', '100,\n'));
	}
});

test('every forecast vector is written as it stands', () => {
	for (const file of globSync('forecast/*.json', {cwd: vectorsFolder})) {
		const text = read(file);
		expect(compact(JSON.parse(text)), file).toBe(text);
	}
});

test("a kubelet's numbers above 2^53 are kept, and long values are broken into lines", () => {
	const text = '{"node":{"memory":{"availableBytes":18446744073709547520}},"part":0.5}\n';
	expect(kubeletVectorText(parseExactly(text))).toBe(text);
	const long = {trace: ['a'.repeat(90), 'b'.repeat(90)], format: 1};
	expect(kubeletVectorText(long)).toBe(
		`{\n  "format": 1,\n  "trace": [\n    "${'a'.repeat(90)}",\n    "${'b'.repeat(90)}"\n  ]\n}\n`,
	);
});
