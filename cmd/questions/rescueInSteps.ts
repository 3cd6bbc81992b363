import {podKey} from '../../src/core/model/pod.ts';
import type {Forecast} from '../../src/forecast/forecast.ts';
import type {Forecaster} from '../../src/forecast/forecaster.ts';
import type {Pausable} from '../../src/forecast/pausable.ts';
import type {PodForecast} from '../../src/forecast/podForecast.ts';
import type {PressureForecast} from '../../src/forecast/pressure/pressureForecast.ts';
import type {Change} from '../../src/forecast/simulate/change.ts';
import {rescuesInSteps} from '../../src/forecast/whatif/rescues.ts';
import {triggersOf, zonesHolding} from '../../src/forecast/whatif/triggers.ts';
import type {Rescue} from '../../src/print/whatif/rescue.ts';

/** How these pods can be saved, by UID, or all that will be evicted; and what would release held ones. */
export function* rescueInSteps(
	forecaster: Forecaster,
	{forecast, pressure}: {readonly forecast: Forecast; readonly pressure: readonly PressureForecast[]},
	wanted: ReadonlySet<string> | undefined,
	nodesOf: Parameters<typeof triggersOf>[2],
): Pausable<Rescue> {
	const now = forecast.observedAt;
	const isAsked = ({uid}: PodForecast) => wanted?.has(uid) ?? true;
	const pods = yield* rescuesInSteps(forecaster, {forecast, pressure}, wanted);
	const ask = (changes: readonly Change[]) => forecaster.whatIfInSteps(changes, now);
	const held = yield* triggersOf(zonesHolding(forecast, isAsked), forecast.pods, nodesOf, now, ask);
	const going = new Set(pods.map((pod) => pod.forecast.uid));
	const kept = forecast.pods
		.filter((pod) => (wanted?.has(pod.uid) ?? pod.verdict === 'Overdue') && !going.has(pod.uid))
		.map((pod) => ({
			forecast: pod,
			pod: forecaster.store.pods.get(podKey(pod)),
			pressure: pressure.find(({node}) => node === pod.node),
		}));
	return {now, pods, held, kept};
}
