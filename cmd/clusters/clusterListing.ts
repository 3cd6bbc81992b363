import type {ClusterForecast} from '../../src/impact/clusterForecast.ts';
import {clusters} from '../../src/print/tables/clusters.ts';
import type {FleetView} from '../../src/session/fleet.ts';
import {hidesPods} from '../output/exitCode.ts';
import {type Listing, nothing} from '../output/listing.ts';

export const clusterListing: Listing<ClusterForecast, FleetView> = {
	kind: clusters,
	plural: 'clusters',
	itemsOf: (view) => view.clusters,
	labelsOf: () => ({}),
	fieldsOf: ({name}) => ({'metadata.name': name}),
	verdictOf: ({status}) => status,
	verdicts: ['Connecting', 'Reachable', 'Unreachable'],
	isFolded: () => false,
	isWell: () => false,
	whenAllIsWell: nothing,
	isHiddenBy: () => false,
	exitCodeOf: (items) => {
		if (items.some(({summary}) => summary && summary.evictions.all > 0)) return 2;
		return items.every(isSure) ? 0 : 1;
	},
};

const isSure = ({status, summary, problems}: ClusterForecast): boolean =>
	status === 'Reachable' && summary?.unsure === 0 && !problems.some(hidesPods);
