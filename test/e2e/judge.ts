import type {NodeForecast, PodForecast, Range} from './contract.ts';
import {deviceNamespace} from './devices.ts';
import {type LostToken, lostTokenNoticedWithin, zoneOf} from './lostTokens.ts';
import type {Change} from './recorder.ts';

/** Nodes that became silent, and when they came back, if they did. */
export type Outage = {readonly at: number; readonly nodes: readonly string[]; readonly backAt?: number};

/** The forecasts, and what happened. All instants are milliseconds since the epoch. */
export type Evidence = {
	readonly pods: readonly PodForecast[];
	readonly nodes: readonly NodeForecast[];
	readonly changes: readonly Change[];
	readonly outages: readonly Outage[];
	/** The end of the recorded changes. */
	readonly endedAt: number;
	/** Forecasts for a zone from before one of its lost tokens can be noticed are not judged by what came after it. */
	readonly lostTokens?: readonly LostToken[];
};

export type Check = {readonly name: string; readonly failures: readonly string[]};

export type Prediction = {readonly observedAt: number; readonly verdict: string; readonly range: Range};

/** An event, with all earlier predictions about it. */
export type Outcome = {
	readonly subject: string;
	readonly at: number;
	/** Those that are judged. */
	readonly predictions: readonly Prediction[];
	/** Whether there was any, judged or not. */
	readonly isForecast: boolean;
};

/** The maximum time between the controller's action and the recording of its watch event. */
const tolerance = 1000;

/** How long the controller manager may take to notice that a node is back: a pass, and the tolerance. */
const recognition = 5000 + tolerance;

const unreachable = 'node.kubernetes.io/unreachable:NoExecute';
const promises: readonly string[] = ['Scheduled', 'Expected'];
const alarms: readonly string[] = [...promises, 'Overdue', 'Held'];

/** Whether a prediction holds: the event is within its range. */
export function isInside(at: number, {earliest, latest}: Range): boolean {
	return at >= earliest - tolerance && (latest === null || at <= latest + tolerance);
}

/** Each deletion of a pod, with the forecasts that predicted it as certain. */
export function deletions({changes, pods, lostTokens}: Evidence): Outcome[] {
	return changes
		.filter(({what, object}) => what === 'Terminating' && object.startsWith('pod/'))
		.map(({object, at}) => outcome(object.slice('pod/'.length), at, podPromises(pods), lostTokens));
}

/** Each node that became Unknown, or each NoExecute taint, with its forecasts. */
export function nodeSteps({changes, nodes, lostTokens}: Evidence, step: 'unknown' | 'noExecute'): Outcome[] {
	const what = step === 'unknown' ? 'Ready=Unknown' : `+${unreachable}`;
	const predictions = nodes.flatMap(({observedAt, node, verdict, [step]: range}) =>
		range ? [{subject: `${node} ${step}`, observedAt, verdict, range}] : [],
	);
	// A token delays taints, not the turn to Unknown.
	const lost = step === 'unknown' ? [] : lostTokens;
	return changes
		.filter((change) => change.what === what)
		.map(({object, at}) => outcome(`${object.slice('node/'.length)} ${step}`, at, predictions, lost));
}

/** Checks that an event was predicted, and always within the range. */
export function judgeOutcome({subject, at, predictions, isForecast}: Outcome): Check {
	const failures = predictions
		.filter(({range}) => !isInside(at, range))
		.map(({observedAt, verdict, range}) => {
			const miss = at < range.earliest ? at - range.earliest : at - (range.latest ?? at);
			return `${verdict} ${((at - observedAt) / 1000).toFixed(1)} s before: ${signed(miss)} s off the range`;
		});
	return {name: subject, failures: isForecast ? failures : ['it was not forecast']};
}

/** The checks of all forecasts together. */
export function judgeAll(evidence: Evidence): Check[] {
	return [
		{name: 'a promised eviction has a range', failures: withoutRange(evidence)},
		{name: 'a promised eviction comes', failures: brokenPromises(evidence)},
		{name: 'a pod on a living node is never said to go', failures: falseAlarms(evidence)},
		{name: 'a deleted pod is shown as Terminating', failures: forgottenDeletions(evidence)},
	];
}

