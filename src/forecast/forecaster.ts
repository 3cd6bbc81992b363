import {mapBy} from '../core/collections/mapBy.ts';
import type {ClusterSnapshot} from '../core/model/clusterSnapshot.ts';
import type {ControllerSettings} from '../core/model/controllerSettings.ts';
import {isControllerManagerLease} from '../core/model/lease.ts';
import {podKey} from '../core/model/pod.ts';
import type {Problem} from '../core/model/problem.ts';
import {exactly, slowestClient} from '../core/model/settingsSpan.ts';
import {beginningOfTime, type Duration, type Instant, minute} from '../core/time/instant.ts';
import {ClusterStore, changesOf, type StoreSubscriber, type StoreUpdate} from '../store/clusterStore.ts';
import {withEvictionRequests} from './conclude/deleters/evictionRequest.ts';
import {deviceEvictions} from './conclude/deviceEvictions.ts';
import {withDeviceEviction} from './conclude/deviceVerdict.ts';
import {forecastPass} from './conclude/nodeTurn.ts';
import {explain} from './explain/explain.ts';
import type {Explanation, Target} from './explain/explanation.ts';
import {type KnownSources, nothingKnown, type Situation, situationOf} from './explain/situation.ts';
import {nodeWithReasons, zoneWithReasons} from './explain/withReasons.ts';
import type {Forecast} from './forecast.ts';
import {markingLasts} from './infer/passInProgress.ts';
import type {NodeForecast} from './nodeForecast.ts';
import {findAffectedNodes, unseenZone} from './observe/affectedNodes.ts';
import {Evidence} from './observe/evidence.ts';
import {clockProblems} from './observe/nodes/clockProblems.ts';
import {isSilent} from './observe/nodes/nodeLiveness.ts';
import {overlookedProblems} from './observe/nodes/overlooked.ts';
import {isLarge, type Observed, observedOf} from './observe/observed.ts';
import {earliestOf, ObservedTime} from './observe/observedTime.ts';
import {withReliableTimes} from './observe/reliableTimes.ts';
import {evictionsSeen, settingsAsSeen} from './observe/reportedSettings.ts';
import {untimed, untimedExplanation, untimedPods, untimedWhatIf} from './olderRelease.ts';
import {finish, mapPausing, type Pausable} from './pausable.ts';
import type {PodForecast} from './podForecast.ts';
import {podScope} from './podScope.ts';
import {PodTable} from './podTable.ts';
import {learnByLook} from './settings/learned/learnedByLook.ts';
import type {ResolvedSettings} from './settings/resolve.ts';
import {flapping} from './settings/risks.ts';
import type {Setting} from './settings/setting.ts';
import type {SeenOfControllers} from './settings/settingsEvidence.ts';
import type {Change} from './simulate/change.ts';
import {type Ensemble, runEnsemble} from './simulate/ensemble.ts';
import {whatIfWithDevices} from './whatif/deviceWhatIf.ts';
import {type RecoveryProbe, recoveryProbe} from './whatif/recoveryProbe.ts';
import {askWhatIf, type WhatIf} from './whatif/whatIf.ts';

/** How many nodes are forecast between two pauses. */
const nodeForecastsAStep = 250;

/** After a gap, a watch may lag for as long as gaps are told of. */
const doubtedFor: Duration = 5 * minute;

type MadeForecast = Readonly<{
	forecast: Forecast;
	situation: Situation;
	pods: PodTable;
	/** Forecasts of all pods, without evictions by device taints. */
	plain: readonly PodForecast[];
	at: Instant;
}>;

/** What is known of the settings besides their values: the span of possible values, the list with sources, problems. */
type KnownSettings = Pick<ResolvedSettings, 'span' | 'list' | 'problems'>;

