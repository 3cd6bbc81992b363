import {isDeepStrictEqual} from 'node:util';
import {distinct} from '../../src/cluster/transport/problem.ts';
import {latest} from '../../src/core/collections/latest.ts';
import {isHeard, type SinkEntry} from '../../src/core/model/observation.ts';
import type {Problem} from '../../src/core/model/problem.ts';
import {type Duration, type Instant, second} from '../../src/core/time/instant.ts';
import {withAfterExplained} from '../../src/forecast/explain/explainPod.ts';
import type {Explanation, Target} from '../../src/forecast/explain/explanation.ts';
import type {Forecast} from '../../src/forecast/forecast.ts';
import type {ObservedDeletion} from '../../src/forecast/ledger/observedDeletion.ts';
import type {Pausable} from '../../src/forecast/pausable.ts';
import type {Setting} from '../../src/forecast/settings/setting.ts';
import type {FirstReturn} from '../../src/forecast/whatif/firstReturns.ts';
import type {WorkloadImpact} from '../../src/impact/workloadImpact.ts';
import {isDisconnection} from '../../src/session/fleet.ts';
import {Digest, type ShownForecast, shownForecast} from '../../src/ui/scene/digest.ts';
import type {QuestionKind, Subject} from '../../src/ui/scene/questions.ts';
import {Impacts} from '../../src/ui/scene/risks.ts';
import {
	isSameScene,
	type Link,
	type PodsReading,
	type Scene,
	type SceneGap,
	type SceneSource,
	type ServerLoad,
	type WhatIfAnswer,
} from '../../src/ui/scene/scene.ts';

export type LiveParts = Pick<SceneSource, 'now' | 'lookAt' | 'speed' | 'save' | 'connection'> &
	Readonly<{
		title: string;
		/** From `/version`; undefined if unknown. */
		version: string | undefined;
		explain: (target: Target, now: Instant) => Explanation | undefined;
		settings: () => readonly Setting[];
		/** Problems from before the first observation. */
		notes?: readonly Problem[];
		happenings: () => readonly ObservedDeletion[];
		falseAlarms: () => number;
		/** When the controllers took over, if that was amid the outage. */
		tookOverAt?: (forecast: Forecast) => Instant | undefined;
		whatIf?: (
			subject: Subject,
			question: QuestionKind,
			present: () => {readonly now: Instant; readonly forecast: Forecast | undefined},
		) => Promise<WhatIfAnswer>;
		/** The impact on workloads; absent if workloads are not read. */
		impacts?: (forecast: Forecast) => readonly WorkloadImpact[];
		/** A problem that a forecast shows; always the same one. */
		problemOf?: (forecast: Forecast) => Problem | undefined;
		/** What the API server was asked so far; absent without a real API server. */
		cost?: () => ServerLoad;
		/** How many pods of a large cluster were read; absent if all arrive at once. */
		reading?: () => PodsReading;
	}>;

const none: readonly WorkloadImpact[] = [];

/** Shorter gaps are not mentioned: a kubelet renews its lease every ten seconds. */
const shortestGap: Duration = 10 * second;

/** What is heard of a cluster: when it last answered, the gaps before, and the problems of the connection. */
function hearing(now: () => Instant, notes: readonly Problem[]) {
	let problems = notes;
	let heardAt: Instant | undefined;
	let gaps: readonly SceneGap[] = [];
	const linkNow = (): Link => {
		const trouble = problems.find(isDisconnection);
		if (trouble) return {state: 'lost', since: heardAt ?? now(), reason: trouble.message};
		return heardAt === undefined ? {state: 'opening'} : {state: 'live'};
	};
	let link = linkNow();
	return {
		problems: () => problems,
		report(news: readonly Problem[]) {
			problems = [...notes, ...news];
		},
		hear(at: Instant) {
			if (heardAt !== undefined && at - heardAt > shortestGap && link.state === 'lost')
				gaps = [...gaps, {from: heardAt, to: at, reason: link.reason}];
			heardAt = at;
		},
		/** What a scene tells of it. The link before stays if it is equal, as rows are computed anew for another. */
		present() {
			const next = linkNow();
			if (!isDeepStrictEqual(link, next)) link = next;
			return {link, heardAt, gaps};
		},
	};
}