/** Checks that a pod that tolerates its node's failure forever is forecast to stay, and does. */
export function judgeStay(pod: string, {pods, changes}: Evidence): Check {
	const isPredicted = pods.some((forecast) => forecast.pod === pod && forecast.verdict === 'Stays');
	const isDeleted = changes.some(({object, what}) => object === `pod/${pod}` && what === 'Terminating');
	return {
		name: `${pod} stays`,
		failures: [...(isPredicted ? [] : ['it was not said']), ...(isDeleted ? ['it went'] : [])],
	};
}

function podPromises(pods: readonly PodForecast[]) {
	return pods.flatMap(({pod, observedAt, verdict, eviction}) =>
		eviction && promises.includes(verdict) ? [{subject: pod, observedAt, verdict, range: eviction}] : [],
	);
}

function outcome(
	subject: string,
	at: number,
	predictions: readonly (Prediction & {readonly subject: string})[],
	lostTokens: readonly LostToken[] = [],
): Outcome {
	const lost = lostTokens.filter((one) => one.zone === zoneOf(subject) && one.at < at);
	const judgedFrom = Math.max(
		Number.NEGATIVE_INFINITY,
		...lost.map((one) => one.at + lostTokenNoticedWithin),
	);
	const before = predictions.filter(({subject: of, observedAt}) => of === subject && observedAt < at);
	return {
		subject,
		at,
		predictions: before.filter(({observedAt}) => observedAt >= judgedFrom),
		isForecast: before.length > 0,
	};
}

function withoutRange({pods}: Evidence): string[] {
	return pods
		.filter(({verdict, eviction}) => promises.includes(verdict) && !eviction)
		.map(({pod, verdict}) => `${pod}: ${verdict} without a range`);
}

function brokenPromises(evidence: Evidence): string[] {
	const deleted = new Set(deletions(evidence).map(({subject}) => subject));
	return podPromises(evidence.pods)
		.filter(({range}) => range.latest !== null && range.latest + tolerance < evidence.endedAt)
		.filter(({subject}) => !deleted.has(subject) && outageOf(subject, evidence)?.backAt === undefined)
		.map(({subject, verdict}) => `${subject}: ${verdict}, and is still there`);
}

function falseAlarms(evidence: Evidence): string[] {
	const isInTrouble = (pod: string, observedAt: number) => {
		const {at, backAt = Number.POSITIVE_INFINITY} = outageOf(pod, evidence) ?? {at: Number.POSITIVE_INFINITY};
		return observedAt >= at - tolerance && observedAt <= backAt + recognition;
	};
	return (
		evidence.pods
			.filter(({pod, verdict, observedAt}) => alarms.includes(verdict) && !isInTrouble(pod, observedAt))
			// Their device has failed, not their node.
			.filter(({pod}) => !pod.startsWith(`${deviceNamespace}/`))
			.map(({pod, verdict}) => `${pod}: ${verdict}`)
	);
}

/** A pod's name begins with its node's, as in shop/a-1-brief; no node fails twice. */
function outageOf(pod: string, {outages}: Evidence): Outage | undefined {
	const node = /\/(\w+-\d+)-/.exec(pod)?.[1] ?? '';
	return outages.find(({nodes}) => nodes.includes(node));
}

function forgottenDeletions(evidence: Evidence): string[] {
	const at = new Map(deletions(evidence).map((deletion) => [deletion.subject, deletion.at]));
	return evidence.pods
		.filter(({pod, observedAt}) => observedAt > (at.get(pod) ?? Number.POSITIVE_INFINITY) + tolerance)
		.filter(({verdict}) => verdict !== 'Terminating')
		.map(({pod, verdict}) => `${pod}: ${verdict}`);
}

const signed = (milliseconds: number) => `${milliseconds < 0 ? '' : '+'}${(milliseconds / 1000).toFixed(1)}`;
