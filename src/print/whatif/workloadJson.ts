import type {WorkloadImpact} from '../../impact/workloadImpact.ts';
import type {WorkloadImpactJson} from '../contract/workloadImpact.ts';
import {optionalRangeJson, rangeJson} from '../json/rangeJson.ts';

/** What a forecast means for a workload, for programs. */
export const workloadJson = ({losses, lowest, endpoints, ...impact}: WorkloadImpact): WorkloadImpactJson => ({
	...impact,
	losses: losses.map(({at, ...loss}) => ({...loss, at: rangeJson(at)})),
	endpoints: endpoints.map(({lowest, ...one}) => ({
		...one,
		lowest: {ready: lowest.ready, at: optionalRangeJson(lowest.at)},
	})),
	lowest: {ready: lowest.ready, at: optionalRangeJson(lowest.at)},
});
