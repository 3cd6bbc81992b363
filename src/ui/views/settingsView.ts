import {formatLearnedRange, formatSettingValue, type Setting} from '../../forecast/settings/setting.ts';
import {sourceWords} from '../../print/settings/settings.ts';
import type {Tone} from '../../print/tables/kind.ts';
import {widthOf} from '../theme/text.ts';
import type {DashboardTable} from './table.ts';

const sourceTone = ({source: {kind}}: Setting): Tone =>
	kind === 'flag' ? 'strong' : kind === 'profile' ? 'dim' : 'good';

const rangeText = ({range, unit}: Setting): string => (range ? formatLearnedRange(range, unit) : '');

/** Where a setting is from, without what follows a bracket, a colon or a comma: enter tells that. */
function briefSource({kind, detail}: Setting['source'], width: number): string {
	if (kind === 'learned') return kind;
	const [long = '', short = ''] = [/ \(|: /, / \(|[:,] /].map((end) => detail.split(end)[0]);
	return widthOf(long) <= width ? long : short;
}

/** Every relevant setting and its source; assumed ones are highlighted. */
export const settings: DashboardTable<Setting> = {
	view: 'settings',
	rows: ({scene}) => scene.settings,
	columns: [
		{title: 'SETTING', cell: ({name}) => name, drawn: {least: 32, most: 44, sortKey: 'N'}},
		{
			title: 'VALUE',
			cell: ({value, unit}) => formatSettingValue(value, unit),
			drawn: {least: 6, most: 12, tone: 'strong'},
		},
		{
			title: 'SOURCE',
			drop: 3,
			cell: ({source: {kind}}) => sourceWords[kind],
			drawn: {width: 10, tone: sourceTone, sortKey: 'V'},
		},
		{title: 'RANGE', drop: 2, cell: rangeText, drawn: {least: 12, most: 24, tone: 'dim'}},
		{
			title: 'WHERE FROM',
			drop: 1,
			cell: ({source}) => source.detail,
			brief: ({source}, _context, width = 0) => briefSource(source, width),
			drawn: {least: 16, most: 120, tone: sourceTone},
		},
	],
	keyOf: ({name}) => name,
	nameOf: ({name}) => name,
	textOf: ({name, source}) => `${name} ${sourceWords[source.kind]} ${source.detail}`,
	sentencesOf: (setting) => [
		`${setting.name} = ${formatSettingValue(setting.value, setting.unit)}`,
		`Source: ${setting.source.kind === 'profile' ? setting.source.detail : `${sourceWords[setting.source.kind]} (${setting.source.detail})`}.`,
		...(rangeText(setting) === ''
			? []
			: [`${setting.isInDoubt ? 'Possible' : 'Behaviour shows'}: ${rangeText(setting)}.`]),
		'A flag of the same name wins over everything that was found out.',
	],
	empty: () => 'The settings are not known yet.',
};
