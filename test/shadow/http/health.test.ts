import {expect, test} from 'vitest';
import {defaultSettings} from '../../../src/core/model/versionProfile.ts';
import {Forecaster} from '../../../src/forecast/forecaster.ts';
import {healthOf} from '../../../src/shadow/http/health.ts';
import {Shadow} from '../../../src/shadow/shadow.ts';
import {latestView} from '../../../src/shadow/shadowView.ts';
import {ClusterStore} from '../../../src/store/clusterStore.ts';
import {aNode} from '../../support/builders.ts';

test('a gap is told to probes as it begins and as it ends, without a forecast in between', () => {
	const latest = latestView(() => 0);
	const health = healthOf(latest);
	const store = new ClusterStore();
	const forecaster = new Forecaster(defaultSettings, {}, store);
	const ignored = {matched: () => undefined, diverged: () => undefined};
	const listeners = [{...ignored, changed: latest.changed}];
	const shadow = new Shadow({startedAt: 0, store, forecaster, listeners});
	const failure = () => health.ready().find(({name}) => name === 'watching')?.failure;
	const observations = [{type: 'nodeApplied', node: aNode('n1')}] as const;
	for (const one of [shadow, forecaster]) store.subscribe(one);
	store.apply(observations, 1000, {type: 'firstLook'});
	shadow.add(forecaster.forecast(1000));
	expect(failure()).toBeNull();
	store.apply([], 20_000, {type: 'watchLost', since: 5000});
	expect(failure()).toBe('not all of the cluster is seen since 1970-01-01T00:00:05.000Z');
	store.apply([], 30_000, {type: 'watchLost', since: undefined});
	expect(failure()).toBeNull();
});
