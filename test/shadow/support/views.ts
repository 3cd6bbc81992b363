import type {Divergence} from '../../../src/shadow/compare/divergence.ts';
import type {ShadowView} from '../../../src/shadow/shadowView.ts';
import {
	aForecast,
	aNodeForecast,
	aPodForecast,
	aZoneForecast,
	inSeconds,
	now,
} from '../../print/forecasts.ts';

/** A pod deletion that is overdue while the controller runs, without an explanation. */
export const aDivergence = (fields: Partial<Divergence> = {}): Divergence => ({
	id: 'DeletePod/uid-cart-0/1',
	kind: 'Missing',
	action: 'DeletePod',
	object: {kind: 'Pod', namespace: 'shop', name: 'cart-0', uid: 'uid-cart-0'},
	zone: 'eu/a',
	expected: inSeconds(-60, -50),
	actual: null,
	reason: 'Unexplained',
	because: ['cart-0 was to be deleted by 13:59:10Z'],
	isAlarm: true,
	noticedAt: now - 40_000,
	endedAt: null,
	...fields,
});

/** A cluster of two zones: one healthy, one with a dead node whose three pods are evicted within six minutes. */
export const aView = (fields: Partial<ShadowView> = {}): ShadowView => ({
	observedAt: now,
	startedAt: now - 600_000,
	hasSynced: true,
	forecast: aForecast({
		zones: [
			aZoneForecast({zone: 'eu/a', size: 4, notReady: 1, queue: ['n1']}),
			aZoneForecast({zone: 'eu/b', size: 3}),
		],
		nodes: [aNodeForecast({name: 'n1', verdict: 'Queued'}), aNodeForecast({name: 'n2'})],
		pods: [
			aPodForecast({name: 'cart-0', uid: 'u0', eviction: inSeconds(20, 40)}),
			aPodForecast({name: 'cart-1', uid: 'u1', eviction: inSeconds(250, 302)}),
			aPodForecast({name: 'db-0', uid: 'u2', eviction: inSeconds(340, 350)}),
			aPodForecast({name: 'well', uid: 'u3', verdict: 'Safe', eviction: null}),
			aPodForecast({name: 'who-knows', uid: 'u4', verdict: 'Unsure', eviction: inSeconds(1, null)}),
		],
	}),
	controller: {isUp: true, leader: 'cp-1_123', leaderSince: now - 3_600_000, renewedAt: now - 2000},
	divergences: [],
	divergenceCounts: {Late: 0, Early: 0, Missing: 0, Unexpected: 0},
	gaps: [],
	gapCount: 0,
	disrupted: new Map(),
	...fields,
});
