import {compareTrace, type KeptTrace} from './compareTrace.ts';
import {decideOrder} from './decideOrder.ts';
import {type Outcome, readOutcome} from './outcome.ts';
import {lineOf} from './release.ts';
import {readVectors, type Suite} from './suite.ts';
import {compact, traceVectorText} from './vectorText.ts';

/**
 * The traces of the node controllers.
 *
 * @param from the release line whose vectors hold the scenarios
 * @param version the release that is recorded
 */
export function traceSuite(from: string, version: string): Suite<KeptTrace, Outcome> {
	return {
		folder: lineOf(version),
		recorder: 'record',
		runs: 30,
		vectors: readVectors<KeptTrace>(from),
		scenarioOf: ({name, vector}) => compact({...vector.scenario, name}),
		readLine: (line) => {
			const result = readOutcome(line);
			return {name: result.name, result};
		},
		compare: ({vector}, outcome) => compareTrace(vector, outcome),
		write: ({vector: {scenario}}, kubernetesVersion, outcomes) =>
			newTraceText(scenario, kubernetesVersion, outcomes),
	};
}

/** A new vector of a scenario; undefined if its runs have too little in common. */
export function newTraceText(
	scenario: KeptTrace['scenario'],
	kubernetesVersion: string,
	outcomes: readonly Outcome[],
): string | undefined {
	const decision = decideOrder(
		scenario.nodes,
		outcomes.map(({trace}) => trace),
		(scenario.config.kubeApiQps ?? 0) > 0,
	);
	const [first] = outcomes;
	if (!decision || !first) return undefined;
	const {firstPassAt, trace, zones, snapshots} = first;
	return traceVectorText({
		kubernetesVersion,
		...decision,
		firstPassAt,
		scenario,
		trace,
		zones,
		...(snapshots.length > 0 && {snapshots}),
	});
}
