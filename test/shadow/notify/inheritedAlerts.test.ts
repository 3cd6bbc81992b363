import {expect, test} from 'vitest';
import {minute} from '../../../src/core/time/instant.ts';
import {InheritedAlerts} from '../../../src/shadow/notify/divergenceAlerts.ts';
import {now} from '../../print/forecasts.ts';
import {aDivergence, aView} from '../support/views.ts';

const settled = aView({startedAt: now - 5 * minute});

test('what fired before a restart and was not seen since is over, once', () => {
	const inherited = new InheritedAlerts([aDivergence({id: 'a'})]);
	expect(inherited.alertsOf(aView({startedAt: now - 5 * minute + 1}))).toEqual([]);
	expect(inherited.alertsOf({...settled, hasSynced: false})).toEqual([]);
	expect(inherited.alertsOf(settled)).toMatchObject([{key: 'a', isFiring: false, endsAt: now}]);
	expect(inherited.alertsOf(settled)).toEqual([]);
});

test('what is seen again speaks for itself', () => {
	const inherited = new InheritedAlerts([aDivergence({id: 'a'}), aDivergence({id: 'b'})]);
	inherited.seen(aDivergence({id: 'a'}));
	expect(inherited.alertsOf({...settled, divergences: [aDivergence({id: 'b'})]})).toEqual([]);
});
