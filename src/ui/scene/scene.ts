import type {Instant} from '../../core/time/instant.ts';
import type {TimeZone} from '../../dates/timeZone.ts';
import type {Explanation, Target} from '../../forecast/explain/explanation.ts';
import type {ObservedDeletion} from '../../forecast/ledger/observedDeletion.ts';
import type {Setting} from '../../forecast/settings/setting.ts';
import type {FirstReturn} from '../../forecast/whatif/firstReturns.ts';
import {count} from '../../forecast/words.ts';
import type {Connection} from '../../text/pasted.ts';
import type {ShownForecast} from './digest.ts';
import type {QuestionKind, Subject} from './questions.ts';
import type {Impacts} from './risks.ts';
import type {TapeControl} from './tape.ts';

/** The state of the connection to the API server. */
export type Link =
	/** `none` where nothing but the menu is shown. */
	| {readonly state: 'none' | 'opening'}
	| {readonly state: 'live'}
	/** Nothing is received; `since` is when something last was. */
	| {readonly state: 'lost'; readonly since: Instant; readonly reason: string};

/** How many pods were read, and about how many there are; undefined once all needed ones are read. */
export type PodsReading = {readonly read: number; readonly about: number | undefined} | undefined;

/** A time without a connection, in which changes may have been missed. */
export type SceneGap = {readonly from: Instant; readonly to: Instant; readonly reason: string};

/** Everything that the dashboard shows at one instant. Immutable: each instant has its own scene. */
export type Scene = Readonly<{
	/** The name of the cluster: a context or a server, or the scenario of a demo. */
	title: string;
	/** From `/version`; undefined if not known. */
	version?: string | undefined;
	/** Undefined before the first forecast. */
	forecast: ShownForecast | undefined;
	link: Link;
	/** When the API server last answered; undefined before the first answer. */
	heardAt: Instant | undefined;
	/** Each setting in force, with its source. */
	settings: readonly Setting[];
	/** Oldest first. */
	happenings: readonly ObservedDeletion[];
	/** Countdowns that ended without a deletion, though nothing changed. */
	falseAlarms: number;
	/** The consequences for workloads, as far as these could be read. */
	impacts?: Impacts;
	/** When the controllers took over, if a node in trouble last renewed before. */
	tookOverAt?: Instant | undefined;
	/** The returns of nodes that a person should see to first. */
	returns?: readonly FirstReturn[] | undefined;
	/** Set while pods are still being read. */
	reading?: PodsReading;
	/** Oldest first. */
	gaps: readonly SceneGap[];
	/** Absent if no API server is used. */
	cost?: ServerLoad | undefined;
}>;

/** The speed of a simulation, for the keys that change it. */
export type SpeedControl = {readonly get: () => number; readonly set: (speed: number) => void};

/** An answer as lines of text, with times in a zone and countdowns from an instant; wider tables are records. */
export type WhatIfAnswer = (timeZone: TimeZone, now?: Instant, recordWidth?: number) => readonly string[];

/** The source of scenes. It hides what produces them. */
export type SceneSource = Readonly<{
	get: () => Scene;
	/** Calls back on every later scene, until the returned function is called. */
	subscribe: (listener: () => void) => () => void;
	now: () => Instant;
	/** The explanation of a target; undefined if nothing has its name. */
	explain: (target: Target) => Explanation | undefined;
	/** The answer to a what-if about the target. Absent if there are no what-ifs. */
	whatIf?: ((subject: Subject, question: QuestionKind) => Promise<WhatIfAnswer>) | undefined;
	/** Requests a query of a node's kubelet, because its pressure is on the screen. Absent if kubelets cannot be queried. */
	lookAt?: ((node: string) => void) | undefined;
	speed?: SpeedControl | undefined;
	/** How pasted commands connect to the cluster. */
	connection?: Connection;
	tape?: TapeControl;
	/** Saves the observed data as a recording and continues it, or stops that; the result is a message for the user. */
	save?: ((onFailure: (error: unknown) => void) => Promise<string>) | undefined;
}>;

/** What is on the screen, and of when: the present, unless it is paused. */
export const presentOf = (
	{get, now}: SceneSource,
	paused: {readonly scene: Scene; readonly at: Instant} | undefined,
) => paused ?? {scene: get(), at: now()};

/** Fields that change all the time and are redrawn with the clock: the last answer, and the cost. */
const unsteady: ReadonlySet<string> = new Set<keyof Scene>(['heardAt', 'cost']);

/** Whether two scenes look the same, apart from what is redrawn with the clock. */
export function isSameScene(a: Scene, b: Scene) {
	const names = new Set([...Object.keys(a), ...Object.keys(b)]) as Set<keyof Scene>;
	return [...names].every((name) => unsteady.has(name) || a[name] === b[name]);
}

/** A scene with only the pods and workloads of one namespace; of all if none is chosen. */
export function scopedTo(namespace: string | undefined, scene: Scene): Scene {
	if (namespace === undefined) return scene;
	const {forecast, impacts} = scene;
	return {
		...scene,
		forecast: forecast?.digest.inNamespace(namespace),
		...(impacts && {impacts: impacts.inNamespace(namespace)}),
	};
}

export type ServerLoad = {
	/** Requests of any kind, including watches. */
	readonly requests: number;
	/** Bytes of answers as received. */
	readonly bytes: number;
	readonly watches: number;
};

/** A short text: `41 requests, 4 watches, 1.2 MB`. */
export function formatCost({requests, bytes, watches}: ServerLoad): string {
	const open = `${watches} ${watches === 1 ? 'watch' : 'watches'}`;
	return `${count(requests, 'request')}, ${open}, ${(bytes / 1e6).toFixed(1)} MB`;
}
