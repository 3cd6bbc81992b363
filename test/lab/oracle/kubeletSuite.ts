import {isDeepStrictEqual} from 'node:util';
import type {Verdict} from './compareTrace.ts';
import {coreOf, firstVictim, type KubeletRun, type KubeletTrace, summarizeRuns} from './kubeletRuns.ts';
import {kubeletVectorText, parseExactly} from './kubeletText.ts';
import {lineOf} from './release.ts';
import {type Kept, readVectors, type Suite} from './suite.ts';

/** A golden trace of the kubelet's eviction manager, whose format is documented with the vectors. */
type KubeletVector = KubeletTrace & {
	readonly source: string;
	readonly scenario: {readonly name: string};
	readonly determinism: {
		readonly podOrderSensitive: boolean;
		readonly firstVictimsShuffled: readonly string[] | null;
	};
	readonly variants?: readonly Pick<KubeletTrace, 'trace' | 'passes'>[];
	readonly varyingEvents?: readonly ({readonly index: number} & Readonly<Record<string, unknown>>)[];
};

/** The vectors of pkg/kubelet/eviction, all of one release line. */
export function kubeletSuite(version: string): Suite<KubeletVector, KubeletRun> {
	return {
		folder: 'kubelet',
		recorder: 'kubelet',
		runs: 300,
		vectors: isRecordable(version)
			? readVectors('kubelet', (text) => parseExactly(text) as KubeletVector)
			: [],
		scenarioOf: ({vector, name}) => kubeletVectorText({...vector.scenario, name}),
		readLine: (line) => {
			const result = JSON.parse(line) as KubeletRun;
			return {name: result.name, result};
		},
		compare: ({vector}, run) => compare(vector, run),
		write,
	};
}

/** Before v1.36 the manager had no context, so its loop could not be ended. */
const isRecordable = (version: string) => Number(lineOf(version).split('.')[1]) >= 36;

function compare(vector: KubeletVector, run: KubeletRun): Verdict {
	const shuffled = shuffledDifference(vector, run.shuffled);
	if (shuffled !== undefined) return {is: 'different', why: shuffled};
	const isWhole =
		isDeepStrictEqual([vector.trace, vector.passes, vector.debug], [run.trace, run.passes, run.debug]) &&
		vector.parseError === run.parseError;
	if (isWhole) return {is: 'same'};
	if (outcomesOf(vector).some((known) => isAlike(vector, known, run))) return {is: 'alike'};
	const at = run.trace.findIndex((event, i) => !isDeepStrictEqual(event, vector.trace[i]));
	const [expected, got] = [vector.trace[at], run.trace[at]].map(
		(event) => JSON.stringify(event) ?? 'nothing',
	);
	return {is: 'different', why: `event ${at}: expected ${expected}, got ${got}`};
}

/** All outcomes that were observed in the scenario's own order of pods. */
const outcomesOf = (vector: KubeletVector) => vector.variants ?? [vector];

function isAlike(
	{varyingEvents = []}: KubeletVector,
	known: Pick<KubeletTrace, 'trace' | 'passes'>,
	run: KubeletRun,
): boolean {
	if (known.trace.length !== run.trace.length || !isDeepStrictEqual(known.passes, run.passes)) return false;
	return known.trace.every((event, i) => {
		const varying: Readonly<Record<string, unknown>> = varyingEvents.find(({index}) => index === i) ?? {};
		const got: Readonly<Record<string, unknown>> = run.trace[i] ?? {};
		const keys = new Set([...Object.keys(event), ...Object.keys(got)]);
		return [...keys].every((key) => {
			const seen = varying[key];
			if (Array.isArray(seen)) return seen.some((value) => isDeepStrictEqual(value, got[key]));
			return isDeepStrictEqual(event[key], got[key]);
		});
	});
}

/** Another order of pods may change only what the vector lists. */
function shuffledDifference(vector: KubeletVector, shuffled: KubeletTrace): string | undefined {
	const {podOrderSensitive, firstVictimsShuffled} = vector.determinism;
	if (!podOrderSensitive) {
		const core = coreOf(shuffled);
		if (outcomesOf(vector).some((known) => coreOf(known) === core)) return undefined;
		return `with the pods in another order: ${core}`;
	}
	const victim = firstVictim(shuffled);
	if (victim === undefined || firstVictimsShuffled?.includes(victim)) return undefined;
	return `with the pods in another order ${victim} goes first`;
}

function write(
	{vector}: Kept<KubeletVector>,
	version: string,
	runs: readonly KubeletRun[],
): string | undefined {
	const summary = summarizeRuns(runs);
	return kubeletVectorText({
		format: 1,
		source: `k8s.io/kubernetes ${version} pkg/kubelet/eviction`,
		scenario: vector.scenario,
		...summary,
	});
}
