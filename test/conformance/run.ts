import {globSync, statSync} from 'node:fs';
import {join, relative} from 'node:path';
import type {Score} from './checkForecast.ts';
import {checkVector} from './checkVector.ts';
import {summarize} from './forecastSummary.ts';

const scores: Score[] = [];

const filesUnder = (path: string): string[] =>
	statSync(path).isDirectory() ? globSync('**/*.json', {cwd: path}).map((file) => join(path, file)) : [path];

const paths = process.argv.slice(2);
if (paths.length === 0) {
	console.error('usage: npm run conformance -- DIR...');
	process.exit(1);
}
let passed = 0;
let failed = 0;
for (const file of paths.flatMap(filesUnder).toSorted()) {
	const {wrong, scores: ofFile} = checkVector(file);
	scores.push(...ofFile);
	if (wrong === undefined) passed += 1;
	else {
		failed += 1;
		console.log(`${relative('.', file)}: ${wrong}`);
	}
}
if (scores.length > 0) for (const line of summarize(scores)) console.log(line);
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 || passed === 0 ? 1 : 0;
