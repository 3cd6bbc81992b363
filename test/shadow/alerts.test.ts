import {expect, test} from 'vitest';
import {checkAlerts, hasPromtool} from './support/promtool.ts';

// Without a promtool on this machine nothing else knows when an alert fires; test/e2e/shadowOperations installs one.
test.skipIf(!hasPromtool())(
	'promtool reads the alerts and the dashboard, and each alert fires when it should',
	() => {
		const failures = checkAlerts().flatMap(({name, failures}) => failures.map((said) => `${name}: ${said}`));
		expect(failures).toEqual([]);
	},
);