/** Predicts from the content of its store: one look, or a look and all later changes from a watch. */
export class Forecaster implements StoreSubscriber {
	readonly store: ClusterStore;
	#settings: ControllerSettings;
	#known: KnownSettings;
	#evidence: Evidence;
	#source: ClusterSnapshot['source'] = 'cluster';
	#kubernetesVersion: string | undefined;
	#problems: readonly Problem[] = [];
	readonly #seen = new ObservedTime();
	#newsArrivedAt: Instant = beginningOfTime;
	/** The last forecast, unless something other than a renewal has come since. */
	#current: MadeForecast | undefined;
	/** Whether nothing at all has come since `#current`. */
	#isFresh = false;
	/** The last forecast, whatever has come since. */
	#last: MadeForecast | undefined;

	/**
	 * @param store given if others read it as well
	 * @param kubernetesVersion unless a snapshot tells it
	 */
	constructor(
		settings: ControllerSettings,
		{span = exactly(settings), list = [], problems = []}: Partial<KnownSettings> = {},
		store = new ClusterStore(),
		kubernetesVersion?: string,
	) {
		this.store = store;
		this.#settings = settings;
		this.#known = {span, list, problems};
		this.#kubernetesVersion = kubernetesVersion;
		this.#evidence = new Evidence(settings, store);
	}

