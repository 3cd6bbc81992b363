import {expect, test} from 'vitest';
import {actionsPredictedBy} from '../../../src/forecast/ledger/actionPredictions.ts';
import type {PodVerdict} from '../../../src/forecast/podForecast.ts';
import {aForecast, aNodeForecast, aPodForecast} from '../../print/forecasts.ts';
import {aNode} from '../../support/builders.ts';

const actionsOn = (verdict: PodVerdict, nodes: readonly string[]) => {
	const pod = aPodForecast({verdict, node: 'n1'});
	const forecast = aForecast({
		pods: [pod],
		nodes: nodes.map((name) => aNodeForecast({name, node: aNode(name)})),
	});
	return [...actionsPredictedBy(forecast)].flatMap(({action, object}) =>
		object.kind === 'Pod' ? action : [],
	);
};

test.for([
	['Scheduled', ['DeletePod'], ['CollectPod']],
	['Overdue', ['DeletePod'], ['CollectPod']],
	['Expected', [], ['CollectPod']],
	['Unsure', [], []],
	['Held', [], []],
] as const)(
	'what is to be done to a pod that is %s, on a node and without one',
	([verdict, onNode, without]) => {
		expect([actionsOn(verdict, ['n1']), actionsOn(verdict, [])]).toEqual([onNode, without]);
	},
);
