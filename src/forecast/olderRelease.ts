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

const from = (now: Instant) => new Range(now, now, null);

const ifAny = (range: Range | null | undefined, now: Instant): Range | null => (range ? from(now) : null);

export const untimedPod = (pod: PodForecast, now: Instant): PodForecast =>
	pod.eviction || pod.held
		? {
				...pod,
				because: [`${unknownRules}, nor whether and when it is deleted`],
				reasons: undefined,
				verdict: 'Unsure',
				eviction: from(now),
				held: null,
				isUntold: true,
			}
		: pod;

/** Whether nodes wait for a taint is a matter of rules; the condition is there. */
const seenVerdict = <Verdict extends string>(verdict: Verdict, isUnknown: boolean) =>
	verdict === 'Queued' || verdict === 'Held' ? (isUnknown ? 'Unknown' : 'NotReady') : verdict;

function untimedNode(node: NodeForecast, now: Instant): NodeForecast {
	const {unknown, noExecute, eviction, cleared, briefTaintFrom: _, ...rest} = node;
	return {
		...rest,
		verdict: seenVerdict(node.verdict, node.ready === 'Unknown'),
		...{unknown: ifAny(unknown, now), noExecute: ifAny(noExecute, now), nextProbability: null},
		...(eviction !== undefined && {eviction: ifAny(eviction, now)}),
		...(cleared !== undefined && {cleared: ifAny(cleared, now)}),
		because: node.because.length > 0 ? [unknownRules] : [],
		reasons: undefined,
		isUntold: true,
	};
}

const untimedZone = (
	{stopped: _, onlyController: __, ...zone}: ZoneForecast,
	now: Instant,
): ZoneForecast => ({
	...zone,
	...{isRateAssumed: true, isUntold: true},
	...{nextTaint: ifAny(zone.nextTaint, now), taints: [], queue: [], toNextState: []},
	...{coming: untimedStory(zone.coming, now), because: [unknownRules]},
});

const untimedStory = ({steps}: ZoneStory, now: Instant): ZoneStory => ({
	steps: steps.map((step) => ({...step, at: from(now)})),
	isSure: false,
});

/** What remains of a forecast. */
export const untimed = (forecast: Forecast): Forecast => ({
	...forecast,
	pods: forecast.pods.map((pod) => untimedPod(pod, forecast.observedAt)),
	nodes: forecast.nodes.map((node) => untimedNode(node, forecast.observedAt)),
	zones: forecast.zones.map((zone) => untimedZone(zone, forecast.observedAt)),
	...{pass: null, markingLasts: never},
});

const untimedEndings = (endings: readonly Ending[], now: Instant): readonly Ending[] =>
	endings.map((one) => ({...one, at: ifAny(one.at, now), asked: ifAny(one.asked, now), isCertain: false}));

/** What remains of the answer to a what-if. */
export const untimedWhatIf = (whatIf: WhatIf): WhatIf => ({
	...whatIf,
	pods: whatIf.pods.map(({before, after, effect, endings}) => ({
		before: untimedPod(before, whatIf.at),
		after: untimedPod(after, whatIf.at),
		effect: effect === 'moved' ? 'unchanged' : effect,
		shift: null,
		endings: {
			before: untimedEndings(endings.before, whatIf.at),
			after: untimedEndings(endings.after, whatIf.at),
		},
	})),
	nodes: whatIf.nodes.map((node) => ({...node, turnsAt: ifAny(node.turnsAt, whatIf.at)})),
	zones: whatIf.zones.map(({zone, before, after}) => {
		const [told, then] = [untimedStory(before, whatIf.at), untimedStory(after, whatIf.at)];
		return {zone, before: told, after: isMoved(told, then) ? then : told};
	}),
});

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
		...{eviction: null, held: null, steps: [], whyNot: [], assumptions: []},
	};
}
