import {expect, test} from 'vitest';
import type {ClusterSnapshot} from '../../src/core/model/clusterSnapshot.ts';
import {settingsFor} from '../../src/core/model/controllerSettings.ts';
import {isControllerManagerLease} from '../../src/core/model/lease.ts';
import type {Observation} from '../../src/core/model/observation.ts';
import {settingsOf} from '../../src/core/simulation/scenarioObjects.ts';
import {ScenarioPlayer} from '../../src/core/simulation/scenarioPlayer.ts';
import type {Instant} from '../../src/core/time/instant.ts';
import {Forecaster} from '../../src/forecast/forecaster.ts';
import type {ZoneForecast} from '../../src/forecast/zoneForecast.ts';
import {ClientView} from '../support/clientView.ts';
import {EventFeed} from '../support/eventFeed.ts';
import {type OutageOptions, outageOf} from '../support/outages.ts';
import {lookAhead, tolerance, whatIsWrong} from '../support/truth.ts';
import {ZoneTaints} from '../support/zoneTaints.ts';

const outages = Number(process.env['EVICTWATCH_OUTAGES'] ?? 150);
/** How often a watcher looks: what it sees is at most so old. */
const watchEvery = 50;

/** What a client sees of an outage. */
type ViewOptions = {
	/** How many of the controllers' events get lost; all where it is not given. */
	readonly lostEvents?: number;
	/** Whether the leader lease may not be read. */
	readonly hidesLeader?: boolean;
};

const isOfLeader = (one: Observation) => one.type === 'leaseApplied' && isControllerManagerLease(one.lease);

/** Plays an outage, makes a forecast in it from one look and one from a minute's watching, and finds what is wrong. */
function wrongForecasts(seed: number, options: OutageOptions & ViewOptions): readonly string[] {
	const {scenario, forecastAt, clockOffset} = outageOf(seed, options);
	const defaults = settingsFor('v1.36.3');
	const settings = settingsOf(scenario.config, defaults);
	const feed = new EventFeed(options.lostEvents ?? 1, seed);
	const player = new ScenarioPlayer(scenario, defaults, seed, 0, feed.post);
	const view = new ClientView(player.simulation, clockOffset);
	const start = scenario.steps.find((step) => step.do === 'start-controllers');
	const look = (): ClusterSnapshot => {
		const {leases, ...rest} = view.list();
		const visible = leases?.filter((lease) => !options.hidesLeader || !isControllerManagerLease(lease));
		return {...rest, leases: visible, events: feed.all};
	};
	const watched = (): readonly Observation[] => {
		const seen = view.watch().filter((one) => !options.hidesLeader || !isOfLeader(one));
		return [...seen, ...feed.takeFresh().map((event): Observation => ({type: 'eventApplied', event}))];
	};
	const playTo = (at: Instant) => {
		if (start && player.simulation.now < start.at * 1000 && at >= start.at * 1000) {
			player.advanceTo(Math.max(player.simulation.now, start.at * 1000 - 1));
			feed.startAnew();
			view.controllersStarted = start.at * 1000;
		}
		player.advanceTo(at);
	};
	const now = forecastAt * 1000;
	playTo(Math.max(now - 60_000, 1000));
	const warm = new Forecaster(settings);
	warm.observeSnapshot(look());
	watched();
	for (let at = player.simulation.now; at < now; at = Math.min(now, at + watchEvery)) {
		playTo(Math.min(now, at + watchEvery));
		warm.observe(watched(), player.simulation.now);
	}
	const cold = new Forecaster(settings);
	cold.observeSnapshot(look());
	const forecasts = {cold: cold.forecast(now), warm: warm.forecast(now)};
	const deletions = new Map<string, number>();
	const taints = new ZoneTaints(player.simulation);
	const effects = player.advanceTo(now + lookAhead);
	taints.add(effects);
	for (const {at, effect} of effects) {
		if (effect.type === 'podDeleted' && !effect.again) deletions.set(effect.pod, at);
	}
	return Object.entries(forecasts).flatMap(([look, {pods, zones}]) =>
		[
			...pods.map((pod) => whatIsWrong(pod, deletions.get(`${pod.namespace}/${pod.name}`), now)),
			...zones.flatMap((zone) => wrongTaints(zone, taints.times.get(zone.zone) ?? [], now)),
		].flatMap((wrong) => (wrong === undefined ? [] : [`seed ${seed} ${look}: ${wrong}`])),
	);
}

/** The k-th taint of a zone comes in its range, whoever gets it; one that must come does come. */
function wrongTaints({zone, taints}: ZoneForecast, truths: readonly number[], now: number): string[] {
	return taints.flatMap(({earliest, latest}, k) => {
		const truth = truths[k];
		const said = `${(earliest - now) / 1000} to ${((latest ?? Number.POSITIVE_INFINITY) - now) / 1000} s`;
		if (truth === undefined) {
			return latest !== null && latest < now + lookAhead
				? [`zone ${zone} taint ${k} never comes, but ${said}`]
				: [];
		}
		const isInside =
			truth >= earliest - tolerance && truth <= (latest ?? Number.POSITIVE_INFINITY) + tolerance;
		return isInside ? [] : [`zone ${zone} taint ${k} after ${(truth - now) / 1000} s, but ${said}`];
	});
}

const seeds = Array.from({length: outages}, (_, index) => index + 1);

test.for<{name: string; options: OutageOptions & ViewOptions}>([
	{name: 'outages of nodes alone', options: {}},
	{name: 'outages with taints that users set', options: {hasUserTaints: true}},
	{name: 'outages through a throttled client', options: {isThrottled: true}},
	{name: 'outages of nodes with wrong clocks', options: {hasWrongClocks: true}},
	{name: 'outages of which events tell', options: {lostEvents: 0, hasUserTaints: true}},
	{name: 'throttled outages of which half of the events tell', options: {lostEvents: 0.5, isThrottled: true}},
	{name: 'outages with a restart', options: {hasRestart: true, hasUserTaints: true}},
	{
		name: 'outages with a restart of which most events tell',
		options: {hasRestart: true, hasUserTaints: true, lostEvents: 0.2},
	},
	{
		name: 'outages with a restart of which the events tell, and no lease',
		options: {hasRestart: true, hasUserTaints: true, lostEvents: 0, hidesLeader: true},
	},
])('a forecast contains what then happens in $name', {timeout: 120_000}, ({options}) => {
	expect(seeds.flatMap((seed) => wrongForecasts(seed, options))).toEqual([]);
});