/** Makes scenes. What every view needs of a forecast is computed once. */
function sceneMaker(
	{
		title,
		version,
		settings,
		happenings,
		falseAlarms,
		tookOverAt,
		reading,
		impacts,
		problemOf,
		cost,
	}: LiveParts,
	heard: ReturnType<typeof hearing>,
) {
	/** Derived from the shown forecast or the next one. */
	let digest: Digest | undefined;
	const digestOf = (forecast: Forecast): Digest => {
		if (digest?.forecast !== forecast) digest = new Digest(forecast, digest);
		return digest;
	};
	const impactsOf = latest((all: readonly WorkloadImpact[]) => new Impacts(all));
	// The same forecast keeps its object, as much is cached by it.
	const withProblems = latest((of: Digest, own: readonly Problem[]): ShownForecast => {
		// A disconnection is shown elsewhere.
		const others = own.filter((one) => !isDisconnection(one));
		return shownForecast({...of.forecast, problems: distinct([...of.forecast.problems, ...others])}, of);
	});
	const joined = latest((heard: readonly Problem[], own: Problem | undefined) =>
		own ? [...heard, own] : heard,
	);
	let returns: readonly FirstReturn[] = [];
	// A node may have come back since they were found.
	const returnsOf = latest((all: readonly FirstReturn[], {nodes}: Digest) => {
		const down = new Set(nodes.troubled.flatMap(({name, verdict}) => (verdict === 'Recovering' ? [] : name)));
		return all.filter(({node}) => down.has(node));
	});
	return {
		digestOf,
		/** Takes what to do first; whether there is anything, or was. */
		take(found: readonly FirstReturn[]) {
			const isNews = found.length > 0 || returns.length > 0;
			returns = found;
			return isNews;
		},
		sceneOf: (forecast: Forecast | undefined, isCensus: boolean): Scene => ({
			...heard.present(),
			title,
			version,
			settings: settings(),
			happenings: happenings(),
			falseAlarms: falseAlarms(),
			reading: reading?.() ?? (isCensus ? {read: 0, about: undefined} : undefined),
			forecast: forecast && withProblems(digestOf(forecast), joined(heard.problems(), problemOf?.(forecast))),
			impacts: impactsOf((forecast && !isCensus && impacts?.(forecast)) || none),
			cost: cost?.(),
			tookOverAt: forecast && tookOverAt?.(forecast),
			returns: forecast && returnsOf(returns, digestOf(forecast)),
		}),
	};
}

export type LiveSource = ReturnType<typeof liveSource>;

/** Turns forecasts, problems and gaps into scenes. */
export function liveSource(parts: LiveParts) {
	const {now, speed, save, lookAt, connection, whatIf, explain, notes = []} = parts;
	const heard = hearing(now, notes);
	const {digestOf, sceneOf, take} = sceneMaker(parts, heard);
	const listeners = new Set<() => void>();
	let forecast: Forecast | undefined;
	/** Shown before the first forecast. */
	let census: Forecast | undefined;
	let scene = sceneOf(undefined, false);

	const observedAt = (): Instant => scene.forecast?.observedAt ?? now();

	/** Whether only nodes and zones are shown, before the first forecast. */
	const isCensus = () => forecast !== undefined && forecast === census;

	/** Shows a forecast, or the state until there is one. @param hasNews if false, the screen is redrawn only with the clock */
	const publish = (made: Forecast | undefined, _now?: Instant, hasNews = true) => {
		forecast = made;
		const before = scene;
		scene = sceneOf(made, isCensus());
		if (!hasNews || isSameScene(before, scene)) return;
		for (const listener of listeners) listener();
	};

	return {
		now,
		speed,
		save,
		lookAt,
		...(connection && {connection}),
		whatIf:
			whatIf &&
			((subject: Subject, question: QuestionKind) =>
				whatIf(subject, question, () => ({now: observedAt(), forecast: scene.forecast}))),
		get: (): Scene => scene,
		subscribe: (listener: () => void) => {
			listeners.add(listener);
			return () => listeners.delete(listener);
		},
		explain: (target: Target): Explanation | undefined => {
			const now = observedAt();
			const explanation = explain(target, now);
			return explanation && withAfterExplained(explanation, scene.forecast?.pods ?? [], now);
		},
		isCensus,
		publish,
		/** Shows what to do first, from the next frame on. */
		showReturns(found: readonly FirstReturn[]) {
			if (take(found)) publish(forecast, undefined, false);
		},
		/** Notes problems of the connection, and that the cluster has answered. */
		push(entry: SinkEntry) {
			if (entry.type === 'problems') {
				heard.report(entry.problems);
				publish(forecast);
			} else if (isHeard(entry)) heard.hear(entry.at);
		},
		/** Shows nodes and zones only, until there is a forecast; nothing if there are none. */
		showNodes(found: Forecast | undefined) {
			if (!found || forecast) return;
			census = found;
			publish(found);
		},
		/** Computes what every view needs of a forecast before it is shown. */
		*prepare(made: Forecast): Pausable<void> {
			yield* digestOf(made).prepare();
		},
	};
}
