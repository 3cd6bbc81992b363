import {grouped} from '../../core/collections/grouped.ts';
import {zoneStates} from '../../core/nodelifecycle/zones/zoneState.ts';
import type {ZoneForecast} from '../../forecast/zoneForecast.ts';
import {otherLabel} from './boundedLabels.ts';
import {type Family, gauge, type Sample} from './family.ts';
import type {MetricsState} from './state.ts';

/** The percentage of Ready nodes in a zone; 100 for a zone without nodes. */
export const zoneHealth = ({size, notReady}: ZoneForecast): number =>
	size === 0 ? 100 : (100 * (size - notReady)) / size;

/** One value per zone; zones that share a label are summed. */
const perZone = (
	{view, zoneLabels}: MetricsState,
	measure: (zone: ZoneForecast) => number,
): readonly Sample[] =>
	grouped(view.forecast.zones, ({zone}) => zoneLabels(zone)).map(([zone, alike]) => [
		{zone},
		alike.reduce((sum, one) => sum + measure(one), 0),
	]);

/** The same for values that cannot be summed: only zones with their own label. */
const ofEachZone = (
	{view, zoneLabels}: MetricsState,
	measure: (zone: ZoneForecast) => number,
): readonly Sample[] =>
	view.forecast.zones.flatMap((zone): Sample[] => {
		const label = zoneLabels(zone.zone);
		return label === otherLabel ? [] : [[{zone: label}, measure(zone)]];
	});

/**
 * The node lifecycle controller's own metrics, computed by the same rules under another prefix, and further ones.
 *
 * @upstream kubernetes v1.36.3 pkg/controller/nodelifecycle/metrics.go Register
 */
export const zoneFamilies: readonly Family<MetricsState>[] = [
	gauge(
		'evictwatch_node_collector_zone_size',
		'Nodes of the zone that count, as node_collector_zone_size.',
		['zone'],
		(state) => perZone(state, ({size}) => size),
	),
	gauge(
		'evictwatch_node_collector_unhealthy_nodes_in_zone',
		'Nodes of the zone that are not Ready, as node_collector_unhealthy_nodes_in_zone.',
		['zone'],
		(state) => perZone(state, ({notReady}) => notReady),
	),
	gauge(
		'evictwatch_node_collector_zone_health',
		'Percentage of the nodes of the zone that are Ready, as node_collector_zone_health.',
		['zone'],
		(state) => ofEachZone(state, zoneHealth),
	),
	gauge(
		'evictwatch_zone_state',
		'What the controllers think of the zone: 1 for the state it is in, 0 for the others.',
		['zone', 'state'],
		(state) =>
			zoneStates.flatMap((name) =>
				ofEachZone(state, (zone) => (zone.state === name ? 1 : 0)).map(
					([labels, value]): Sample => [{...labels, state: name}, value],
				),
			),
	),
	gauge(
		'evictwatch_zone_eviction_rate',
		'Nodes of the zone that are tainted per second.',
		['zone'],
		(state) => ofEachZone(state, ({rate}) => rate),
	),
	gauge(
		'evictwatch_zone_queued_nodes',
		'Nodes of the zone that wait for their NoExecute taint.',
		['zone'],
		(state) => perZone(state, ({queue}) => queue.length),
	),
	gauge(
		'evictwatch_zone_stopped',
		'Whether something keeps the nodes of the zone from being tainted.',
		['zone'],
		(state) => ofEachZone(state, ({stopped}) => (stopped && !stopped.isInDoubt ? 1 : 0)),
	),
];
