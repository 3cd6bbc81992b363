import {expect, test} from 'vitest';
import {checkAlerts, hasPromtool} from './support/promtool.ts';

// Without promtool on this machine the alerts cannot be evaluated; test/e2e/shadowOperations installs it.
test.skipIf(!hasPromtool())(
	'promtool reads the alerts and the dashboard, and each alert fires when it should',
	() => {
		const failures = checkAlerts().flatMap(({name, failures}) => failures.map((said) => `${name}: ${said}`));
		expect(failures).toEqual([]);
	},
);
