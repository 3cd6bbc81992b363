import {isControlPlaneNode} from '../core/model/node.ts';
import type {Forecast} from '../forecast/forecast.ts';
import type {NodeForecast} from '../forecast/nodeForecast.ts';
import type {LossOutlook, MoreLosses} from './moreLosses.ts';

/** A worker node whose loss brings its zone nearer to another state than that of any other. */
export type NextLoss = {readonly node: string; readonly losses: MoreLosses};

/** Finds that node among those that are heard; undefined where no worker node is. The control plane is not counted on. */
export function nextLoss(
	{zones}: Pick<LossOutlook, 'zones'>,
	{nodes}: Pick<Forecast, 'nodes'>,
): NextLoss | undefined {
	const isHeardWorker = (node: NodeForecast) =>
		node.verdict === 'Healthy' && node.ready === 'True' && !isControlPlaneNode(node);
	const found = zones.flatMap((losses) => {
		const node = nodes.find((one) => one.zone === losses.zone && isHeardWorker(one))?.name;
		return node === undefined ? [] : [{node, losses}];
	});
	return found.toSorted((a, b) => distance(a) - distance(b))[0];
}

// Of two that are as near, the one that has lost more already.
const distance = ({losses: {steps, size, ready, silent}}: NextLoss): number =>
	(steps[0]?.nodes ?? Number.POSITIVE_INFINITY) - (size - ready + silent) / (size + 1);