	get settings(): ControllerSettings {
		return settingsAsSeen(this.#settings, this.#evidence);
	}

	/** The settings for display, each with its source. */
	get settingList(): readonly Setting[] {
		return this.#known.list;
	}

	/** The names of the nodes whose pods a forecast needs now. */
	podScope(now: Instant): readonly string[] {
		return podScope(this.#evidence, this.store, now);
	}

	/** Takes in the first look, before any change. */
	observeSnapshot(snapshot: ClusterSnapshot) {
		const {nodes, unseenNodes, leases, observedAt, source, kubernetesVersion, problems} = snapshot;
		[this.#source, this.#kubernetesVersion, this.#problems] = [source, kubernetesVersion, problems];
		// A file may lack the leases that its cluster has. If it has the controller manager's lease, it has all.
		const areLeasesRead = source === 'cluster' || leases?.some(isControllerManagerLease);
		if (leases && nodes.length > 0 && areLeasesRead) this.#evidence.observedNodes.showLeases();
		this.take(this.store.apply(changesOf(snapshot), observedAt, {type: 'firstLook', unseenNodes}));
	}

	/** Takes in a batch that the store has just applied. */
	take({changes: received, arrivedAt, provenance}: StoreUpdate) {
		const changes = withReliableTimes(received, this.#settings);
		const isFirst = this.#evidence.nodes.size === 0;
		const gap = this.#seen.observe(arrivedAt, provenance);
		this.#isFresh = false;
		if (gap) this.#evidence.observedNodes.sawAgain(gap);
		if (gap || provenance?.type === 'watchLost') this.#current = undefined;
		if (provenance?.type === 'watchLost') return;
		const hasNews = changes.some((change) => !this.#evidence.isRoutine(change, arrivedAt));
		if (hasNews || provenance?.type === 'historyLost') this.#current = undefined;
		if (hasNews) this.#newsArrivedAt = arrivedAt;
		this.#evidence.observe(changes, arrivedAt, earliestOf(provenance, arrivedAt));
		// After a gap, forecasts go on with the first news. Nodes may have renewed unseen until then.
		const {unseenSince} = this.#seen;
		if (unseenSince !== undefined && this.#newsArrivedAt > unseenSince)
			this.#evidence.observedNodes.sawAgain({from: unseenSince, to: this.#newsArrivedAt});
		if (isFirst) this.#seen.shown(this.#evidence.observedNodes.newestRenewal ?? arrivedAt);
		if (provenance?.type === 'historyLost') this.#evidence.forgetHistory();
	}

	/** The last instant up to which a missing renewal proves anything. Forecasts are made for it. */
	seenAt(now: Instant): Instant {
		return Math.min(now, Math.max(this.#seen.at(now), this.#newsArrivedAt));
	}

	/** What the times of the observed objects show of the settings. */
	learnByLook(now: Instant): SeenOfControllers {
		return learnByLook(this.#observed(this.seenAt(now)), this.#known.span);
	}

	/** Continues with the same settings and a narrower span. */
	narrow(known: KnownSettings) {
		this.#known = known;
		this.#current = undefined;
	}

	/** Continues with other settings, from the present state of the cluster, and with the countdowns that were seen to start. */
	startAgain(resolved: ResolvedSettings, now: Instant) {
		this.#settings = resolved.settings;
		this.narrow(resolved);
		this.#last = undefined;
		this.#newsArrivedAt = beginningOfTime;
		const {timers} = this.#evidence;
		this.#evidence = new Evidence(this.#settings, this.store);
		this.take({changes: this.store.asChanges, arrivedAt: now, provenance: undefined});
		this.#evidence.timers.keepSeen(timers);
	}

	/**
	 * Predicts what happens if nothing changes: kubelets that renew continue, silent ones stay silent. While the cluster cannot
	 * be observed, the forecast is that of the last observed instant: renewals may be made unseen.
	 *
	 * @param isEnough whether no more pods are wanted than those up to this one: most of a forecast's work is that of its pods
	 */
	forecast(asked: Instant, isEnough?: (pod: PodForecast) => boolean): Forecast {
		return finish(this.forecastInSteps(asked, isEnough));
	}

	/** The same with pauses. In a pause explanations may be asked for, but nothing may be observed. */
	*forecastInSteps(asked: Instant, isEnough?: (pod: PodForecast) => boolean): Pausable<Forecast> {
		const now = this.seenAt(asked);
		// A repeated call for the same instant returns the same forecast.
		if (this.#current && this.#isFresh && this.#current.at === now) return this.#current.forecast;
		const situation = yield* this.#situation(now);
		const nodes = yield* mapPausing([...this.#evidence.nodes.values()], nodeForecastsAStep, (one) =>
			nodeWithReasons(one, situation),
		);
		const pods = yield* PodTable.of(situation, nodes, this.#last?.pods, isEnough);
		const plain = pods.all();
		yield;
		const forecast = yield* this.#join(situation, plain, nodes);
		if (isEnough) return forecast;
		this.#last = {forecast, situation, pods, plain, at: now};
		[this.#current, this.#isFresh] = [this.#last, true];
		return forecast;
	}

	*#situation(now: Instant): Pausable<Situation> {
		const observed = this.#observed(now);
		yield;
		const {span} = this.#known;
		return situationOf(observed, yield* runEnsemble(observed, span), span);
	}

	/** The present situation, with the ensemble of an earlier forecast. */
	#situationWith(now: Instant, ensemble: Ensemble): Situation {
		return situationOf(this.#observed(now), ensemble, this.#known.span);
	}

	#observed(now: Instant): Observed {
		const [evidence, kubernetesVersion, {span}] = [this.#evidence, this.#kubernetesVersion, this.#known];
		const settings = {...this.settings, ...slowestClient(span)};
		const {nodeMonitorGracePeriod} = span.lateEnd;
		const affected = findAffectedNodes(evidence, now, settings, nodeMonitorGracePeriod);
		return observedOf({now, settings, kubernetesVersion, evidence, affected}, this.#seen);
	}

	*#join(
		situation: Situation,
		plain: readonly PodForecast[],
		nodes: readonly NodeForecast[],
	): Pausable<Forecast> {
		const seen = [
			...evictionsSeen(this.#settings, this.#evidence, situation.missingEvictions),
			...clockProblems(this.#evidence.nodes.values(), this.#seen.isGapSince(situation.now - doubtedFor)),
			...flapping(this.#evidence.nodes.values(), situation.settings),
			...overlookedProblems(situation, situation.affected.overlooked),
		];
		yield;
		const pods = this.#withDevices(plain, situation);
		yield;
		const seenZones = [...situation.zones.zones].filter(([zone]) => zone !== unseenZone);
		const zones = yield* mapPausing(seenZones, 1, ([zone, past]) => zoneWithReasons(zone, past, situation));
		const forecast: Forecast = {
			observedAt: situation.now,
			source: this.#source,
			...(this.#kubernetesVersion === undefined ? {} : {kubernetesVersion: this.#kubernetesVersion}),
			problems: [...this.#problems, ...seen, ...this.#known.problems],
			pods,
			nodes,
			zones,
			pass: forecastPass(situation),
			markingLasts: markingLasts(situation),
		};
		return this.#isOlder ? untimed(forecast) : forecast;
	}

	#withDevices(pods: readonly PodForecast[], situation: Situation): readonly PodForecast[] {
		const evictions = deviceEvictions(this.store, situation);
		const ofDevices =
			evictions.size === 0 ? pods : pods.map((pod) => withDeviceEviction(pod, evictions, situation));
		const all = withEvictionRequests(ofDevices, this.store.repair.values(), situation.now);
		return this.#isOlder ? untimedPods(all, situation.now) : all;
	}

	/**
	 * When something other than a renewal last happened: when it arrived, or `now` if since the last forecast a node fell
	 * silent, or the controllers stopped or started. No message reports these.
	 */
	changedAt(now: Instant): Instant {
		const last = this.#last;
		if (!last) return this.#newsArrivedAt;
		const seenAt = this.seenAt(now);
		const {nodes, controllers} = this.#evidence;
		const fellSilent = [...nodes.values()].some((one) => isSilent(one, seenAt) && !isSilent(one, last.at));
		const {type} = controllers.leader(seenAt, this.#seen);
		return fellSilent || type !== last.situation.leader.type ? now : this.#newsArrivedAt;
	}

	/** When the last change other than a renewal arrived. */
	get newsArrivedAt(): Instant {
		return this.#newsArrivedAt;
	}

	/** Explains the forecast of one pod, node or zone; undefined if there is none of that name. */
	explain(target: Target, now: Instant, known: KnownSources = nothingKnown): Explanation | undefined {
		const {situation, pods} = this.#toExplain(now);
		const settings = this.#known.list.length > 0 ? this.#known.list : known.settings;
		const explanation = explain(target, pods, {...situation, known: {...known, settings}});
		return explanation && this.#isOlder ? untimedExplanation(explanation, this.#evidence.nodes) : explanation;
	}

	/** Whether the release is older than any whose rules are known. */
	get #isOlder() {
		return [...this.#problems, ...this.#known.problems].some(({reason}) => reason === 'VersionOlder');
	}

	/** The basis of explanations: the last forecast, if it is for this instant or the cluster is large; otherwise a new one. */
	#toExplain(now: Instant): {readonly situation: Situation; readonly pods: readonly PodForecast[]} {
		const [last, newest] = [this.#current, this.#last];
		if (last?.at === now) return {situation: last.situation, pods: last.forecast.pods};
		if (newest && isLarge(this.#evidence))
			return {situation: this.#situationWith(now, newest.situation), pods: newest.forecast.pods};
		const situation = finish(this.#situation(now));
		return {situation, pods: this.#withDevices(finish(PodTable.of(situation)).all(), situation)};
	}

	/** Predicts what changes would do. Their instants are not before `now`. */
	whatIf(changes: readonly Change[], now: Instant): WhatIf {
		return finish(this.whatIfInSteps(changes, now));
	}

	/** The same with pauses, in which nothing may be observed or forecast. @param only the key of the only pod that is wanted */
	*whatIfInSteps(changes: readonly Change[], now: Instant, only?: string): Pausable<WhatIf> {
		yield* this.forecastInSteps(now);
		const {plain = [], forecast} = this.#current ?? {};
		const forecasts = mapBy(plain, podKey);
		const zones = forecast?.zones ?? [];
		const situation = yield* this.#latestSituation(now);
		const whatIf = yield* askWhatIf(changes, {forecasts, zones}, situation, this.#known.span, only);
		const all = whatIfWithDevices(whatIf, forecasts, this.store, situation);
		return this.#isOlder ? untimedWhatIf(all) : all;
	}

	/** Answers for many pods whether the return of their node saves them; valid until the next observation. */
	*recoveryProbeInSteps(now: Instant): Pausable<RecoveryProbe> {
		return recoveryProbe(yield* this.#latestSituation(now), this.#known.span);
	}

	*#latestSituation(now: Instant): Pausable<Situation> {
		return this.#current ? this.#situationWith(now, this.#current.situation) : yield* this.#situation(now);
	}
}
