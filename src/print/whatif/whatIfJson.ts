import {formatTimestamp} from '../../dates/utc.ts';
import type {Ending} from '../../forecast/conclude/endings.ts';
import type {Forecast} from '../../forecast/forecast.ts';
import type {PodForecast} from '../../forecast/podForecast.ts';
import type {WhatIf} from '../../forecast/whatif/whatIf.ts';
import type {WhatIfImpact} from '../../impact/whatIfImpact.ts';
import type {WorkloadImpact} from '../../impact/workloadImpact.ts';
import type {OutlookJson, WhatIfJson} from '../contract/whatIf.ts';
import type {WorkloadImpactJson} from '../contract/workloadImpact.ts';
import {apiVersion, metadataJson} from '../json/json.ts';
import {optionalRangeJson, rangeJson, storyJson} from '../json/rangeJson.ts';
import {changeWords} from './changeWords.ts';
import {endingJson} from './endings.ts';
import {outOfServiceJson} from './outOfService.ts';

export const whatIfJson = (whatIf: WhatIf, impact: WhatIfImpact, forecast: Forecast): WhatIfJson => ({
	apiVersion,
	kind: 'WhatIf',
	metadata: metadataJson(forecast),
	changes: whatIf.changes.map((change) => ({
		at: formatTimestamp(change.at),
		type: change.type,
		what: changeWords(change),
	})),
	pods: impact.pods.map(({before, after, effect, shift, endings}) => ({
		metadata: {namespace: after.namespace, name: after.name, uid: after.uid},
		node: after.node,
		zone: after.zone,
		effect,
		shiftSeconds: shift === null ? null : Math.round(shift) / 1000,
		before: outlookJson(before, endings.before),
		after: outlookJson(after, endings.after),
	})),
	outOfService: impact.outOfService.map(outOfServiceJson),
	zones: whatIf.zones.map(({zone, before, after}) => ({
		zone,
		before: storyJson(before),
		after: storyJson(after),
	})),
	workloads: impact.workloads.map(({before, after}) => ({
		before: before ? workloadJson(before) : null,
		after: after ? workloadJson(after) : null,
	})),
});

const outlookJson = (
	{verdict, eviction, cause, because, after}: PodForecast,
	endings: readonly Ending[],
): OutlookJson => ({
	verdict,
	eviction: optionalRangeJson(eviction),
	cause,
	because,
	after,
	endings: endings.map(endingJson),
});

/** The effect of a forecast on a workload, as JSON. */
export const workloadJson = ({losses, lowest, endpoints, ...impact}: WorkloadImpact): WorkloadImpactJson => ({
	...impact,
	losses: losses.map(({at, ...loss}) => ({...loss, at: rangeJson(at)})),
	endpoints: endpoints.map(({lowest, ...one}) => ({
		...one,
		lowest: {ready: lowest.ready, at: optionalRangeJson(lowest.at)},
	})),
	lowest: {ready: lowest.ready, at: optionalRangeJson(lowest.at)},
});
