import {globSync, readFileSync, statSync} from 'node:fs';
import {join, relative} from 'node:path';
import {type Score, scoreForecasts} from './checkForecast.ts';
import {firstWrong, summarize} from './forecastSummary.ts';
import {isForecastVector} from './forecastVector.ts';
import {checkKubeletFile, isKubeletFile} from './kubelet/checkFile.ts';
import {checkTrace} from './playTrace.ts';
import {isTraceVector} from './vector.ts';

const scores: Score[] = [];

/** Plays one file; answers what is wrong with it. Its kind shows in its content. */
function check(file: string): string | undefined {
	try {
		const text = readFileSync(file, 'utf8');
		const content: unknown = JSON.parse(text);
		if (isKubeletFile(content)) return checkKubeletFile(text);
		if (isTraceVector(content)) return checkTrace(content);
		if (!isForecastVector(content)) return 'a vector of an unknown kind';
		const ofFile = scoreForecasts(content);
		scores.push(...ofFile);
		return firstWrong(ofFile);
	} catch (error) {
		return error instanceof Error ? (error.stack ?? error.message) : String(error);
	}
}

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
	const difference = check(file);
	if (difference === undefined) passed += 1;
	else {
		failed += 1;
		console.log(`${relative('.', file)}: ${difference}`);
	}
}
if (scores.length > 0) for (const line of summarize(scores)) console.log(line);
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 || passed === 0 ? 1 : 0;
