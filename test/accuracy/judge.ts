import {type Instant, second} from '../../src/core/time/instant.ts';
import type {NodeForecast} from '../../src/forecast/nodeForecast.ts';
import type {PodForecast, Range} from '../../src/forecast/podForecast.ts';
import type {Predictor} from '../../src/live/drive.ts';
import type {Change} from '../e2e/recorder.ts';
import {type Foreseeable, foreseeableIn} from './foreseeable.ts';
import type {Recording} from './recording.ts';
import {type Look, replay} from './replay.ts';

/** How a forecast came about. */
export const kinds = ['cold', 'warm'] as const;
export type Kind = (typeof kinds)[number];

/** How long before the deletion a forecast is looked at, in seconds; or right after its node's taint arrived. */
export const leads = [60, 30, 10, 'taint'] as const;
export type Lead = (typeof leads)[number];

/** What was said of something that then happened. */
export type Said = {
	readonly subject: string;
	readonly kind: Kind;
	readonly at: Instant;
	readonly truth: Instant;
	/** Null where it was not foretold. */
	readonly range: Range | null;
	readonly verdict: string;
	/** The instants at which the report looks; every forecast is judged. */
	readonly leads: readonly Lead[];
	/** What the blog formula says at the same instant. */
	readonly blog?: Instant | undefined;
	readonly because: readonly string[];
};

export type Judgement = {
	readonly deletions: readonly Said[];
	readonly nodeSteps: readonly Said[];
	/** Pods that were said to go by an instant and did not, by who said so. */
	readonly alarms: Readonly<Record<Kind | 'blog', ReadonlySet<string>>>;
	/** What was said of the first false alarm of each pod. */
	readonly alarmFacts: readonly string[];
	readonly deleted: number;
};

/** What lies between the controller's act and the instant at which its watch event is noted, at most. */
export const tolerance = second;
export const blogTolerance = 5 * second;
const nearEnough = 1.6 * second;
const unreachable = '+node.kubernetes.io/unreachable:NoExecute';

export function isInside({truth, range}: Pick<Said, 'truth' | 'range'>): boolean {
	if (range === null || truth < range.earliest - tolerance) return false;
	return range.latest === null || truth <= range.latest + tolerance;
}

/** Makes all forecasts of a recording and holds them against what happened; the watcher may be another than usual. */
export function judge(recording: Recording, watcher?: Predictor): Judgement {
	const foreseeable = foreseeableIn(recording);
	const truth = truthOf(recording.changes);
	const deletions: Said[] = [];
	const nodeSteps: Said[] = [];
	const alarms = {cold: new Set<string>(), warm: new Set<string>(), blog: new Set<string>()};
	const alarmFacts: string[] = [];
	const leadsOf = leadsIn(recording, truth);
	for (const look of replay(recording, watcher)) {
		for (const kind of kinds) {
			const forecast = kind === 'warm' ? look.warm : look.fresh?.cold;
			if (!forecast) continue;
			for (const pod of forecast.pods) {
				const said = podSaid(pod, kind, look, truth, foreseeable);
				if (said) deletions.push({...said, leads: leadsOf(said.subject, look.at)});
				const fact = alarm(pod, kind, look.at, recording, truth, foreseeable);
				if (fact !== undefined && !alarms[kind].has(pod.name)) alarmFacts.push(fact);
				if (fact !== undefined) alarms[kind].add(pod.name);
			}
			for (const node of forecast.nodes)
				nodeSteps.push(...nodeSaid(node, kind, look.at, recording.changes, foreseeable));
		}
		for (const pod of blogAlarms(look, recording, truth, foreseeable)) alarms.blog.add(pod);
	}
	return {deletions, nodeSteps, alarms, alarmFacts, deleted: truth.size};
}

type Truth = ReadonlyMap<string, Instant>;

/** When each pod's deletion was seen. */
function truthOf(changes: readonly Change[]): Truth {
	const first = changes
		.filter(({what, object}) => what === 'Terminating' && object.startsWith('pod/'))
		.toReversed();
	return new Map(first.map(({object, at}) => [object.slice('pod/'.length), at]));
}

