import {hidesNodes} from '../../core/model/problem.ts';
import type {ZoneForecast} from '../../forecast/zoneForecast.ts';
import {readyTone, zones as zoneKind} from '../../print/tables/zoneKind.ts';
import {arranged, type DashboardTable} from './table.ts';

const longestBar = 10;

/** The zones, the worst first; if there are few lines, only healthy zones are omitted. */
export const zones: DashboardTable<ZoneForecast> = {
	...zoneKind,
	view: 'zones',
	rows: ({forecast}) => forecast.zones.toSorted(zoneKind.compare),
	columns: arranged(zoneKind.columns, [
		'ZONE',
		'STATE',
		// Ready nodes: full only if all are ready, empty only if none is.
		{
			title: '',
			drop: 3,
			cell: () => '',
			drawn: {
				least: 5,
				most: longestBar,
				tone: readyTone,
				text: ({size, notReady}, {glyphs}, width) => {
					const [ready, room] = [size - notReady, width || longestBar];
					const share = size === 0 ? 0 : (ready / size) * room;
					const cells = Math.min(ready > 0 ? Math.max(1, Math.floor(share)) : 0, room);
					return glyphs.full.repeat(cells) + glyphs.empty.repeat(room - cells);
				},
			},
		},
		'READY',
		'NEXT-STATE',
		'RATE',
		'NEXT-TAINT',
		'WAITING',
		'RESUMES-WHEN',
	]),
	textOf: ({zone, state}) => `${zone} ${state}`,
	targetOf: ({zone}) => ({kind: 'zone', name: zone}),
	empty: ({forecast}) =>
		forecast.problems.some(hidesNodes)
			? 'Zones are not known: nodes may not be read.'
			: 'There are no zones: there are no nodes.',
};
