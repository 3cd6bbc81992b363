import {expect, test} from 'vitest';
import {minute, second} from '../../../src/core/time/instant.ts';
import {EvictionAlerts} from '../../../src/shadow/notify/evictionAlerts.ts';
import {aForecast, aPodForecast, inSeconds, now} from '../../print/forecasts.ts';
import {aView} from '../support/views.ts';

/** A view at so many seconds, of a shadow that has run for long, with a pod that goes in so many seconds from `now`. */
const viewAt = (seconds: number, goesIn?: number, startedBefore = 600) =>
	aView({
		observedAt: now + seconds * second,
		startedAt: now - startedBefore * second,
		forecast: aForecast({pods: goesIn === undefined ? [] : [aPodForecast({eviction: inSeconds(goesIn)})]}),
	});

test('a zone is told of five minutes before its next eviction, and for as long as one is to come', () => {
	const alerts = new EvictionAlerts();
	expect(alerts.alertsOf(viewAt(0, 301))).toEqual([]);
	const [alert] = alerts.alertsOf(viewAt(1, 301));
	expect(alert).toMatchObject({
		key: 'EvictwatchEvictions/eu/a',
		isFiring: true,
		labels: {zone: 'eu/a'},
		startsAt: now + second,
		endsAt: null,
		annotations: {
			summary: '1 pods of zone eu/a will be evicted, the first in 5m',
			description: 'The first: shop/cart-0.',
			within_5m: '1',
		},
	});
	expect(alerts.alertsOf(viewAt(60, 301))).toMatchObject([{isFiring: true, startsAt: now + second}]);
});

test('it is over once nothing has been to come for two minutes', () => {
	const alerts = new EvictionAlerts();
	alerts.alertsOf(viewAt(0, 100));
	expect(alerts.alertsOf(viewAt(119))).toMatchObject([{isFiring: true}]);
	expect(alerts.alertsOf(viewAt(120))).toMatchObject([{isFiring: false, endsAt: now + 2 * minute}]);
	expect(alerts.alertsOf(viewAt(121))).toEqual([]);
});

test('a forecast that changes its mind for a moment ends nothing', () => {
	const alerts = new EvictionAlerts();
	alerts.alertsOf(viewAt(0, 200));
	alerts.alertsOf(viewAt(60));
	alerts.alertsOf(viewAt(61, 200));
	expect(alerts.alertsOf(viewAt(150))).toMatchObject([{isFiring: true, startsAt: now}]);
});

test('what an earlier process told of is not over before this one has seen enough', () => {
	const alerts = new EvictionAlerts(['EvictwatchEvictions/eu/a', 'something else']);
	expect(alerts.alertsOf({...viewAt(0, undefined, 1), hasSynced: false})).toEqual([]);
	expect(alerts.alertsOf(viewAt(0, undefined, 1))).toMatchObject([{isFiring: true}]);
	expect(alerts.alertsOf(viewAt(200, undefined, 1))).toMatchObject([{isFiring: true}]);
	expect(alerts.alertsOf(viewAt(299, undefined, 1))).toMatchObject([{isFiring: false}]);
});
