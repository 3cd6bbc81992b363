import {isUnknownNode, type Node} from '../core/model/node.ts';
import {type Instant, never} from '../core/time/instant.ts';
import type {Ending} from './conclude/endings.ts';
import type {Explanation} from './explain/explanation.ts';
import type {Forecast} from './forecast.ts';
import type {NodeForecast} from './nodeForecast.ts';
import type {PodForecast} from './podForecast.ts';
import {Range} from './range.ts';
import {isMoved, type WhatIf} from './whatif/whatIf.ts';
import type {ZoneForecast, ZoneStory} from './zoneForecast.ts';

// Of a cluster whose release is older than any whose rules are known, only what it shows is told: nothing is sure to come, and
// what may come has no time.

const unknownRules = 'the rules of so old a release are not known';

/** All that is told of a time that may come. */
const openFrom = (now: Instant) => new Range(now, now, null);

const untimedPod = (pod: PodForecast, open: Range): PodForecast =>
	pod.eviction || pod.held
		? {
				...pod,
				because: [`${unknownRules}, nor whether and when it is deleted`],
				reasons: undefined,
				verdict: 'Unsure',
				eviction: open,
				held: null,
				endings: undefined,
				isUntold: true,
			}
		: pod;

export const untimedPods = (pods: readonly PodForecast[], now: Instant): readonly PodForecast[] =>
	pods.map((pod) => untimedPod(pod, openFrom(now)));

/** Whether nodes wait for a taint is a matter of rules; the condition is there. */
const seenVerdict = <Verdict extends string>(verdict: Verdict, isUnknown: boolean) =>
	verdict === 'Queued' || verdict === 'Held' ? (isUnknown ? 'Unknown' : 'NotReady') : verdict;

function untimedNode(node: NodeForecast, open: Range): NodeForecast {
	const {unknown, noExecute, eviction, cleared, ...rest} = node;
	return {
		...rest,
		verdict: seenVerdict(node.verdict, node.ready === 'Unknown'),
		unknown: unknown && open,
		noExecute: noExecute && open,
		nextProbability: null,
		...(eviction !== undefined && {eviction: eviction && open}),
		...(cleared !== undefined && {cleared: cleared && open}),
		because: node.because.length > 0 ? [unknownRules] : [],
		reasons: undefined,
		isUntold: true,
	};
}

const untimedZone = ({stopped: _, onlyController: __, ...zone}: ZoneForecast, open: Range): ZoneForecast => ({
	...zone,
	isRateAssumed: true,
	isUntold: true,
	nextTaint: zone.nextTaint && open,
	taints: [],
	queue: [],
	toNextState: [],
	coming: untimedStory(zone.coming, open),
	because: [unknownRules],
});

const untimedStory = ({steps}: ZoneStory, open: Range): ZoneStory => ({
	steps: steps.map((step) => ({...step, at: open})),
	isSure: false,
});

/** What remains of a forecast. */
export function untimed(forecast: Forecast): Forecast {
	const open = openFrom(forecast.observedAt);
	return {
		...forecast,
		nodes: forecast.nodes.map((node) => untimedNode(node, open)),
		zones: forecast.zones.map((zone) => untimedZone(zone, open)),
		pass: null,
		markingLasts: never,
	};
}

/** What remains of the answer to a what-if. */
export function untimedWhatIf(whatIf: WhatIf): WhatIf {
	const open = openFrom(whatIf.at);
	const untimedEndings = (endings: readonly Ending[]): readonly Ending[] =>
		endings.map((one) => ({...one, at: one.at && open, asked: one.asked && open, isCertain: false}));
	return {
		...whatIf,
		pods: whatIf.pods.map(({before, after, effect, endings}) => ({
			before: untimedPod(before, open),
			after: untimedPod(after, open),
			effect: effect === 'moved' ? 'unchanged' : effect,
			shift: null,
			endings: {before: untimedEndings(endings.before), after: untimedEndings(endings.after)},
		})),
		nodes: whatIf.nodes.map((node) => ({...node, turnsAt: node.turnsAt && open})),
		zones: whatIf.zones.map(({zone, before, after}) => {
			const [told, then] = [untimedStory(before, open), untimedStory(after, open)];
			return {zone, before: told, after: isMoved(told, then) ? then : told};
		}),
	};
}

/** What remains of an explanation. */
export function untimedExplanation(
	explanation: Explanation,
	nodes: ReadonlyMap<string, {readonly node: Node}>,
): Explanation {
	const {target} = explanation;
	if (target.kind === 'pod') return {...explanation, steps: [], assumptions: []};
	const node = target.kind === 'node' ? nodes.get(target.name)?.node : undefined;
	return {
		...explanation,
		verdict: node ? seenVerdict(explanation.verdict, isUnknownNode(node)) : explanation.verdict,
		summary: `What comes of ${target.kind} ${target.name} is not told: ${unknownRules}.`,
		eviction: null,
		held: null,
		steps: [],
		whyNot: [],
		assumptions: [],
	};
}
