import {readdirSync, readFileSync} from 'node:fs';
import {expect, test} from 'vitest';
import {settingsFor} from '../../../src/core/model/versionProfile.ts';
import type {Instant} from '../../../src/core/time/instant.ts';
import type {PodChange} from '../../../src/forecast/whatif/whatIf.ts';
import {firstDifference} from '../../conformance/compareActions.ts';
import {actionOf} from '../../conformance/playTrace.ts';
import type {Action, TraceVector} from '../../conformance/vector.ts';
import {isDeep} from '../../support/drawn.ts';
import {type Cut, cutsOf, seenUntil} from './cutScenario.ts';

const folder = 'test/conformance/vectors';
const versions = ['v1.36', 'v1.32', 'v1.16'];
/** The number of cuts tried per scenario, spread over all; all of them with EVICTWATCH_CUTS=all. */
const cutsTried = process.env['EVICTWATCH_CUTS'] === 'all' ? Number.POSITIVE_INFINITY : 1;
/** The allowance for calls and clocks, in milliseconds. */
const tolerance = 1000;

/**
 * Whether a node's time without taints depends on a peculiarity of the recorded API server: its patches truncated the times of
 * heartbeats since the start, which the controller took for a new sign of life. Real kubelets post whole seconds.
 */
const hangsOnCutTimes = ({
	config,
	steps,
	nodeStatusReportInterval = 300,
}: TraceVector['scenario']): boolean => {
	if (config.taintBasedEvictions !== false) return false;
	const isBack = (node: string, before: number) =>
		steps.some((step) => step.do === 'start-kubelet' && step.node === node && step.at < before);
	return steps.some(
		(step) =>
			step.do === 'stop-kubelet' && (step.at > nodeStatusReportInterval || isBack(step.node, step.at)),
	);
};

const namedAction = ({kind, node, pod, detail}: Action) =>
	[kind, node ?? '', pod ?? '', detail ?? ''].join(' ');

type Case = {
	readonly name: string;
	readonly vector: TraceVector;
	readonly cut: Cut;
	readonly look: 'cold' | 'warm';
};

const found = versions.flatMap((version) =>
	readdirSync(`${folder}/${version}`).flatMap((file) => {
		const vector: TraceVector = JSON.parse(readFileSync(`${folder}/${version}/${file}`, 'utf8'));
		const cuts = hangsOnCutTimes(vector.scenario) ? [] : cutsOf(vector.scenario);
		const every = Math.max(1, Math.ceil(cuts.length / cutsTried));
		return cuts
			.filter((_, index) => index % every === 0)
			.map((cut) => ({name: `${version}/${file} at ${cut.at.toFixed(2)} s`, vector, cut}));
	}),
);

/** From one list, and from a minute of watching; alternately if not all are tried. */
const cases = found.flatMap(({name, ...rest}, index): readonly Case[] => {
	const all = (['cold', 'warm'] as const).map((look) => ({...rest, name: `${name}, ${look}`, look}));
	return cutsTried > 1 ? all : all.filter((_, at) => at === index % 2);
});

/**
 * Asks at a cut what the later steps would do, and compares with the trace.
 *
 * @returns the errors and the number of judged pods; undefined if the recorded nodes' random order differs from the
 * simulation's
 */
function judge({
	vector,
	cut,
	look,
}: Case): {readonly wrong: readonly string[]; readonly judged: number} | undefined {
	const defaults = {...settingsFor(vector.kubernetesVersion), firstPassAfter: vector.firstPassAt};
	const {forecaster, effects, now, changes} = seenUntil(cut, defaults, look);
	const recorded = vector.trace.filter(({at}) => at <= now);
	const isSame =
		firstDifference(recorded, effects.flatMap(actionOf), namedAction, vector.toleranceMs) === undefined;
	if (!isSame) return undefined;
	const deletions = new Map<string, Instant>();
	for (const {kind, pod, at} of vector.trace) {
		if (kind === 'pod-deleted' && pod !== undefined && at > now && !deletions.has(pod))
			deletions.set(pod, at);
	}
	// The recorded controllers had no pod garbage collector, so its deletions are not in the trace.
	const collected = new Set(changes.flatMap((one) => (one.type === 'deleteNode' ? [one.node] : [])));
	const pods = forecaster
		.whatIf(changes, now)
		.pods.filter(({before}) => before.verdict !== 'Terminating' && !collected.has(before.node));
	const until = vector.scenario.until * 1000;
	const slack = Math.max(tolerance, vector.toleranceMs ?? 0);
	const wrong = pods.flatMap((pod) => whatIsWrong(pod, deletions, until, slack) ?? []);
	return {wrong, judged: pods.length};
}

function whatIsWrong(
	{after, effect}: PodChange,
	deletions: ReadonlyMap<string, Instant>,
	until: Instant,
	slack: number,
): string | undefined {
	const truth = deletions.get(`${after.namespace}/${after.name}`);
	const {eviction, verdict} = after;
	const said = `${verdict} ${eviction?.earliest} to ${eviction?.latest} (${effect})`;
	if (truth === undefined) {
		const isDue = eviction !== null && eviction.latest !== null && eviction.latest < until;
		return isDue ? `${after.name} stays, but was said to be ${said}` : undefined;
	}
	const isInside =
		eviction !== null &&
		truth >= eviction.earliest - slack &&
		truth <= (eviction.latest ?? Number.POSITIVE_INFINITY) + slack;
	return isInside ? undefined : `${after.name} goes at ${truth}, but was said to be ${said}`;
}

test('scripts of golden scenarios are asked for as what-ifs at more than a hundred cuts', () => {
	expect(cases.length).toBeGreaterThan(100);
});

/** A quick run plays every seventh: both looks and all releases are among them. */
const played = cases.filter((_, index) => isDeep || index % 7 === 0);

test.for(played)('a what-if equals what really happened: $name', (one) => {
	expect(judge(one)?.wrong ?? []).toEqual([]);
});
