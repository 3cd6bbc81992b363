import {expect, test} from 'vitest';
import {batch, type Observation} from '../../src/core/model/observation.ts';
import {systemScheduler} from '../../src/live/cooperativeTask.ts';
import {Session, type SessionParts, type Source} from '../../src/session/session.ts';
import {ClusterStore, type StoreUpdate} from '../../src/store/clusterStore.ts';
import {aForecast} from '../print/forecasts.ts';
import {aNode} from '../support/builders.ts';

test('each change passes taps, ledger, observers and forecaster, and each forecast stages, ledger and screen, in this order', async () => {
	const told: string[] = [];
	const end = new AbortController();
	const before = aNode('n1');
	const node: Observation = {type: 'nodeApplied', node: {...before, unschedulable: true}};
	const store = new ClusterStore();
	store.apply([{type: 'nodeApplied', node: before}], 1);
	const hears = (name: string) => ({
		take: ({changes, arrivedAt, provenance}: StoreUpdate) =>
			void told.push(`${name}: ${changes[0]?.type} at ${arrivedAt}, ${provenance?.type}`),
	});
	const extendsWith = (name: string) => ({
		*extend(forecast: ReturnType<typeof aForecast>) {
			told.push(name);
			yield;
			return forecast;
		},
	});
	const made = aForecast();
	const parts: SessionParts = {
		store,
		forecaster: {
			...{...hears('forecaster'), changedAt: () => 0, newsArrivedAt: 0},
			*forecastInSteps() {
				told.push(`made of ${store.nodes.get('n1')?.unschedulable}`);
				yield;
				return made;
			},
		},
		ledger: {...hears('ledger'), add: () => void told.push('noted')},
		...{learner: {...hears('learner'), learn: () => void told.push('learned')}},
		observers: [hears('pressure'), hears('shadow')],
		stages: [extendsWith('with pressure'), extendsWith('with what follows')],
		taps: [{push: () => void told.push('tap')}],
		display: {
			publish: async () => {
				told.push('shown');
				if (told.filter((one) => one === 'shown').length === 2) end.abort();
			},
		},
	};
	// A constant clock makes each forecast a fast one on any machine.
	const session = new Session(parts, {...systemScheduler, clock: () => 0});
	const source: Source = {
		run: async (sink, signal) => {
			sink.push(batch([node], 5, {type: 'late', since: 1}));
			await new Promise((resolve) => signal.addEventListener('abort', resolve));
		},
	};
	await session.run(source, {now: () => 0, sleepUntil: async () => undefined}, end.signal);
	const heard = ['ledger', 'pressure', 'shadow', 'learner', 'forecaster'].map(
		(name) => `${name}: nodeApplied at 5, late`,
	);
	const each = ['learned', 'made of true', 'with pressure', 'with what follows'];
	expect(told).toEqual(['tap', ...heard, ...each, 'noted', 'shown', ...each, 'shown']);
});
