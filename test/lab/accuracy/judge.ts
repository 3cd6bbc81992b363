import type {Instant} from '../../../src/core/time/instant.ts';
import type {NodeForecast} from '../../../src/forecast/nodeForecast.ts';
import type {PodForecast} from '../../../src/forecast/podForecast.ts';
import {Range} from '../../../src/forecast/range.ts';
import type {Change} from '../../e2e/recorder.ts';
import {alarm, blogAlarms} from './alarms.ts';
import {type Foreseeable, foreseeableIn} from './foreseeable.ts';
import {type Lead, leadsIn} from './leads.ts';
import type {Recording} from './recording.ts';
import {type Look, replay, type Watcher} from './replay.ts';
import {tolerance} from './tolerance.ts';
import {type Truth, truthOf} from './truth.ts';

/** How a forecast came about. */
export const kinds = ['cold', 'warm'] as const;
export type Kind = (typeof kinds)[number];

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

const ownTaints = ['unreachable', 'not-ready'].map((key) => `+node.kubernetes.io/${key}:NoExecute`);

export function isInside({truth, range}: Pick<Said, 'truth' | 'range'>): boolean {
	if (range === null || truth < range.earliest - tolerance) return false;
	return range.latest === null || truth <= range.latest + tolerance;
}

/** Makes all forecasts of a recording and holds them against what happened; the watcher may be another than usual. */
export function judge(recording: Recording, watcher?: Watcher): Judgement {
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
				const isHidden = kind === 'cold' && recording.editedPods?.includes(`${pod.namespace}/${pod.name}`);
				if (said && !isHidden) deletions.push({...said, leads: leadsOf(said.subject, look.at)});
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

function nodeSaid(
	{name, unknown, noExecute: lasting, briefTaintFrom, verdict, because}: NodeForecast,
	kind: Kind,
	at: Instant,
	changes: readonly Change[],
	foreseeable: Foreseeable,
): Said[] {
	// The taint that lasts, and before it perhaps one that goes again.
	const noExecute =
		lasting &&
		new Range(Math.min(lasting.earliest, briefTaintFrom ?? Infinity), lasting.expected, lasting.latest);
	// A node that says that it is not ready gets the taint for that first.
	const asked = [
		{whats: ['Ready=Unknown'], range: unknown},
		{whats: ownTaints, range: noExecute},
	];
	return asked.flatMap(({whats, range}) => {
		const first = changes.find(
			(one) => one.object === `node/${name}` && whats.includes(one.what) && one.at > at,
		);
		if (range === null || first === undefined || !foreseeable(name, at, first.at)) return [];
		const subject = `${name} ${first.what}`;
		return [{subject, kind, at, truth: first.at, range, verdict, leads: [], because}];
	});
}
