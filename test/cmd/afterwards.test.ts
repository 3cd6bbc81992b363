import {expect, test} from 'vitest';
import {Afterwards} from '../../cmd/afterwards.ts';
import {nothingRelated} from '../../src/core/model/related.ts';
import {finish} from '../../src/forecast/steps.ts';
import {aForecast, aNodeForecast, aPodForecast, inSeconds} from '../print/forecasts.ts';

const forecast = aForecast({
	nodes: [aNodeForecast()],
	pods: [aPodForecast({eviction: inSeconds(100, 110), after: null})],
});

test('the pods of a forecast say what becomes of them; the same pods are told of once', () => {
	let related = nothingRelated;
	const afterwards = new Afterwards(() => related);
	const first = finish(afterwards.tell(forecast));
	expect(first.pods[0]?.after?.outcome).toBe('Lost');
	// Much is worked out of an array of pods only once.
	expect(finish(afterwards.tell({...forecast})).pods).toBe(first.pods);
	const problem = {reason: 'BudgetsForbidden', message: 'they may not be read'};
	related = {...nothingRelated, problems: [problem]};
	const second = finish(afterwards.tell(forecast));
	expect(second.pods).not.toBe(first.pods);
	expect(second.problems).toContainEqual(problem);
});
