import {expect, test} from 'vitest';
import {taintNotReady, taintUnreachable} from '../../../src/core/model/taint.ts';
import type {Toleration} from '../../../src/core/model/toleration.ts';
import {
	formatToleration,
	originOf,
	tolerationUses,
} from '../../../src/forecast/explain/steps/tolerationUse.ts';
import {aTaint, tolerates} from '../../support/builders.ts';

const daemon = {kind: 'DaemonSet', name: 'log', uid: 'uid-log'};
const everything: Toleration = {key: '', operator: 'Exists', value: '', effect: 'NoExecute'};

test.for([
	{
		name: 'both keys, Exists, 300 s',
		toleration: tolerates(taintUnreachable, 300),
		want: 'DefaultTolerationSeconds',
	},
	{name: 'not-ready for 300 s', toleration: tolerates(taintNotReady, 300), want: 'DefaultTolerationSeconds'},
	{name: 'another time', toleration: tolerates(taintUnreachable, 301), want: 'Author'},
	{name: 'another key', toleration: tolerates('gpu', 300), want: 'Author'},
	{name: 'every effect', toleration: {...tolerates(taintUnreachable, 300), effect: ''}, want: 'Author'},
	{name: 'Equal', toleration: {...tolerates(taintUnreachable, 300), operator: 'Equal'}, want: 'Author'},
	{name: 'for ever', toleration: tolerates(taintUnreachable), want: 'Author'},
	{name: 'everything for ever', toleration: everything, want: 'Author'},
])('a toleration of $name looks like $want', ({toleration, want}) => {
	expect(originOf(toleration, {isMirror: false})).toBe(want);
});

test("a toleration for ever is the DaemonSet controller's or the kubelet's where the pod is", () => {
	expect(originOf(tolerates(taintUnreachable), {isMirror: false, owner: daemon})).toBe('DaemonSet');
	expect(originOf(everything, {isMirror: true})).toBe('Kubelet');
});

test('what the API server is told to give is injected, too', () => {
	const seconds = {notReady: 30, unreachable: 60};
	expect(originOf(tolerates(taintUnreachable, 60), {isMirror: false}, seconds)).toBe(
		'DefaultTolerationSeconds',
	);
	expect(originOf(tolerates(taintNotReady, 60), {isMirror: false}, seconds)).toBe('Author');
	const nothing = {notReady: null, unreachable: null};
	expect(originOf(tolerates(taintNotReady, 300), {isMirror: false}, nothing)).toBe('Author');
});

test('of several tolerations the first that matches counts', () => {
	const tolerations = [tolerates('gpu'), tolerates(taintUnreachable, 30), tolerates(taintUnreachable, 60)];
	const uses = tolerationUses({tolerations}, [aTaint(taintUnreachable), aTaint('other')], false);
	expect(uses.map(({index}) => index)).toEqual([1, undefined]);
});

test.for<{toleration: Toleration; want: string}>([
	{toleration: tolerates(taintUnreachable, 300), want: `${taintUnreachable}:NoExecute op=Exists for 300s`},
	{toleration: everything, want: ':NoExecute op=Exists'},
	{toleration: {key: '', operator: 'Exists', value: '', effect: ''}, want: 'op=Exists'},
	{toleration: {key: 'gpu', operator: '', value: 'on', effect: 'NoExecute'}, want: 'gpu=on:NoExecute'},
	{toleration: {key: 'gpu', operator: 'Equal', value: 'on', effect: ''}, want: 'gpu=on'},
	{
		toleration: {key: 'load', operator: 'Gt', value: '7', effect: 'NoExecute'},
		want: 'load=7:NoExecute op=Gt',
	},
])('a toleration as kubectl describe writes it: $want', ({toleration, want}) => {
	expect(formatToleration(toleration)).toBe(want);
});
