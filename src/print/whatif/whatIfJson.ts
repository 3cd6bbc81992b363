import type {Forecast} from '../../forecast/forecast.ts';
import type {WhatIf} from '../../forecast/whatif/whatIf.ts';
import type {WhatIfImpact} from '../../impact/whatIfImpact.ts';
import type {WhatIfJson} from '../contract/whatIf.ts';
import {headJson} from '../json/json.ts';
import {fieldsOf, secondsJson} from '../json/jsonOf.ts';
import {changeWords} from './changeWords.ts';
import {outOfServiceJson} from './outOfService.ts';

export const whatIfJson = (whatIf: WhatIf, impact: WhatIfImpact, forecast: Forecast): WhatIfJson => ({
	...headJson('WhatIf', forecast),
	changes: whatIf.changes.map((change) => ({
		...fieldsOf(change, 'at', 'type'),
		what: changeWords(change),
	})),
	pods: impact.pods.map(({before, after, effect, shift, endings}) => ({
		metadata: fieldsOf(after, 'namespace', 'name', 'uid'),
		...fieldsOf(after, 'node', 'zone'),
		effect,
		shiftSeconds: shift === null ? null : secondsJson(shift),
		before: {...fieldsOf(before, ...outlook), endings: endings.before},
		after: {...fieldsOf(after, ...outlook), endings: endings.after},
	})),
	outOfService: impact.outOfService.map(outOfServiceJson),
	zones: whatIf.zones,
	workloads: impact.workloads.map((change) => fieldsOf(change, 'before', 'after')),
});

const outlook = ['verdict', 'eviction', 'cause', 'because', 'after'] as const;
