import {isDeepStrictEqual} from 'node:util';
import {firstDifference} from '../../conformance/compareActions.ts';
import {repairActionKey} from '../../conformance/repair/checkVector.ts';
import type {RepairVector} from '../../conformance/repair/vector.ts';
import type {Action} from '../../conformance/vector.ts';
import {type RepairProject, repairOf} from './release.ts';
import {readVectors, type Suite} from './suite.ts';
import {compact} from './vectorText.ts';

/** The result of playing a scenario once. */
type RepairRun = {readonly name: string; readonly trace: readonly Action[]};

/** Reads a line of the recorder. Go writes an empty list as null. */
function readRun(line: string): RepairRun {
	const {name, trace} = JSON.parse(line) as {name: string; trace: readonly Action[] | null};
	return {name, trace: trace ?? []};
}

/** The node repair of one project. */
export const repairSuite = (project: RepairProject): Suite<RepairVector, RepairRun> => ({
	folder: 'repair',
	recorder: 'repair',
	runs: 5,
	vectors: readVectors<RepairVector>('repair').filter(({vector}) => repairOf(vector.of)?.project === project),
	scenarioOf: ({vector, name}) => compact({...vector.repairScenario, name}),
	readLine: (line) => {
		const result = readRun(line);
		return {name: result.name, result};
	},
	compare: ({vector}, {trace}) => {
		if (isDeepStrictEqual(vector.trace, trace)) return {is: 'same'};
		const why = firstDifference(vector.trace, trace, repairActionKey);
		return why === undefined ? {is: 'alike'} : {is: 'different', why};
	},
	write: ({vector}, version, runs) => repairVectorText(vector.repairScenario, version, runs),
});

/** A new vector; undefined if the runs differ. */
export function repairVectorText(
	repairScenario: RepairVector['repairScenario'],
	version: string,
	runs: readonly RepairRun[],
): string | undefined {
	const [first] = runs;
	if (!first || !runs.every(({trace}) => isDeepStrictEqual(trace, first.trace))) return undefined;
	return `${compact({of: version, repairScenario, trace: first.trace})}\n`;
}
