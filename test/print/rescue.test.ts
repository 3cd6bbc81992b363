import {expect, test} from 'vitest';
import type {Pod} from '../../src/core/model/pod.ts';
import {formatRescue} from '../../src/print/whatif/rescue.ts';
import {aPodForecast, inSeconds, now} from './forecasts.ts';

const nobody = {now, pods: [], held: []};

const aPod = (name: string): Pod => ({
	...{namespace: 'shop', name, uid: name, nodeName: 'n1', labels: {}, phase: 'Running', isMirror: false},
	...{tolerations: [], createdAt: now - 1e6},
});

const held = (name: string) => {
	const stop = {by: 'zone eu/a is stopped', since: null, releasedBy: 'a node is back'};
	const forecast = aPodForecast({
		...{name, uid: name, verdict: 'Held', eviction: null},
		held: {...stop, ifReleasedNow: inSeconds(10)},
	});
	return {forecast, pod: aPod(name)};
};

test('a held pod is told what keeps it when evictions resume, as commands', () => {
	const text = formatRescue({...nobody, kept: [held('cart-0')]});
	expect(text).toContain(
		'pod/cart-0 in namespace shop: held, not evicted now. To keep it, do one of these before evictions resume:\n',
	);
	expect(text).toContain(
		'  * bring the node back (its kubelet must renew again)\n      (on node n1) systemctl restart kubelet\n',
	);
	expect(text).toMatch(/\n {6}kubectl patch pod cart-0 -n shop --type=json -p '\[.*"operator":"Exists"/);
});

test.for([
	{added: 17, isWarned: true},
	{added: 0, isWarned: false},
])('that its node releases $added other pods is warned of: $isWarned', ({added, isWarned}) => {
	const change = [{type: 'nodeBack', node: 'n1', at: now}] as const;
	const trigger = {change, what: 'one node back (n1)', first: inSeconds(10), added, avoided: 0};
	const zone = {zone: 'eu/a', by: 'zone eu/a is stopped', triggers: [trigger]};
	const text = formatRescue({...nobody, held: [zone], kept: [held('cart-0')]});
	expect(text.includes('Other pods are evicted then, as evictions resume: see below.')).toBe(isWarned);
});

test('of held pods of several workloads one command leads on', () => {
	const text = formatRescue({...nobody, kept: [held('cart-0'), held('web-0')]});
	expect(text).toContain(
		'What keeps a held pod when evictions resume: kubectl evictwatch rescue cart-0 -n shop\n',
	);
	expect(text).not.toContain('kubectl patch');
});

test('a pod that needs no rescue is told why', () => {
	const forecast = aPodForecast({
		verdict: 'Stays',
		eviction: null,
		because: ['it tolerates gpu:NoExecute forever'],
	});
	expect(formatRescue({...nobody, kept: [{forecast, pod: undefined}]})).toContain(
		'\npod/cart-0 in namespace shop: no rescue needed: it tolerates gpu:NoExecute forever.\n',
	);
});

test('pods that remain Terminating are told what ends that, what destroys last', () => {
	const text = formatRescue({...nobody, stuck: [aPodForecast({verdict: 'Terminating', eviction: null})]});
	expect(text).toMatch(/\nStuck: 1 pod Terminating \(shop\/cart-0\): the kubelet does not answer/);
	expect(text).toMatch(
		/systemctl restart kubelet\n {2}\* DESTRUCTIVE: .*\n {6}kubectl taint node n1 .*out-of-service=nodeshutdown:NoExecute'?\n$/,
	);
	expect(text).not.toContain('No eviction is coming');
});
