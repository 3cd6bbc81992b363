import {compareNames} from '../../core/collections/compareNames.ts';
import {span} from '../theme/line.ts';
import type {TableColumn} from './table.ts';

/** The zone of a row's node, without the common part of all zone names. */
export const zoneColumn: TableColumn<{readonly zone: string}> = {
	...{title: 'ZONE', least: 5, most: 30, drop: 3, isName: true, sortKey: 'Z'},
	compare: (a, b) => compareNames(a.zone, b.zone),
	measure: ({zone}, {forecast}) => forecast.digest.names.shortZone(zone),
	cell: ({zone}, {forecast}) => span(forecast.digest.names.shortZone(zone) || '<none>'),
};
