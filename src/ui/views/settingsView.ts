import {nameOf} from '../../core/model/objectName.ts';
import {formatSettingValue, type Setting} from '../../forecast/settings/setting.ts';
import {rangeText, settingColumns, sourceWords} from '../../print/settings/settings.ts';
import type {DashboardTable} from './table.ts';
import {arranged} from './table.ts';

/** Every relevant setting and its source; assumed ones are highlighted. */
export const settings: DashboardTable<Setting> = {
	view: 'settings',
	rows: ({scene}) => scene.settings,
	columns: arranged(settingColumns, ['NAME', 'VALUE', 'SOURCE', 'RANGE', 'DETAIL']),
	keyOf: nameOf,
	nameOf,
	textOf: ({name, source}) => `${name} ${sourceWords[source.kind]} ${source.detail}`,
	sentencesOf: (setting) => [
		`${setting.name} = ${formatSettingValue(setting.value, setting.unit)}`,
		`Source: ${setting.source.kind === 'profile' ? setting.source.detail : `${sourceWords[setting.source.kind]} (${setting.source.detail})`}.`,
		...(setting.range
			? [`${setting.isInDoubt ? 'Possible' : 'Behaviour shows'}: ${rangeText(setting)}.`]
			: []),
		'A flag of the same name wins over everything that was found out.',
	],
	empty: () => 'The settings are not known yet.',
};
