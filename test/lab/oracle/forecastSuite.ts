import {existsSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {isDeepStrictEqual} from 'node:util';
import {actionKey} from '../../conformance/actionKey.ts';
import {firstDifference} from '../../conformance/compareActions.ts';
import type {ForecastVector} from '../../conformance/forecastVector.ts';
import type {Action, TraceVector} from '../../conformance/vector.ts';
import {firstObjectDifference, known} from './compareObjects.ts';
import {usualTolerance, type Verdict} from './compareTrace.ts';
import {decideOrder} from './decideOrder.ts';
import {isOtherOrder} from './otherOrder.ts';
import {type Outcome, readOutcome} from './outcome.ts';
import {lineOf} from './release.ts';
import {type Kept, readVectors, type Suite, vectorsFolder} from './suite.ts';
import {compact} from './vectorText.ts';

type Scenario = TraceVector['scenario'];

/** The forecast vectors of a release line. Their scenarios are those of traces, without the steps after the forecast. */
export function forecastSuite(from: string): Suite<ForecastVector, Outcome> {
	return {
		folder: 'forecast',
		recorder: 'record',
		runs: 10,
		vectors: readVectors<ForecastVector>('forecast').filter(
			({vector}) => lineOf(vector.kubernetesVersion) === from,
		),
		scenarioOf: ({name, vector}) => compact({...cutOff(vector), name}),
		readLine: (line) => {
			const result = readOutcome(line);
			return {name: result.name, result};
		},
		compare: ({vector}, outcome) => compareForecast(vector, outcome),
		write,
	};
}

/** Drops the steps after the forecast's instant, and adds lists at that instant and at an earlier one. */
function cutOff({name, kubernetesVersion, before, now, until}: ForecastVector): Scenario {
	const base = baseScenario(name, kubernetesVersion);
	const [beforeAt, at] = [before.at / 1000, now.at / 1000];
	return {
		...base,
		steps: [
			...base.steps.filter((step) => step.do !== 'snapshot' && step.at < at),
			{at: beforeAt, do: 'snapshot'},
			{at, do: 'snapshot'},
		],
		until: until / 1000,
	};
}

/** The scenario of a forecast: from a trace of its own release or the newest, or its own if it has no trace. */
function baseScenario(name: string, kubernetesVersion: string): Scenario {
	const base = `${name.replace(/-at-\d+$/, '')}.json`;
	const traces = [lineOf(kubernetesVersion), 'v1.36'].map((line) => join(vectorsFolder, line, base));
	const trace = traces.find((file) => existsSync(file));
	if (trace !== undefined) return (JSON.parse(readFileSync(trace, 'utf8')) as TraceVector).scenario;
	return JSON.parse(readFileSync(join(import.meta.dirname, 'scenarios', base), 'utf8'));
}

/** Compares what a client observed, and what happened afterwards. */
function compareForecast(vector: ForecastVector, outcome: Outcome): Verdict {
	const {before, watched, now, truth, order} = vector;
	const got = halves(vector, outcome);
	if (isDeepStrictEqual([before, watched ?? [], now, truth ?? []], [...got.seen, got.truth]))
		return {is: 'same'};
	const keyOf = actionKey(order, baseScenario(vector.name, vector.kubernetesVersion).nodes);
	const [want, have] = [
		{before, watched: known(watched ?? []), now},
		{before: got.seen[0], watched: known(got.seen[1]), now: got.seen[2]},
	];
	const path =
		// The nodes that a client observed are random as well.
		order === 'undecided' ? undefined : firstObjectDifference(want, have, usualTolerance);
	const isElsewhere = path !== undefined && !isOtherOrder(want, have);
	const why =
		firstDifference(truth ?? [], got.truth, keyOf, usualTolerance) ??
		(isElsewhere ? `${path} differs` : undefined);
	return why === undefined ? {is: 'alike'} : {is: 'different', why};
}

const cancelled = 'eviction-cancelled';

function halves(before: ForecastVector, {snapshots, watched, trace}: Outcome) {
	const [first, second] = snapshots;
	if (!first || !second) throw new Error('the recorder took no snapshots');
	// Some forecast vectors were recorded without the events of cancelled evictions, which are never forecast.
	const hasEvents = before.truth?.some(({kind}) => kind === cancelled) ?? false;
	const truth = trace.filter(({at, kind}) => at > before.now.at && (hasEvents || kind !== cancelled));
	return {seen: [first, watched, second] as const, truth};
}

function write(
	{vector}: Kept<ForecastVector>,
	kubernetesVersion: string,
	outcomes: readonly Outcome[],
): string | undefined {
	const [first] = outcomes;
	const truths = outcomes.map((outcome): readonly Action[] => halves(vector, outcome).truth);
	const decision = decideOrder(baseScenario(vector.name, vector.kubernetesVersion).nodes, truths, false);
	if (!first || !decision) return undefined;
	const {
		seen: [before, watched, now],
		truth,
	} = halves(vector, first);
	return compact({...vector, kubernetesVersion, order: decision.order, before, watched, now, truth});
}
