import {isDeepStrictEqual} from 'node:util';
import {distinct} from '../../src/cluster/transport/problem.ts';
import {latest} from '../../src/core/collections/latest.ts';
import {isHeard, type ObservationSink, type SinkEntry} from '../../src/core/model/observation.ts';
import type {Problem} from '../../src/core/model/problem.ts';
import {type Duration, type Instant, second} from '../../src/core/time/instant.ts';
import {withAfterExplained} from '../../src/forecast/explain/explainPod.ts';
import type {Explanation, Target} from '../../src/forecast/explain/explanation.ts';
import type {Forecast} from '../../src/forecast/forecast.ts';
import type {ObservedDeletion} from '../../src/forecast/ledger/observedDeletion.ts';
import type {Pausable} from '../../src/forecast/pausable.ts';
import type {Setting} from '../../src/forecast/settings/setting.ts';
import type {WorkloadImpact} from '../../src/impact/workloadImpact.ts';
import {isDisconnection} from '../../src/session/fleet.ts';
import type {Display} from '../../src/session/session.ts';
import {Digest, type ShownForecast, shownForecast} from '../../src/ui/scene/digest.ts';
import type {QuestionKind} from '../../src/ui/scene/questions.ts';
import {Impacts} from '../../src/ui/scene/risks.ts';
import {
	isSameScene,
	type Link,
	type PodsReading,
	type Scene,
	type SceneGap,
	type SceneSource,
	type ServerLoad,
	type SpeedControl,
	type WhatIfAnswer,
} from '../../src/ui/scene/scene.ts';

export type LiveParts = Pick<SceneSource, 'now' | 'lookAt' | 'speed' | 'save'> & {
	readonly title: string;
	/** From `/version`; undefined if unknown. */
	readonly version: string | undefined;
	readonly explain: (target: Target, now: Instant) => Explanation | undefined;
	readonly settings: () => readonly Setting[];
	/** Problems from before the first observation. */
	readonly notes?: readonly Problem[];
	readonly happenings: () => readonly ObservedDeletion[];
	readonly falseAlarms: () => number;
	readonly whatIf?: (
		target: Target,
		question: QuestionKind,
		present: () => {readonly now: Instant; readonly forecast: Forecast | undefined},
	) => Promise<WhatIfAnswer>;
	/** The impact on workloads; absent if workloads are not read. */
	readonly impacts?: (forecast: Forecast) => readonly WorkloadImpact[];
	/** What the API server was asked so far; absent without a real API server. */
	readonly cost?: () => ServerLoad;
	/** How many pods of a large cluster were read; absent if all arrive at once. */
	readonly reading?: () => PodsReading;
};

const none: readonly WorkloadImpact[] = [];

/** Shorter gaps are not mentioned: a kubelet renews its lease every ten seconds. */
const shortestGap: Duration = 10 * second;

