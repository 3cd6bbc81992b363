import {isDeepStrictEqual} from 'node:util';
import {repairActionKey} from '../../conformance/repair/checkVector.ts';
import type {RepairVector} from '../../conformance/repair/vector.ts';
import {type RepairProject, repairOf} from './release.ts';
import {compareTraces, readTraceRun, readVectors, type Suite, type TraceRun} from './suite.ts';
import {compact} from './vectorText.ts';

/** The node repair of one project. */
export const repairSuite = (project: RepairProject): Suite<RepairVector, TraceRun> => ({
	folder: 'repair',
	recorder: 'repair',
	runs: 5,
	vectors: readVectors<RepairVector>('repair').filter(({vector}) => repairOf(vector.of)?.project === project),
	scenarioOf: ({vector, name}) => compact({...vector.repairScenario, name}),
	readLine: readTraceRun,
	compare: ({vector}, {trace}) => compareTraces(vector.trace, trace, repairActionKey),
	write: ({vector}, version, runs) => repairVectorText(vector.repairScenario, version, runs),
});

/** A new vector; undefined if the runs differ. */
export function repairVectorText(
	repairScenario: RepairVector['repairScenario'],
	version: string,
	runs: readonly TraceRun[],
): string | undefined {
	const [first] = runs;
	if (!first || !runs.every(({trace}) => isDeepStrictEqual(trace, first.trace))) return undefined;
	return `${compact({of: version, repairScenario, trace: first.trace})}\n`;
}
