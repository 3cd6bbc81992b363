import {existsSync, globSync} from 'node:fs';
import {basename, join} from 'node:path';
import {deviceSuite} from './deviceSuite.ts';
import {forecastSuite} from './forecastSuite.ts';
import {kubeletSuite} from './kubeletSuite.ts';
import {lineOf, repairOf} from './release.ts';
import {repairSuite} from './repairSuite.ts';
import {type Suite, vectorsFolder} from './suite.ts';
import {traceSuite} from './traceSuite.ts';

/**
 * All suites for a release.
 *
 * @param from the line whose vectors hold the scenarios: its own, or, if that has none, the line that has the most
 */
export function suitesFor(
	version: string,
	from = existsSync(join(vectorsFolder, lineOf(version))) ? lineOf(version) : fullestLine(),
): readonly Suite[] {
	const repair = repairOf(version);
	if (repair) return [erase(repairSuite(repair.project))];
	return [
		erase(traceSuite(from, version)),
		erase(forecastSuite(from)),
		erase(kubeletSuite(version)),
		erase(deviceSuite(version)),
	];
}

/** The release line that has the most vectors. */
export function fullestLine(): string {
	const size = (line: string) => globSync('*.json', {cwd: join(vectorsFolder, line)}).length;
	const lines = globSync(join(vectorsFolder, 'v1.*')).map((folder) => basename(folder));
	return lines.toSorted((a, b) => size(a) - size(b)).at(-1) ?? '';
}

/** Hides a suite's type parameters, which matter only inside it. */
const erase = <Vector, Result>(suite: Suite<Vector, Result>): Suite => suite as unknown as Suite;
