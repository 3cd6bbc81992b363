import {hidesPods, type Problem} from '../core/model/problem.ts';
import type {Duration, Instant} from '../core/time/instant.ts';
import type {NodeForecast} from './nodeForecast.ts';
import type {PodForecast} from './podForecast.ts';
import type {PressureForecast} from './pressure/pressureForecast.ts';
import type {Range} from './range.ts';
import type {ZoneForecast} from './zoneForecast.ts';

/** Everything predicted from what was seen up to one instant. */
export type Forecast = Readonly<{
	observedAt: Instant;
	source: 'cluster' | 'file';
	kubernetesVersion?: string;
	problems: readonly Problem[];
	pods: readonly PodForecast[];
	nodes: readonly NodeForecast[];
	zones: readonly ZoneForecast[];
	/** The monitor pass in progress, if throttling slows it down. */
	pass: PassForecast | null;
	/** How much later than its node turns Unknown a pod may be marked not ready; absent if at once. */
	markingLasts?: Duration;
	/** Forecasts of the nodes whose kubelets were queried for pressure; absent if none was. */
	pressure?: readonly PressureForecast[];
}>;

/** A monitor pass that throttling slows down: its progress, and when it will process the rest. */
export type PassForecast = Readonly<{
	startedAt: Instant;
	/** How many nodes it has turned Unknown. */
	marked: number;
	/** How many silent nodes it has not processed yet. Their order is random. */
	remaining: number;
	/** When it turns the first of them Unknown, the second, and so on. */
	unknown: readonly Range[];
	/** When the last of them is processed, by this pass or by the next one, which takes the nodes that this one passed over. */
	endsAt: Range | null;
}>;

/** Whether no eviction is known, but something hides them, as pods or nodes that cannot be read: that is no all-clear. */
export const isBlind = ({pods, problems}: Pick<Forecast, 'pods' | 'problems'>, hides = hidesPods) =>
	pods.every(({eviction}) => eviction === null) && problems.some(hides);
