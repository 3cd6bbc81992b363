import {expect, test} from 'vitest';
import type {Observation, Provenance} from '../../src/core/model/observation.ts';
import {podKey} from '../../src/core/model/pod.ts';
import {settingsFor} from '../../src/core/model/versionProfile.ts';
import type {Instant} from '../../src/core/time/instant.ts';
import {Random} from '../../src/core/time/random.ts';
import {Forecaster} from '../../src/forecast/forecaster.ts';
import {ClientView} from '../support/clientView.ts';
import {playDrawn} from '../support/drawn.ts';
import {feed} from '../support/feed.ts';
import {type OutageOptions, outageOf} from '../support/outages.ts';
import {settingsOf} from '../support/scenario/scenarioObjects.ts';
import {ScenarioPlayer} from '../support/scenario/scenarioPlayer.ts';
import {lookAhead, whatIsWrong} from '../support/truth.ts';

const watchEvery = 50;
const minute = 60_000;

/** The observation gap in a minute of watching. */
type Gap = {readonly from: Instant; readonly to: Instant};

/** What a watcher receives after a gap: all events, late; or only their result; or nothing; or the pods' first list. */
type Kind = 'late' | 'historyLost' | 'watchLost' | 'podsFirstLook';

/** Watches a cluster with a gap in it. */
class Watcher {
	readonly forecaster: Forecaster;
	readonly #kind: Kind;
	readonly #gap: Gap;
	readonly #view: ClientView;
	readonly #known: {readonly nodes: Set<string>; readonly pods: Set<string>} = {
		nodes: new Set(),
		pods: new Set(),
	};
	#held: Observation[] = [];
	#isOver = false;

	constructor(kind: Kind, gap: Gap, forecaster: Forecaster, view: ClientView) {
		this.#kind = kind;
		this.#gap = gap;
		this.forecaster = forecaster;
		this.#view = view;
		const seen = view.list();
		forecaster.observeSnapshot(kind === 'podsFirstLook' ? {...seen, pods: []} : seen);
		if (kind !== 'podsFirstLook') for (const pod of seen.pods) this.#known.pods.add(podKey(pod));
		for (const {name} of seen.nodes) this.#known.nodes.add(name);
	}

	tell(observations: readonly Observation[], at: Instant): void {
		const {from, to} = this.#gap;
		if (this.#kind === 'podsFirstLook') {
			this.#tellButPods(observations, at);
		} else if (at <= from) {
			this.#note(observations);
			feed(this.forecaster, observations, at);
		} else if (this.#kind === 'watchLost') {
			feed(this.forecaster, [], at, {type: 'watchLost', since: from});
		} else if (at < to) {
			this.#held.push(...observations);
		} else if (!this.#isOver) {
			this.#isOver = true;
			const provenance: Provenance = {type: this.#kind, since: from};
			const missed = this.#kind === 'late' ? [...this.#held, ...observations] : this.#listed();
			feed(this.forecaster, missed, at, provenance);
		} else {
			feed(this.forecaster, observations, at);
		}
	}

	/** The pods are listed and watched from the end of the gap on, when their node is detected as affected. */
	#tellButPods(observations: readonly Observation[], at: Instant): void {
		const isOfPod = ({type}: Observation) => type === 'podApplied' || type === 'podDeleted';
		feed(
			this.forecaster,
			observations.filter((one) => this.#isOver || !isOfPod(one)),
			at,
		);
		if (at < this.#gap.to || this.#isOver) return;
		this.#isOver = true;
		const pods = this.#view.list().pods.map((pod): Observation => ({type: 'podApplied', pod}));
		feed(this.forecaster, pods, at, {type: 'firstLook'});
	}

	#note(observations: readonly Observation[]): void {
		const {nodes, pods} = this.#known;
		for (const one of observations) {
			if (one.type === 'nodeApplied') nodes.add(one.node.name);
			if (one.type === 'nodeDeleted') nodes.delete(one.name);
			if (one.type === 'podApplied') pods.add(podKey(one.pod));
			if (one.type === 'podDeleted') pods.delete(podKey(one));
		}
	}

	#listed(): readonly Observation[] {
		const {nodes, pods, leases = []} = this.#view.list();
		const there = new Set([...nodes.map(({name}) => name), ...pods.map(podKey)]);
		const missingNodes = [...this.#known.nodes].filter((name) => !there.has(name));
		const gonePods = [...this.#known.pods].filter((key) => !there.has(key));
		return [
			...missingNodes.map((name): Observation => ({type: 'nodeDeleted', name})),
			...gonePods.map((key): Observation => {
				const [namespace = '', name = ''] = key.split('/');
				return {type: 'podDeleted', namespace, name};
			}),
			...nodes.map((node): Observation => ({type: 'nodeApplied', node})),
			...leases.map((lease): Observation => ({type: 'leaseApplied', lease})),
			...pods.map((pod): Observation => ({type: 'podApplied', pod})),
		];
	}
}

function wrongForecasts(seed: number, kind: Kind, options: OutageOptions): readonly string[] {
	const {scenario, forecastAt} = outageOf(seed, options);
	const defaults = settingsFor('v1.36.3');
	const player = new ScenarioPlayer(scenario, defaults, seed);
	const view = new ClientView(player.simulation);
	const now = forecastAt * 1000;
	const begin = Math.max(now - minute, 1000);
	player.advanceTo(begin);
	const random = new Random(seed);
	const from = begin + random.next() * (now - begin) * 0.7;
	// Kubelets' actions in a gap cannot be predicted, so a gap without an end begins after all of them.
	const gap = kind === 'watchLost' ? {from: now, to: now} : {from, to: from + random.next() * (now - from)};
	const askedAt = kind === 'watchLost' ? now + random.next() * minute : now;
	const watcher = new Watcher(kind, gap, new Forecaster(settingsOf(scenario.config, defaults)), view);
	view.watch();
	const deletions: {readonly pod: string; readonly at: Instant}[] = [];
	const advanceTo = (to: Instant) => {
		for (const {at, effect} of player.advanceTo(to)) {
			if (effect.type === 'podDeleted' && !effect.again) deletions.push({pod: effect.pod, at});
		}
	};
	for (let at = player.simulation.now; at < askedAt; ) {
		at = Math.min(askedAt, at + watchEvery);
		advanceTo(at);
		watcher.tell(view.watch(), at);
	}
	const {pods, observedAt} = watcher.forecaster.forecast(askedAt);
	advanceTo(askedAt + lookAhead);
	return pods.flatMap((pod) => {
		const truth = deletions.find(
			({pod: key, at}) => key === `${pod.namespace}/${pod.name}` && at > observedAt,
		)?.at;
		const wrong = whatIsWrong(pod, truth, observedAt);
		return wrong ? [`seed ${seed} ${kind}: ${wrong}`] : [];
	});
}

const outages: readonly {readonly of: string; readonly options: OutageOptions}[] = [
	{of: 'nodes alone', options: {hasUserTaints: false, isThrottled: false}},
	{of: 'user taints', options: {hasUserTaints: true, isThrottled: false}},
	{of: 'throttled', options: {hasUserTaints: false, isThrottled: true}},
];

test.for<{name: string; kind: Kind}>([
	{name: 'brings all that happened, late', kind: 'late'},
	{name: 'shows only what came of it', kind: 'historyLost'},
	{name: 'has not ended', kind: 'watchLost'},
	{name: 'hid the pods of a node that was not affected', kind: 'podsFirstLook'},
])('a forecast after a gap that $name contains what then happens', ({kind}) => {
	const wrong = outages.map(({of, options}) => {
		const drawn = {suite: 'gaps', kind: `${kind}, ${of}`, count: 100};
		return playDrawn(drawn, (seed) => wrongForecasts(seed, kind, options)).flat();
	});
	expect(wrong.flat()).toEqual([]);
});
