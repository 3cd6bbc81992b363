import type {Instant} from '../../core/time/instant.ts';
import type {TimeZone} from '../../dates/timeZone.ts';
import type {Explanation, Target} from '../../forecast/explain/explanation.ts';
import type {ObservedDeletion} from '../../forecast/ledger/observedDeletion.ts';
import type {Setting} from '../../forecast/settings/setting.ts';
import type {ShownForecast} from './digest.ts';
import type {QuestionKind} from './questions.ts';
import type {Impacts} from './risks.ts';
import type {TapeControl} from './tape.ts';

/** How it stands with the API server. */
export type Link =
	| {readonly state: 'opening'}
	| {readonly state: 'live'}
	/** Nothing is heard; `since` is the last word. */
	| {readonly state: 'lost'; readonly since: Instant; readonly reason: string};

/** So many pods were read, of about so many; undefined once all were that are wanted. */
export type PodsReading = {readonly read: number; readonly about: number | undefined} | undefined;

/** A time in which nothing was heard: what happened then may have been missed. */
export type SceneGap = {readonly from: Instant; readonly to: Instant; readonly reason: string};

/** All that the dashboard shows of the world at one instant. Never edited: the next instant has a scene of its own. */
export type Scene = {
	/** Whose cluster it is: a context or a server, or the scenario of a demo. */
	readonly title: string;
	/** As in `/version`; undefined where it is not known. */
	readonly version?: string | undefined;
	/** Undefined before the first. */
	readonly forecast: ShownForecast | undefined;
	readonly link: Link;
	/** When the API server was last heard; undefined before the first word. */
	readonly heardAt: Instant | undefined;
	/** Each setting in force, with its source. */
	readonly settings: readonly Setting[];
	/** The oldest first. */
	readonly happenings: readonly ObservedDeletion[];
	/** Countdowns that ended without a deletion, though nothing changed. */
	readonly falseAlarms: number;
	/** What follows for workloads, as far as those could be read. */
	readonly impacts?: Impacts;
	/** Whether only the pods of nodes in trouble are read. */
	readonly isPartial: boolean;
	/** Whether nothing is foretold yet: the forecast has nodes and zones as they are. */
	readonly isCensus?: boolean;
	/** Where pods are still being read. */
	readonly reading?: PodsReading;
	/** The oldest first. */
	readonly gaps: readonly SceneGap[];
	/** Absent where there is no API server to spare. */
	readonly cost?: Cost | undefined;
};

/** The speed of a simulated world, for the keys that change it. */
export type SpeedControl = {readonly get: () => number; readonly set: (speed: number) => void};

/** What was asked for, in lines of text, with its times in a zone, and what is left of them at some instant. */
export type WhatIfAnswer = (timeZone: TimeZone, now?: Instant) => readonly string[];

/** Where scenes come from. What drives the world is not known here. */
export type SceneSource = {
	/** The latest scene. */
	readonly get: () => Scene;
	/** Calls back on every later scene; the function returned ends that. */
	readonly subscribe: (listener: () => void) => () => void;
	/** The clock that the scenes go by. */
	readonly now: () => Instant;
	/** How a forecast comes about; undefined where nothing has the target's name. */
	readonly explain: (target: Target) => Explanation | undefined;
	/** What would follow if that were so of the target. Absent where nobody can tell. */
	readonly whatIf?: (target: Target, question: QuestionKind) => Promise<WhatIfAnswer>;
	/** Somebody wants to see what a node has left: its kubelet is asked soon. Absent where none can be asked. */
	readonly lookAt?: (node: string) => void;
	readonly speed?: SpeedControl;
	/** Where what is shown was recorded. */
	readonly tape?: TapeControl;
	/** Saves what was seen as a recording and goes on with it, or ends that; what it says is for the user. */
	readonly save?: (onFailure: (error: unknown) => void) => Promise<string>;
};

/** What changes all the time, and is drawn with the clock: word of the cluster, and what that cost. */
const unsteady: ReadonlySet<string> = new Set<keyof Scene>(['heardAt', 'cost']);

/** Whether one scene shows nothing that the other did not, but for what is drawn with the clock anyway. */
export function isSameScene(a: Scene, b: Scene): boolean {
	const names = new Set([...Object.keys(a), ...Object.keys(b)]) as Set<keyof Scene>;
	return [...names].every((name) => unsteady.has(name) || a[name] === b[name]);
}

/** A scene with the pods and the workloads of one namespace alone; all of them where none is chosen. */
export function scopedTo(namespace: string | undefined, scene: Scene): Scene {
	if (namespace === undefined) return scene;
	const {forecast, impacts} = scene;
	return {
		...scene,
		forecast: forecast?.digest.inNamespace(namespace),
		...(impacts && {impacts: impacts.inNamespace(namespace)}),
	};
}

/** What looking has cost the API server so far. */
export type Cost = {
	/** Requests of any kind, watches among them. */
	readonly requests: number;
	/** Bytes of answers as they came. */
	readonly bytes: number;
	/** Watches that are open. */
	readonly watches: number;
};

/** In a few words: `41 requests, 4 watches, 1.2 MB`. */
export function formatCost({requests, bytes, watches}: Cost): string {
	const counted = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`;
	return [
		counted(requests, 'request', 'requests'),
		counted(watches, 'watch', 'watches'),
		`${(bytes / 1e6).toFixed(1)} MB`,
	].join(', ');
}
