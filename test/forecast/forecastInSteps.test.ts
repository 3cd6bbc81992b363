import {expect, test} from 'vitest';
import {deadZone} from '../lab/bench/ui/deadZone.ts';
import {aForecaster} from '../support/aForecaster.ts';

const now = Date.UTC(2026, 0, 1);
const cluster = deadZone(now, 2000);
const target = {kind: 'pod', namespace: 'team-0', name: 'web-0-7d9f5c8b6d-0'} as const;

test('a forecast of thousands of nodes pauses often, and explanations in the pauses are of the one before', () => {
	const forecaster = aForecaster({}, cluster);
	forecaster.forecast(now);
	const before = forecaster.explain(target, now);
	expect(before?.summary).toContain('unreachable');
	const steps = forecaster.forecastInSteps(now + 5000);
	let pauses = 0;
	for (let step = steps.next(); ; step = steps.next()) {
		if (step.done) {
			const whole = aForecaster({}, cluster);
			expect(step.value).toEqual(whole.forecast(now + 5000));
			break;
		}
		pauses += 1;
		if (pauses % 100 === 0) expect(forecaster.explain(target, now)).toEqual(before);
	}
	expect(pauses).toBeGreaterThan(300);
}, 60_000);
