import type {ScenarioPod, ScenarioToleration} from '../../../support/scenario/scenario.ts';
import type {Draw} from './draw.ts';

export const notReady = 'node.kubernetes.io/not-ready';
export const unreachable = 'node.kubernetes.io/unreachable';
/** A taint that users set. */
export const maintenance = 'example.com/maintenance';

/** A pod with typical tolerations. */
export function aPod(name: string, node: string, draw: Draw): ScenarioPod {
	return {name, node, tolerations: someTolerations(draw), ...(draw.oneIn(10) && {ready: false})};
}

/** Typical tolerations. */
export function someTolerations(draw: Draw): readonly ScenarioToleration[] {
	const both = (limit: object): ScenarioToleration[] =>
		[notReady, unreachable].map((key) => ({key, operator: 'Exists', effect: 'NoExecute', ...limit}));
	const seconds = () => ({tolerationSeconds: draw.index(100)});
	switch (draw.index(9)) {
		case 0:
			return [];
		case 1:
			return both({});
		case 2:
			return both({tolerationSeconds: draw.of([0, -5, 1, 30])});
		case 3:
			return [
				...both(seconds()),
				{key: maintenance, operator: 'Equal', value: 'now', effect: 'NoExecute', ...seconds()},
			];
		case 4:
			return [...both(seconds()), {key: maintenance, operator: 'Exists', ...seconds()}];
		// A toleration without a key matches all taints; if two match, the shorter time counts.
		case 5:
			return [{operator: 'Exists', ...seconds()}, ...both({tolerationSeconds: 300})];
		default:
			return both({tolerationSeconds: draw.of([300, 300, 60])});
	}
}