function podSaid(
	pod: PodForecast,
	kind: Kind,
	look: Look,
	truth: Truth,
	foreseeable: Foreseeable,
): Omit<Said, 'leads'> | undefined {
	const subject = `${pod.namespace}/${pod.name}`;
	const happened = truth.get(subject);
	// What was deleted at the moment of the look may be seen already or not yet.
	if (happened === undefined || happened <= look.at || pod.verdict === 'Terminating') return undefined;
	if (!foreseeable(pod.node, look.at, happened)) return undefined;
	const {eviction: range, verdict, because} = pod;
	return {
		subject,
		kind,
		at: look.at,
		truth: happened,
		range,
		verdict,
		because,
		blog: look.fresh?.blog.get(subject),
	};
}

function alarm(
	pod: PodForecast,
	kind: Kind,
	at: Instant,
	{endedAt}: Recording,
	truth: Truth,
	foreseeable: Foreseeable,
): string | undefined {
	const latest = pod.eviction?.latest;
	if (truth.has(`${pod.namespace}/${pod.name}`) || latest === undefined || latest === null) return undefined;
	if (latest + tolerance >= endedAt || !foreseeable(pod.node, at, latest)) return undefined;
	return `${pod.name} (${kind}, ${pod.verdict}): said to go by ${time(latest)} at ${time(at)}, and stayed`;
}

function blogAlarms(
	{at, fresh}: Look,
	{endedAt}: Recording,
	truth: Truth,
	foreseeable: Foreseeable,
): string[] {
	if (!fresh) return [];
	const {blog, snapshot} = fresh;
	const nodes = new Map(snapshot.pods.map((pod) => [`${pod.namespace}/${pod.name}`, pod.nodeName]));
	return [...blog].flatMap(([pod, said]) =>
		!truth.has(pod) && said + blogTolerance < endedAt && foreseeable(nodes.get(pod) ?? '', at, said)
			? [pod]
			: [],
	);
}

function nodeSaid(
	{name, unknown, noExecute, verdict, because}: NodeForecast,
	kind: Kind,
	at: Instant,
	changes: readonly Change[],
	foreseeable: Foreseeable,
): Said[] {
	const asked = [
		{what: 'Ready=Unknown', range: unknown},
		{what: unreachable, range: noExecute},
	];
	return asked.flatMap(({what, range}) => {
		const truth = changes.find(
			(one) => one.object === `node/${name}` && one.what === what && one.at > at,
		)?.at;
		if (range === null || truth === undefined || !foreseeable(name, at, truth)) return [];
		return [{subject: `${name} ${what}`, kind, at, truth, range, verdict, leads: [], because}];
	});
}

/** Finds for each deletion the looks nearest to the leads, and says which a look is. */
function leadsIn(
	{snapshots, changes}: Recording,
	truth: Truth,
): (pod: string, at: Instant) => readonly Lead[] {
	const times = snapshots.map(({observedAt}) => observedAt);
	const chosen = new Map<string, ReadonlyMap<Lead, Instant | undefined>>();
	for (const [pod, deletedAt] of truth) {
		const node = `node/${/\/(\w+-\d+)-/.exec(pod)?.[1]}`;
		const taint = changes.findLast(
			({object, what, at}) => object === node && /^\+.*:NoExecute$/.test(what) && at <= deletedAt,
		)?.at;
		const nearest = (wanted: Instant) =>
			times
				.filter((time) => Math.abs(time - wanted) <= nearEnough)
				.toSorted((a, b) => Math.abs(a - wanted) - Math.abs(b - wanted))[0];
		const find = (lead: Lead) => {
			if (lead !== 'taint') return nearest(deletedAt - lead * second);
			return taint === undefined
				? undefined
				: times.find((time) => time > taint && time - taint < nearEnough);
		};
		chosen.set(pod, new Map(leads.map((lead) => [lead, find(lead)])));
	}
	return (pod, at) => leads.filter((lead) => chosen.get(pod)?.get(lead) === at);
}

export const time = (at: Instant) => new Date(at).toISOString().slice(11, 23);
