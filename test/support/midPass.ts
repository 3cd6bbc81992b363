import type {Observation} from '../../src/core/model/observation.ts';
import {settingsFor} from '../../src/core/model/versionProfile.ts';
import type {TimedEffect} from '../../src/core/simulation/effect.ts';
import {type Duration, type Instant, minute, second} from '../../src/core/time/instant.ts';
import {aForecaster} from './aForecaster.ts';
import {ClientView} from './clientView.ts';
import {isDeep} from './drawn.ts';
import {feed} from './feed.ts';
import {outageOf} from './outages.ts';
import {settingsOf} from './scenario/scenarioObjects.ts';
import {ScenarioPlayer} from './scenario/scenarioPlayer.ts';
import {lookAhead, whatIsWrong} from './truth.ts';

/** How long after the script's last step forecasts are made. */
const watchedFor: Duration = 3 * minute;
/** The maximum number of looks at one outage. */
const mostLooks = 25;
/** A quick run uses every second look. */
const lookEvery = isDeep ? 1 : 2;
/** How long after an effect of a pass the look is made. */
const after: Duration = 15;
const [closely, fromAfar]: readonly [Duration, Duration] = [5, 50];

/** The release of the controllers, and the latency of their API server. */
type MidPassOptions = {readonly version: string; readonly callDuration: Duration};

/**
 * Plays an outage, and forecasts just after each effect of a pass, while the pass is running, as a client of a watch would:
 * from one list, and from a minute of watching.
 */
export function wrongMidPass(
	seed: number,
	{version, callDuration}: MidPassOptions,
): {readonly looks: number; readonly wrong: readonly string[]} {
	const {scenario} = outageOf(seed, {});
	const defaults = settingsFor(version);
	const settings = settingsOf(scenario.config, defaults);
	const traits = {callDuration, listsNodesInRandomOrder: !settings.requeuesWaitingNodes};
	const begin = () => new ScenarioPlayer(scenario, defaults, seed, 0, undefined, traits);
	const lastStep = Math.max(...scenario.steps.map(({at}) => at), 30) * second;
	const truth = begin().advanceTo(lastStep + watchedFor + lookAhead);
	const looks = looksAt(truth, lastStep);
	const player = begin();
	const view = new ClientView(player.simulation);
	player.advanceTo(Math.max(second, (looks[0] ?? lastStep) - minute));
	const warm = aForecaster(settings, view.list());
	view.watch();
	const deletions = deletionsOf(truth);
	const wrong = looks.flatMap((now) => {
		watchUntil(now, player, view, (seen, at) => feed(warm, seen, at));
		const cold = aForecaster(settings, view.list());
		return Object.entries({warm, cold}).flatMap(([look, forecaster]) =>
			forecaster.forecast(now).pods.flatMap((pod) => {
				const deletedAt = deletions.get(`${pod.namespace}/${pod.name}`);
				if (deletedAt !== undefined && deletedAt <= now) return [];
				const one = whatIsWrong(pod, deletedAt, now);
				return one === undefined ? [] : [`seed ${seed} ${look} at ${now}: ${one}`];
			}),
		);
	});
	return {looks: looks.length, wrong};
}

const byPasses = ['nodeCondition', 'taintAdded', 'taintRemoved'];

function looksAt(effects: readonly TimedEffect[], lastStep: Instant): readonly Instant[] {
	const [from, to] = [lastStep + 20.5 * second, lastStep + watchedFor];
	const marks = effects.filter(({at, effect}) => at > from && at < to && byPasses.includes(effect.type));
	const looks = new Set(marks.map(({at}) => Math.ceil(at) + after));
	const all = [...looks].toSorted((a, b) => a - b).slice(0, mostLooks);
	return all.filter((_, index) => index % lookEvery === 0);
}

const deletionsOf = (effects: readonly TimedEffect[]): ReadonlyMap<string, Instant> =>
	new Map(
		effects.flatMap(({at, effect}) =>
			effect.type === 'podDeleted' && !effect.again ? [[effect.pod, at]] : [],
		),
	);

function watchUntil(
	end: Instant,
	player: ScenarioPlayer,
	view: ClientView,
	deliver: (seen: readonly Observation[], at: Instant) => void,
): void {
	for (let {now} = player.simulation; now < end; now = player.simulation.now) {
		player.advanceTo(Math.min(end, now + (end - now > 2 * second ? fromAfar : closely)));
		const seen = view.watch();
		if (seen.length > 0) deliver(seen, player.simulation.now);
	}
}
