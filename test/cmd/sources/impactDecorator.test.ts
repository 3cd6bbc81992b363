import {expect, test} from 'vitest';
import {ImpactDecorator} from '../../../cmd/sources/impactDecorator.ts';
import {nothingRelated} from '../../../src/core/model/workloads/related.ts';
import {finish} from '../../../src/forecast/pausable.ts';
import {aForecast, aNodeForecast, aPodForecast, inSeconds} from '../../print/forecasts.ts';

const forecast = aForecast({
	nodes: [aNodeForecast()],
	pods: [aPodForecast({eviction: inSeconds(100, 110), after: null})],
});

test('after an event only the pods that it changed are told of anew', () => {
	const [one, other] = ['a', 'b'].map((uid) => aPodForecast({uid, name: uid, after: null}));
	if (!one || !other) throw new Error('two were made');
	const decorator = new ImpactDecorator({of: () => ({...nothingRelated})});
	const first = finish(decorator.extend({...forecast, pods: [one, other]}));
	const moved = {...other, eviction: inSeconds(5)};
	const second = finish(decorator.extend({...forecast, pods: [one, moved]}));
	expect(second.pods[0]).toBe(first.pods[0]);
	expect(second.pods[1]).not.toBe(first.pods[1]);
	// The related objects were read again, and have not changed.
	expect(finish(decorator.extend({...forecast, pods: [one, moved]})).pods).toBe(second.pods);
	const back = aNodeForecast({verdict: 'Recovering'});
	const third = finish(decorator.extend({...forecast, nodes: [back], pods: [{...one}, moved]}));
	expect(third.pods[0]).not.toBe(first.pods[0]);
});

test('the pods of a forecast say what becomes of them; the same pods are told of once', () => {
	let related = nothingRelated;
	const decorator = new ImpactDecorator({of: () => related});
	const first = finish(decorator.extend(forecast));
	expect(first.pods[0]?.after?.outcome).toBe('Lost');
	// Many results are cached by the array of pods.
	expect(finish(decorator.extend({...forecast})).pods).toBe(first.pods);
	const problem = {reason: 'BudgetsForbidden', message: 'they may not be read'};
	related = {...nothingRelated, problems: [problem]};
	const second = finish(decorator.extend(forecast));
	expect(second.pods).toBe(first.pods);
	expect(second.problems).toContainEqual(problem);
});
