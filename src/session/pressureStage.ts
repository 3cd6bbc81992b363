import type {Problem} from '../core/model/problem.ts';
import type {PressureNews} from '../core/nodepressure/pressureLook.ts';
import type {Instant} from '../core/time/instant.ts';
import type {Explanation} from '../forecast/explain/explanation.ts';
import {withPressureExplained} from '../forecast/explain/pressure/pressureExplained.ts';
import type {Forecast} from '../forecast/forecast.ts';
import type {Pausable} from '../forecast/pausable.ts';
import type {PressureForecast} from '../forecast/pressure/pressureForecast.ts';
import {PressureStore} from '../forecast/pressure/pressureStore.ts';
import {withPressure} from '../forecast/pressure/withPressure.ts';
import type {ClusterStore} from '../store/clusterStore.ts';

/** Pressure forecasts of some nodes, and problems. */
export type PressureSeen = {
	readonly forecasts: readonly PressureForecast[];
	readonly problems: readonly Problem[];
};

/** Used where no kubelet is asked. */
export const nothingPressed: PressureSeen = {forecasts: [], problems: []};

/**
 * The pressure part of a session, live or recorded: remembers kubelet reports, and adds pressure to forecasts.
 *
 * @param store the session's
 * @param isEager whether forecasts are computed right after each report instead of with the next forecast, which would delay the screen
 */
export function pressureStage(store: ClusterStore, isEager = false) {
	const book = new PressureStore();
	let changedAt: Instant | undefined;
	let lastForecasts: readonly PressureForecast[] = [];

	/** Pressure forecasts of the queried nodes, and problems. */
	function* seenIn({nodes: forecastNodes, observedAt: now}: Forecast): Pausable<PressureSeen> {
		const {nodes, kubelets} = store;
		if (kubelets.nodes.length === 0) return nothingPressed;
		const looked = new Set(book.nodes);
		const forecasts: PressureForecast[] = [];
		for (const {name} of forecastNodes) {
			const node = nodes.get(name);
			if (!node || !looked.has(name)) continue;
			forecasts.push(book.forecast(node, now));
			yield;
		}
		return {forecasts, problems: kubelets.problems};
	}

	return {
		book,
		seenIn,
		get changedAt() {
			return changedAt;
		},
		takePressure(news: PressureNews, at: Instant) {
			book.takePressure(news, at);
			if (news.type === 'chosen') return;
			changedAt = at;
			const node = isEager && news.type === 'looked' ? store.nodes.get(news.look.node) : undefined;
			if (node) book.forecast(node, at);
		},
		/** A forecast with pressure added. The first time for a node takes a moment. */
		*extend(forecast: Forecast): Pausable<Forecast> {
			const {forecasts, problems} = yield* seenIn(forecast);
			lastForecasts = forecasts;
			const joined = withPressure(forecast, forecasts, ({name}) => store.nodes.get(name));
			return {...joined, problems: [...forecast.problems, ...problems]};
		},
		explained: (explanation: Explanation | undefined, now: Instant) =>
			explanation && withPressureExplained(explanation, lastForecasts, now),
	};
}