/** Turns forecasts, problems and gaps into scenes. */
export class LiveSource implements SceneSource, ObservationSink, Display {
	readonly #parts: LiveParts;
	readonly #listeners = new Set<() => void>();
	readonly now: () => Instant;
	readonly speed?: SpeedControl;
	readonly save?: (onFailure: (error: unknown) => void) => Promise<string>;
	readonly whatIf?: NonNullable<SceneSource['whatIf']>;
	readonly lookAt?: (node: string) => void;
	#scene: Scene;
	#heardAt: Instant | undefined;
	#problems: readonly Problem[];
	#gaps: readonly SceneGap[] = [];
	#forecast: Forecast | undefined;
	/** Shown before the first forecast. */
	#census: Forecast | undefined;
	/** Derived from the shown forecast or the next one. */
	#digest: Digest | undefined;
	readonly #impactsOf = latest((impacts: readonly WorkloadImpact[]) => new Impacts(impacts));
	// The same forecast keeps its object, as much is cached by it.
	readonly #withProblems = latest((digest: Digest, own: readonly Problem[]): ShownForecast => {
		const {forecast} = digest;
		// A disconnection is shown elsewhere.
		const others = own.filter((one) => !isDisconnection(one));
		return shownForecast({...forecast, problems: distinct([...forecast.problems, ...others])}, digest);
	});

	constructor(parts: LiveParts) {
		this.#parts = parts;
		this.#problems = parts.notes ?? [];
		this.now = parts.now;
		if (parts.speed) this.speed = parts.speed;
		if (parts.save) this.save = parts.save;
		if (parts.lookAt) this.lookAt = parts.lookAt;
		const {whatIf} = parts;
		if (whatIf)
			this.whatIf = (target, question) =>
				whatIf(target, question, () => ({now: this.#observedAt, forecast: this.#scene.forecast}));
		this.#scene = this.#sceneOf(undefined);
	}

	get = (): Scene => this.#scene;

	subscribe = (listener: () => void): (() => void) => {
		this.#listeners.add(listener);
		return () => this.#listeners.delete(listener);
	};

	explain = (target: Target): Explanation | undefined => {
		const explanation = this.#parts.explain(target, this.#observedAt);
		return explanation && withAfterExplained(explanation, this.#scene.forecast?.pods);
	};

	get #observedAt(): Instant {
		return this.#scene.forecast?.observedAt ?? this.now();
	}

	/** Notes problems of the connection, and that the cluster has answered. */
	push(entry: SinkEntry): void {
		if (entry.type === 'problems') {
			this.#problems = [...(this.#parts.notes ?? []), ...entry.problems];
			this.publish(this.#forecast);
		} else if (isHeard(entry)) this.#hear(entry.at);
	}

	#hear(at: Instant): void {
		const {link} = this.#scene;
		const since = this.#heardAt;
		if (since !== undefined && at - since > shortestGap && link.state === 'lost') {
			this.#gaps = [...this.#gaps, {from: since, to: at, reason: link.reason}];
		}
		this.#heardAt = at;
	}

	/** Whether only nodes and zones are shown, before the first forecast. */
	get isCensus(): boolean {
		return this.#forecast !== undefined && this.#forecast === this.#census;
	}

	/** Shows nodes and zones only, until there is a forecast; nothing if there are none. */
	showNodes(census: Forecast | undefined): void {
		if (!census || this.#forecast) return;
		this.#census = census;
		this.publish(census);
	}

	/** Computes what every view needs of a forecast before it is shown. */
	*prepare(forecast: Forecast): Pausable<void> {
		yield* this.#digestOf(forecast).prepare();
	}

	#digestOf(forecast: Forecast): Digest {
		const digest = this.#digest?.forecast === forecast ? this.#digest : new Digest(forecast, this.#digest);
		this.#digest = digest;
		return digest;
	}

	/** Shows a forecast, or the state until there is one. @param hasNews if false, the screen is redrawn only with the clock */
	publish(forecast: Forecast | undefined, _now?: Instant, hasNews = true): void {
		this.#forecast = forecast;
		const before = this.#scene;
		this.#scene = this.#sceneOf(forecast, before.link);
		if (!hasNews || isSameScene(before, this.#scene)) return;
		for (const listener of this.#listeners) listener();
	}

	/** @param known the link before, which stays if it is equal, as rows are computed anew for another */
	#sceneOf(forecast: Forecast | undefined, known?: Link): Scene {
		const {settings, happenings, falseAlarms, title, version} = this.#parts;
		const impacts = forecast && !this.isCensus ? this.#parts.impacts?.(forecast) : undefined;
		const link = this.#linkOf();
		return {
			title,
			version,
			link: known && isDeepStrictEqual(known, link) ? known : link,
			heardAt: this.#heardAt,
			gaps: this.#gaps,
			settings: settings(),
			happenings: happenings(),
			falseAlarms: falseAlarms(),
			reading: this.#parts.reading?.() ?? (this.isCensus ? {read: 0, about: undefined} : undefined),
			forecast: forecast && this.#withProblems(this.#digestOf(forecast), this.#problems),
			impacts: this.#impactsOf(impacts ?? none),
			cost: this.#parts.cost?.(),
		};
	}

	#linkOf(): Link {
		const trouble = this.#problems.find(isDisconnection);
		if (trouble) return {state: 'lost', since: this.#heardAt ?? this.now(), reason: trouble.message};
		return this.#heardAt === undefined ? {state: 'opening'} : {state: 'live'};
	}
}
