import {expect, test} from 'vitest';
import type {Observation, Sight} from '../../src/core/model/observation.ts';
import type {Forecast} from '../../src/forecast/forecast.ts';
import {drive} from '../../src/live/drive.ts';
import {witnessed} from '../../src/live/witness.ts';
import {aForecast} from '../print/forecasts.ts';
import {aNode} from '../support/builders.ts';

test('a witness sees what happens before it is judged, and what is said before it is shown', async () => {
	const told: string[] = [];
	const end = new AbortController();
	const node: Observation = {type: 'nodeApplied', node: aNode('n1')};
	const parts = {
		clock: {now: () => 0, sleepUntil: async () => undefined},
		predictor: {
			observe: (_: readonly Observation[], __: number, sight?: Sight) =>
				void told.push(`judged as ${sight?.type}`),
			forecast: (): Forecast => aForecast(),
		},
		feed: async (
			onChange: (observations: readonly Observation[], arrivedAt: number, sight?: Sight) => void,
		) => {
			onChange([node], 5, {type: 'late', since: 1});
			await new Promise((resolve) => end.signal.addEventListener('abort', resolve));
		},
		publish: async () => {
			told.push('shown');
			end.abort();
		},
	};
	const witness = {
		observe: (observations: readonly Observation[], at: number) =>
			void told.push(`saw ${observations[0]?.type} at ${at}`),
		add: () => void told.push('heard'),
	};
	await drive(witnessed(parts, witness), end.signal);
	expect(told).toEqual(['saw nodeApplied at 5', 'judged as late', 'heard', 'shown']);
});
