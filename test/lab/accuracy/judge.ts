import type {Instant} from '../../../src/core/time/instant.ts';
import type {NodeForecast} from '../../../src/forecast/nodeForecast.ts';
import type {PodForecast} from '../../../src/forecast/podForecast.ts';
import type {Range} from '../../../src/forecast/range.ts';
import type {Change} from '../../e2e/recorder.ts';
import {alarm, blogAlarms} from './alarms.ts';
import {type Case, caseOf} from './calibration.ts';
import {type Foreseeable, foreseeableIn, horizonIn} from './foreseeable.ts';
import {type Lead, leadsIn} from './leads.ts';
import type {Recording} from './recording.ts';
import {type Look, replay, type Watcher} from './replay.ts';
import {tolerance} from './tolerance.ts';
import {type Truth, truthOf} from './truth.ts';

/** The source of a forecast: one list, or a watch. */
export const kinds = ['cold', 'warm'] as const;
export type Kind = (typeof kinds)[number];

/** A prediction of something that happened. */
export type Prediction = {
	readonly subject: string;
	readonly kind: Kind;
	readonly at: Instant;
	readonly truth: Instant;
	/** Null if nothing was predicted. */
	readonly range: Range | null;
	readonly verdict: string;
	/** The leads of this look in the report; every forecast is judged. */
	readonly leads: readonly Lead[];
	/** The blog formula's prediction at the same instant. */
	readonly blog?: Instant | undefined;
	readonly because: readonly string[];
};

export type Judgement = {
	readonly deletions: readonly Prediction[];
	readonly nodeSteps: readonly Prediction[];
	/** Pods that were forecast to be deleted by an instant and were not, by source. */
	readonly alarms: Readonly<Record<Kind | 'blog', ReadonlySet<string>>>;
	/** A description of each pod's first false alarm. */
	readonly alarmFacts: readonly string[];
	readonly deleted: number;
	/** Each forecast of a deletion, whether or not that was seen: for the odds. */
	readonly cases: readonly Case[];
};

const ownTaints = ['unreachable', 'not-ready'].map((key) => `+node.kubernetes.io/${key}:NoExecute`);

export function isInside({truth, range}: Pick<Prediction, 'truth' | 'range'>): boolean {
	if (range === null || truth < range.earliest - tolerance) return false;
	return range.latest === null || truth <= range.latest + tolerance;
}

/** Makes all forecasts of a recording, and compares them with the truth. @param watcher replaces the usual watcher */
export function judge(recording: Recording, watcher?: Watcher): Judgement {
	const foreseeable = foreseeableIn(recording);
	const truth = truthOf(recording.changes);
	const deletions: Prediction[] = [];
	const nodeSteps: Prediction[] = [];
	const alarms = {cold: new Set<string>(), warm: new Set<string>(), blog: new Set<string>()};
	const alarmFacts: string[] = [];
	const cases: Case[] = [];
	const horizon = horizonIn(recording);
	const leadsOf = leadsIn(recording, truth);
	for (const look of replay(recording, watcher)) {
		for (const kind of kinds) {
			const forecast = kind === 'warm' ? look.warm : look.fresh?.cold;
			if (!forecast) continue;
			for (const pod of forecast.pods) {
				const prediction = predictionOf(pod, kind, look, truth, foreseeable);
				const until = Math.min(horizon(pod.node, look.at), recording.endedAt);
				const odds = caseOf(
					recording.name,
					pod,
					kind,
					look.at,
					truth.get(`${pod.namespace}/${pod.name}`),
					until,
				);
				if (odds) cases.push(odds);
				const isHidden = kind === 'cold' && recording.editedPods?.includes(`${pod.namespace}/${pod.name}`);
				if (prediction && !isHidden)
					deletions.push({...prediction, leads: leadsOf(prediction.subject, look.at)});
				const fact = alarm(pod, kind, look.at, recording, truth, foreseeable);
				if (fact !== undefined && !alarms[kind].has(pod.name)) alarmFacts.push(fact);
				if (fact !== undefined) alarms[kind].add(pod.name);
			}
			for (const node of forecast.nodes)
				nodeSteps.push(...nodePredictions(node, kind, look.at, recording.changes, foreseeable));
		}
		for (const pod of blogAlarms(look, recording, truth, foreseeable)) alarms.blog.add(pod);
	}
	return {deletions, nodeSteps, alarms, alarmFacts, deleted: truth.size, cases};
}

function predictionOf(
	pod: PodForecast,
	kind: Kind,
	look: Look,
	truth: Truth,
	foreseeable: Foreseeable,
): Omit<Prediction, 'leads'> | undefined {
	const subject = `${pod.namespace}/${pod.name}`;
	const happened = truth.get(subject);
	// A deletion at the moment of the look may be visible or not.
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

function nodePredictions(
	{name, unknown, noExecute, verdict, because}: NodeForecast,
	kind: Kind,
	at: Instant,
	changes: readonly Change[],
	foreseeable: Foreseeable,
): Prediction[] {
	// A node that reports NotReady gets the taint for that first.
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
