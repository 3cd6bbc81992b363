import {compareValues} from '../../core/collections/compareValues.ts';
import {formatLearnedRange, formatSettingValue, type Setting} from '../../forecast/settings/setting.ts';
import {sourceWords} from '../../print/settings/settings.ts';
import {span} from '../theme/line.ts';
import type {Tone} from '../theme/palette.ts';
import {widthOf} from '../theme/text.ts';
import type {DashboardTable, TableColumn} from './table.ts';

const sourceTone: Readonly<Record<Setting['source']['kind'], Tone>> = {
	flag: 'strong',
	staticPod: 'good',
	configz: 'good',
	learned: 'good',
	profile: 'dim',
};

const rangeText = ({range, unit}: Setting): string => (range ? formatLearnedRange(range, unit) : '');

/** Where a setting is from, without what follows a bracket, a colon or a comma: enter tells that. */
function briefSource({kind, detail}: Setting['source'], width: number): string {
	if (kind === 'learned') return kind;
	const [long = '', short = ''] = [/ \(|: /, / \(|[:,] /].map((end) => detail.split(end)[0]);
	return widthOf(long) <= width ? long : short;
}

const columns: readonly TableColumn<Setting>[] = [
	{
		...{title: 'SETTING', least: 32, most: 44, drop: 0, sortKey: 'N'},
		compare: (a, b) => compareValues(a.name, b.name),
		measure: ({name}) => name,
	},
	{
		...{title: 'VALUE', least: 6, most: 12, drop: 0},
		measure: ({value, unit}) => formatSettingValue(value, unit),
		cell: ({value, unit}) => span(formatSettingValue(value, unit), 'strong'),
	},
	{
		...{title: 'SOURCE', width: 10, drop: 3, sortKey: 'V'},
		compare: (a, b) => compareValues(a.source.kind, b.source.kind),
		cell: ({source: {kind}}) => span(sourceWords[kind], sourceTone[kind]),
	},
	{
		...{title: 'RANGE', least: 12, most: 24, drop: 2},
		measure: rangeText,
		isFilled: (setting) => rangeText(setting) !== '',
		cell: (setting) => span(rangeText(setting), 'dim'),
	},
	{
		...{title: 'WHERE FROM', least: 16, most: 120, drop: 1},
		measure: ({source}) => source.detail,
		cell: ({source}) => span(source.detail, sourceTone[source.kind]),
		brief: ({source}, _context, width) => briefSource(source, width),
	},
];

/** Every relevant setting and its source; assumed ones are highlighted. */
export const settings: DashboardTable<Setting> = {
	view: 'settings',
	rows: ({scene}) => scene.settings,
	columns,
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
