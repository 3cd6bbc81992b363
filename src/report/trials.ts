import {podKey} from '../core/model/pod.ts';
import {type Duration, type Instant, second} from '../core/time/instant.ts';
import type {Forecast} from '../forecast/forecast.ts';
import type {Forecaster} from '../forecast/forecaster.ts';
import type {Pausable} from '../forecast/pausable.ts';
import type {Change} from '../forecast/simulate/change.ts';
import {latestReturn, tolerating} from '../forecast/whatif/remedy.ts';
import {savedByToleration, storyOf} from './evictionStory.ts';
import type {Eviction, NodeStory, Outage, ReportTrial, TrialQuestion} from './outage.ts';

/** How many nodes are simulated; those with the most pods come first. */
export const mostNodes = 6;

/** The simulations for an outage, earliest first: returns for the first and the last pod of a node, and tolerations. */
export function questionsOf(outage: Outage): readonly TrialQuestion[] {
	const byNode = [...Map.groupBy(outage.evictions, ({node}) => node).values()]
		.toSorted((a, b) => b.length - a.length)
		.slice(0, mostNodes);
	const returns = byNode.flatMap((evictions) => {
		const inOrder = evictions.toSorted((a, b) => a.deletedAt - b.deletedAt);
		return [...new Set([inOrder[0], inOrder.at(-1)])].flatMap((one) =>
			questionOf(one, outage, {kind: 'return'}),
		);
	});
	const tolerations = savedByToleration(outage).flatMap(({sample, enough}) =>
		questionOf(sample, outage, {kind: 'toleration', seconds: enough, world: worldOf(outage)}),
	);
	return [...returns, ...tolerations].toSorted((a, b) => a.at - b.at);
}

/** When nodes fell silent and came back, as observed. */
const worldOf = ({nodes}: Outage): readonly Change[] =>
	nodes.flatMap(({name: node, lastRenewal, backAt}): readonly Change[] => [
		...(lastRenewal === undefined ? [] : [{type: 'nodeDown', node, at: lastRenewal} as const]),
		...(backAt === undefined ? [] : [{type: 'nodeBack', node, at: backAt} as const]),
	]);

type TrialQuestionKind = TrialQuestion extends infer One
	? One extends TrialQuestion
		? Omit<One, 'at' | 'pod'>
		: never
	: never;

function questionOf(
	eviction: Eviction | undefined,
	{nodes}: Outage,
	kind: TrialQuestionKind,
): readonly TrialQuestion[] {
	const story = eviction && storyOf(eviction, nodes);
	if (!eviction || story?.taintedAt === undefined || eviction.cause?.kind !== 'Taint') return [];
	const at = kind.kind === 'return' ? story.taintedAt + second : beforeTaint(story);
	return at === undefined ? [] : [{at, pod: podKey(eviction), ...kind}];
}

/** A node counts as silent once two renewals are missing. */
const silentAfter: Duration = 30 * second;
const margin: Duration = 6 * second;

/** When the node's taint could be predicted but was not there yet: later, another toleration changes no countdown. */
function beforeTaint({lastRenewal, taintedAt}: NodeStory): Instant | undefined {
	if (lastRenewal === undefined || taintedAt === undefined) return undefined;
	const at = lastRenewal + silentAfter;
	return at + margin < taintedAt ? at : undefined;
}

/** Simulates a change with what was observed up to a forecast; undefined if no eviction of the pod is pending then. */
export function* simulateTrial(
	question: TrialQuestion,
	forecast: Forecast,
	forecaster: Forecaster,
): Pausable<ReportTrial | undefined> {
	const {pod: key} = question;
	const now = forecast.observedAt;
	const predicted = forecast.pods.find((one) => podKey(one) === key);
	const pod = forecaster.store.pods.get(key);
	if (!predicted || !pod || predicted.eviction === null || predicted.verdict === 'Overdue') return undefined;
	const nothing = {question, until: undefined, seconds: undefined};
	if (question.kind === 'return') {
		const {nodeMonitorPeriod} = forecaster.settings;
		const probe = yield* forecaster.recoveryProbeInSteps(now);
		const remedy = yield* latestReturn(pod, predicted, nodeMonitorPeriod, now, probe);
		return {...nothing, until: remedy?.until};
	}
	const coming = question.world.filter(({at}) => at > now);
	for (const more of extraSeconds) {
		const seconds = question.seconds + more;
		const change = {type: 'tolerations', pod: key, tolerations: tolerating(pod, seconds), at: now} as const;
		const {pods} = yield* forecaster.whatIfInSteps([change, ...coming], now);
		const after = pods.find((one) => podKey(one.after) === key)?.after;
		if (after?.eviction === null) return {...nothing, seconds};
	}
	return nothing;
}

/** Before the taint its exact time was not known, so a certain result may need this many seconds more than was enough. */
const extraSeconds = [0, 30, 60, 120];
