import type {ClusterSnapshot} from '../../src/core/model/clusterSnapshot.ts';
import {isControllerManagerLease} from '../../src/core/model/lease.ts';
import type {Observation} from '../../src/core/model/observation.ts';
import {podKey} from '../../src/core/model/pod.ts';
import {settingsFor} from '../../src/core/model/versionProfile.ts';
import type {Instant} from '../../src/core/time/instant.ts';
import {never} from '../../src/core/time/instant.ts';
import type {Forecast} from '../../src/forecast/forecast.ts';
import {endOfEvictions, pendingOf, startOfEvictions} from '../../src/forecast/pending.ts';
import type {ZoneForecast} from '../../src/forecast/zoneForecast.ts';
import {aForecaster} from './aForecaster.ts';
import {ClientView} from './clientView.ts';
import {EventFeed} from './eventFeed.ts';
import {feed as tell} from './feed.ts';
import {type Outage, type OutageOptions, outageOf} from './outages.ts';
import {settingsOf} from './scenario/scenarioObjects.ts';
import {ScenarioPlayer} from './scenario/scenarioPlayer.ts';
import {lookAhead, tolerance, whatIsWrong} from './truth.ts';
import {ZoneTaints} from './zoneTaints.ts';

/** How often a watcher receives changes, which is the maximum age of its view. */
const watchEvery = 50;

/** A client's view of an outage. */
export type ViewOptions = {
	/** The share of the controllers' events that are lost; all by default. */
	readonly lostEvents?: number;
	/** Whether the client may not read the leader lease. */
	readonly hidesLeader?: boolean;
};

const isOfLeader = (one: Observation) => one.type === 'leaseApplied' && isControllerManagerLease(one.lease);

/** What is drawn, what the client observes, and the release of the controllers. */
export type SoundnessOptions = OutageOptions & ViewOptions & {readonly version?: string};

/** Plays an outage, makes a forecast from one list and one from a minute of watching, and returns what is wrong. */
export const wrongForecasts = (seed: number, options: SoundnessOptions): readonly string[] =>
	wrongIn(outageOf(seed, options), seed, options);

/** The same for a given outage. */
export function wrongIn(
	{scenario, forecastAt, clockOffset}: Outage,
	seed: number,
	options: ViewOptions & {readonly version?: string} = {},
): readonly string[] {
	const defaults = settingsFor(options.version ?? 'v1.36.3');
	const settings = settingsOf(scenario.config, defaults);
	const feed = new EventFeed(options.lostEvents ?? 1, seed);
	const start = scenario.steps.find((step) => step.do === 'start-controllers');
	const player = new ScenarioPlayer(scenario, defaults, seed, 0, feed.post, {
		listsNodesInRandomOrder: !settings.requeuesWaitingNodes || !settings.taintBasedEvictions,
		firstPassesMeet: start !== undefined,
	});
	const view = new ClientView(player.simulation, clockOffset);
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
	const warm = aForecaster(settings, look());
	watched();
	for (let at = player.simulation.now; at < now; at = Math.min(now, at + watchEvery)) {
		playTo(Math.min(now, at + watchEvery));
		tell(warm, watched(), player.simulation.now);
	}
	const cold = aForecaster(settings, look());
	const forecasts = {cold: cold.forecast(now), warm: warm.forecast(now)};
	// No pod garbage collector runs here, which deletes the pods of deleted nodes.
	const hasNode = ({node}: {readonly node: string}) => player.simulation.state.node(node) !== undefined;
	const deletions = new Map<string, number>();
	const taints = new ZoneTaints(player.simulation);
	const effects = player.advanceTo(now + lookAhead);
	taints.add(effects);
	for (const {at, effect} of effects) {
		if (effect.type === 'podDeleted' && !effect.again) deletions.set(effect.pod, at);
	}
	return Object.entries(forecasts).flatMap(([look, {pods, zones, nodes}]) =>
		[
			...wrongEnds({pods: pods.filter(hasNode), nodes, zones}, deletions, now),
			...pods
				.filter(hasNode)
				.map((pod) => whatIsWrong(pod, deletions.get(`${pod.namespace}/${pod.name}`), now)),
			...zones.flatMap((zone) => wrongTaints(zone, taints.times.get(zone.zone) ?? [], now)),
			// Without taints, a node without pods takes a token unseen.
			...(settings.taintBasedEvictions ? zones : []).flatMap((zone) =>
				wrongToken(zone, taints.times.get(zone.zone) ?? [], now),
			),
		].flatMap((wrong) => (wrong === undefined ? [] : [`seed ${seed} ${look}: ${wrong}`])),
	);
}

/** The first and the last of all evictions that are sure must come within their ranges, whichever pods they are of. */
function wrongEnds(
	forecast: Pick<Forecast, 'pods' | 'nodes' | 'zones'>,
	deletions: ReadonlyMap<string, number>,
	now: number,
): string[] {
	const truths = pendingOf(forecast.pods).map((pod) => deletions.get(podKey(pod)) ?? never);
	return (
		[
			['first', startOfEvictions(forecast), Math.min(...truths)],
			['last', endOfEvictions(forecast), Math.max(...truths)],
		] as const
	).flatMap(([which, range, truth]) => {
		// Beyond what is played, nothing is known.
		if (!range || (truth === never && (range.latest ?? never) > now + lookAhead)) return [];
		const isInside = truth >= range.earliest - tolerance && truth <= (range.latest ?? never) + tolerance;
		return isInside
			? []
			: [
					`the ${which} eviction after ${(truth - now) / 1000} s, but ${(range.earliest - now) / 1000} to ${((range.latest ?? never) - now) / 1000} s`,
				];
	});
}

/** Where nodes wait, the next taint comes as soon as the zone has a token. */
function wrongToken(
	{zone, nextTaint, queue}: ZoneForecast,
	[truth]: readonly number[],
	now: number,
): string[] {
	if (!nextTaint || queue.length === 0 || truth === undefined) return [];
	const {earliest, latest} = nextTaint;
	const isInside = truth >= earliest - tolerance && truth <= (latest ?? never) + tolerance;
	return isInside
		? []
		: [
				`zone ${zone} next token after ${(truth - now) / 1000} s, but ${(earliest - now) / 1000} to ${((latest ?? never) - now) / 1000} s`,
			];
}

/** A zone's k-th taint, on any node, must come within its range; a taint that must come does come. */
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
