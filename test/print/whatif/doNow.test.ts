import {expect, test} from 'vitest';
import {settingsFor} from '../../../src/core/model/versionProfile.ts';
import {type Duration, type Instant, second} from '../../../src/core/time/instant.ts';
import {Forecaster} from '../../../src/forecast/forecaster.ts';
import {finish} from '../../../src/forecast/pausable.ts';
import {firstReturnsInSteps} from '../../../src/forecast/whatif/firstReturns.ts';
import {rescuesInSteps} from '../../../src/forecast/whatif/rescues.ts';
import {doNow} from '../../../src/print/whatif/doNow.ts';
import {untilOf} from '../../../src/print/whatif/rescueDeadline.ts';
import {ClusterStore} from '../../../src/store/clusterStore.ts';
import {gitVersion, ObservedWorld} from '../../demo/truth/observedWorld.ts';
import {demoScenario} from '../../support/demoScenario.ts';
import {feed} from '../../support/feed.ts';

const start: Instant = Date.UTC(2026, 0, 31, 14, 0, 0);

/** The returns to see to first after so long in an outage, and what `rescue` finds then. */
function after(name: string, passed: Duration) {
	const forecaster = new Forecaster(settingsFor(gitVersion), {}, new ClusterStore());
	const world = new ObservedWorld(demoScenario(name), start, 1, (one, at) => feed(forecaster, [one], at));
	forecaster.observeSnapshot(world.snapshot(start));
	const now = start + passed;
	world.advanceTo(now);
	const forecast = forecaster.forecast(now);
	const rescues = () => finish(rescuesInSteps(forecaster, {forecast, pressure: []}));
	return {now, rescues, returns: finish(firstReturnsInSteps(forecaster, forecast))};
}

test('the soonest deadline that leaves the time to act is that of rescue, with all that it saves', () => {
	const {now, returns, rescues} = after('zone-dies', 75 * second);
	const first = doNow(returns, now);
	expect(first).toMatchObject({
		command: '(on node b2) systemctl restart kubelet',
		effect: 'saves 4 pods',
	});
	const own = rescues().filter(({forecast: {node}}) => node === 'b2');
	const untils = own.flatMap((one) => untilOf(one, now) ?? []).filter((at) => at >= now + 30 * second);
	expect(first?.by).toBe(Math.min(...untils));
	expect(untils).toHaveLength(4);
	// As time passes, another node is the first.
	expect(doNow(returns, now + 20 * second)?.command).toContain('node b3');
	expect(doNow(returns, now + 60 * 60 * second)).toBeUndefined();
});

test('held pods are saved before evictions resume', () => {
	const {now, returns} = after('partial-small-zone', 200 * second);
	expect(doNow(returns, now)).toEqual({
		by: 'while held',
		command: '(on node b3) systemctl restart kubelet',
		effect: 'saves 3 held pods',
	});
});

test('no return is told that lets more pods be evicted than it saves', () => {
	const {now, returns} = after('all-zones-down', 120 * second);
	expect(returns).toEqual([]);
	expect(doNow(returns, now)).toBeUndefined();
});

test('of a node, what is evicted long after the time to act is not simulated', () => {
	const {now, returns} = after('partial-large-zone', 75 * second);
	const remedies = returns.flatMap(({rescues}) => rescues.flatMap((one) => one.remedies));
	const early = remedies.filter(({isEarly}) => isEarly);
	expect(early.length).toBeGreaterThan(2);
	for (const {until = now} of early) expect(until).toBeGreaterThanOrEqual(now + 90 * second);
	for (const {until = now, isEarly} of remedies)
		if (until < now + 90 * second) expect(isEarly).toBeUndefined();
});
