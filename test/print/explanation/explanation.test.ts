import {expect, test} from 'vitest';
import type {Explanation} from '../../../src/forecast/explain/explanation.ts';
import type {When} from '../../../src/forecast/words.ts';
import {formatExplanations} from '../../../src/print/explanation/explanation.ts';
import {formatClockAndCountdown} from '../../../src/print/moment.ts';
import {inSeconds, now} from '../forecasts.ts';

const held = {
	by: 'zone eu/a is stopped, as 3 of 4 nodes are not ready',
	since: now - 30_000,
	releasedBy: '1 more of its nodes is ready',
	ifReleasedNow: inSeconds(310, 316),
};

const anExplanation = (fields: Partial<Explanation> = {}): Explanation => ({
	target: {kind: 'pod', namespace: 'shop', name: 'cart-0'},
	verdict: 'Held',
	summary: 'The pod would be evicted, but zone eu/a is stopped, as 3 of 4 nodes are not ready.',
	eviction: null,
	held,
	steps: [
		{
			at: now - 85_000,
			what: 'the kubelet of node n1 renewed its lease for the last time',
			rule: 'a kubelet renews its lease every 10s; without a renewal for 20s its node counts as silent here',
			evidence: [
				{
					object: 'lease/kube-node-lease/n1',
					field: 'spec.renewTime',
					value: '2026-01-31T13:58:35Z',
					note: "the kubelet's own clock",
				},
			],
		},
		{at: null, what: 'the pod tolerates unreachable:NoExecute for 300s', rule: null, evidence: []},
	],
	whyNot: [
		{
			reason: 'ZoneStopped',
			effect: 'Prevents',
			at: held.since,
			what: `evictions stopped: ${held.by}`,
			rule: null,
			evidence: [{object: 'zone/eu/a', field: 'not ready', value: 'n1, n2, n3', note: ''}],
		},
		{
			reason: 'BudgetIgnored',
			effect: 'DoesNotPrevent',
			at: null,
			what: 'no PodDisruptionBudget protects it',
			rule: null,
			evidence: [],
		},
	],
	assumptions: ['nothing else changes'],
	...fields,
});

const full = {isFull: true};

test('an explanation as text', () => {
	expect(`\n${formatExplanations([anExplanation()], now, full)}`).toBe(`
Seen at 14:00:00Z; all times are UTC.

pod/cart-0 in namespace shop: Held
The pod would be evicted, but zone eu/a is stopped, as 3 of 4 nodes are not
ready.

Why:
  1. 13:58:35Z (1m25s ago)
     The kubelet of node n1 renewed its lease for the last time.
     rule: a kubelet renews its lease every 10s; without a renewal for 20s its
       node counts as silent here
     - lease/kube-node-lease/n1 spec.renewTime: 2026-01-31T13:58:35Z (the
       kubelet's own clock)
  2. The pod tolerates unreachable:NoExecute for 300s.

What stops it:
   * ZoneStopped, since 13:59:30Z (30s ago)
     Evictions stopped: zone eu/a is stopped, as 3 of 4 nodes are not ready.
     - zone/eu/a not ready: n1, n2, n3

What does not stop it:
   * BudgetIgnored
     No PodDisruptionBudget protects it.

Assumptions:
  - Nothing else changes.
`);
});

test('in short it says what, when, why, what stops it and what can be done, in the order of time', () => {
	const last = {
		at: inSeconds(250, 255),
		what: 'the taint-eviction controller deletes the pod',
		rule: 'a rule',
		evidence: [],
	};
	const {steps} = anExplanation();
	const fields = {
		verdict: 'Scheduled',
		summary: 'The countdown runs.',
		held: null,
		eviction: last.at,
	} as const;
	const text = formatExplanations([anExplanation({steps: [last, ...steps], ...fields})], now, {
		isFull: false,
	});
	expect(`\n${text}`).toBe(`
pod/cart-0 in namespace shop: Scheduled, 14:04:10Z/14:04:15Z (in 4m10s-4m15s)
The countdown runs.
Why: 13:58:35Z  The kubelet of node n1 renewed its lease for the last time.
What stops it: Evictions stopped: zone eu/a is stopped, as 3 of 4 nodes are not
  ready.
What you can do:
  kubectl evictwatch rescue cart-0 -n shop
Seen at 14:00:00Z; all times are UTC. Rules and evidence: --full
`);
});

test('in short nothing that comes after the end of a pod leads to it', () => {
	const step = (at: When, what: string) => ({at, what, rule: null, evidence: []});
	const steps = [
		step(now - 60_000, 'a user taints its node'),
		step(now - 20_000, 'another taint comes'),
		step(inSeconds(600, 660), 'a repair begins'),
	];
	const told = (eviction: Explanation['eviction']) =>
		formatExplanations([anExplanation({steps, held: null, verdict: 'Overdue', eviction})], now, {
			isFull: false,
		});
	expect(told(inSeconds(-58, -58))).toMatch(/Why: \S+ {2}A user taints its node\.\n(?!.*(another|repair))/is);
	expect(told(inSeconds(300, 305))).toContain('Another taint comes');
	expect(told(inSeconds(300, 305))).not.toContain('A repair begins');
	expect(told(inSeconds(300, null))).toContain('A repair begins');
});

test('in short pods that differ in their names alone are told once', () => {
	const named = (name: string) => anExplanation({target: {kind: 'pod', namespace: 'shop', name}});
	const other = anExplanation({target: {kind: 'pod', namespace: 'bank', name: 'cart-9'}});
	const all = [...[0, 1, 2, 3].map((index) => named(`cart-${index}`)), other];
	const text = formatExplanations(all, now, {isFull: false});
	expect(text.match(/^pod.*$/gm)).toEqual([
		'pod/cart-0, pod/cart-1, pod/cart-2 and 1 more in namespace shop: Held',
		'pod/cart-9 in namespace bank: Held',
	]);
	expect(text.match(/evictwatch rescue .*$/gm)).toEqual([
		'evictwatch rescue cart-0 -n shop',
		'evictwatch rescue cart-9 -n bank',
	]);
});

test('in short a pod that is held says first what stops it and since when, and nothing of its node', () => {
	expect(`\n${formatExplanations([anExplanation()], now, {isFull: false})}`).toBe(`
pod/cart-0 in namespace shop: Held
Held since 13:59:30Z (30s ago): zone eu/a is stopped, as 3 of 4 nodes are not
ready. Evictions resume when 1 more of its nodes is ready. If they resumed now,
the pod would be evicted in 5m10s-5m16s, unless its own node recovers.
What you can do:
  kubectl evictwatch rescue cart-0 -n shop
Seen at 14:00:00Z; all times are UTC. Rules and evidence: --full
`);
});

test('in short a pod that tolerates the taint forever says so, and nothing of its node', () => {
	const what = 'it tolerates unreachable:NoExecute forever';
	const one = anExplanation({
		...{verdict: 'Stays', held: null, summary: `The pod is not evicted: ${what}.`},
		whyNot: [{reason: 'ToleratesForEver', effect: 'Prevents', at: null, what, rule: null, evidence: []}],
	});
	const [title, ...lines] = formatExplanations([one], now, {isFull: false}).split('\n');
	expect(title).toBe('pod/cart-0 in namespace shop: Stays');
	expect(lines.slice(0, -2)).toEqual(['The pod is not evicted: it tolerates unreachable:NoExecute forever.']);
});

test.for([
	{verdict: 'Terminating', held: null, eviction: null},
	{verdict: 'Safe', held: null, eviction: null},
	{verdict: 'Overdue', held: null, eviction: inSeconds(-10, -5)},
] as const)('of a pod that is $verdict no rescue is offered, as it would find nothing', (fields) => {
	expect(formatExplanations([anExplanation(fields)], now, {isFull: false})).not.toContain('rescue');
});

test('of a pod that is stuck Terminating it is said what follows, and what to ask', () => {
	const step = {at: null, rule: null, evidence: []};
	const steps = [
		{...step, at: now - 5000, what: 'the pod was deleted'},
		{...step, what: 'its StatefulSet waits', isAftermath: true},
	] as const;
	const stuck = anExplanation({
		verdict: 'Terminating',
		held: null,
		eviction: null,
		isStuck: true,
		steps,
		whyNot: [],
	});
	const text = formatExplanations([stuck], now, {isFull: false});
	expect(text).toContain('\nThen: Its StatefulSet waits.\nWhat you can do:\n  kubectl evictwatch rescue ');
	expect(text).toContain('\nWhy: 13:59:55Z  The pod was deleted.\n');
});

test('in short it has ten lines, however many steps lead to it', () => {
	const what = 'a step that needs more than one line of eighty columns to be told, as many of them do';
	const steps = Array.from({length: 9}, (_, index) => ({at: now + index, what, rule: null, evidence: []}));
	const one = anExplanation({steps, held: null, verdict: 'Expected', eviction: inSeconds(5, 9)});
	for (const each of [one, {...one, verdict: 'Overdue'} as const])
		expect([9, 10]).toContain(formatExplanations([each], now, {isFull: false}).trimEnd().split('\n').length);
});

test('in short a node is told by what is wrong with it and what came last, without asides and what is to come', () => {
	const step = (seconds: number, what: string) => ({
		...{at: now + seconds * 1000, what, rule: null, evidence: []},
	});
	const long = ', which takes more than one line of eighty columns to be told';
	const steps = [
		step(-60, 'its kubelet renewed its lease for the last time'),
		step(-20, `a pass set it to Unknown${long}`),
		step(-10, `it was tainted${long}`),
		{...step(2, 'the next pass begins'), isAside: true} as const,
		step(90, 'its last pod is evicted'),
	];
	const fields = {target: {kind: 'node', name: 'n1'}, verdict: 'Tainted', held: null, steps} as const;
	const text = formatExplanations([anExplanation(fields)], now, {isFull: false});
	expect(text).toMatch(/Why: \S+ {2}Its kubelet renewed its lease for the last time\./);
	expect(text).toMatch(/ {2}It was tainted, which/);
	expect(text).not.toMatch(/next pass|last pod/);
	expect(formatExplanations([anExplanation(fields)], now, full)).toContain('next pass');
});

test.for([
	['Healthy', 'kubectl evictwatch what-if --node-down n1'],
	['Tainted', 'kubectl evictwatch rescue node/n1'],
] as const)('of a node that is %s it is offered to %s', ([verdict, command]) => {
	const one = anExplanation({target: {kind: 'node', name: 'n1'}, verdict, held: null});
	expect(formatExplanations([one], now, {isFull: false})).toContain(`\n  ${command}\n`);
});

test('what is offered goes to the cluster that was asked', () => {
	const connection = {kubectl: '--context prod', evictwatch: '--context prod'};
	const text = formatExplanations([anExplanation()], now, {isFull: false, connection});
	expect(text).toContain('  kubectl evictwatch rescue cart-0 -n shop --context prod\n');
});

test.for<{at: When; want: string}>([
	{at: null, want: ''},
	{at: now - 5000, want: '13:59:55Z (5s ago)'},
	{at: now + 5000, want: '14:00:05Z (in 5s)'},
	{at: now, want: '14:00:00Z (now)'},
	{at: inSeconds(250, 255), want: '14:04:10Z/14:04:15Z (in 4m10s-4m15s)'},
	{at: inSeconds(0, 5), want: '14:00:00Z/14:00:05Z (in 0s-5s)'},
	{at: inSeconds(-3, 5), want: '13:59:57Z/14:00:05Z (in 0s-5s)'},
	{at: inSeconds(-9, -3), want: '13:59:51Z/13:59:57Z (9s-3s ago)'},
	{at: inSeconds(30, null), want: '14:00:30Z (in 30s) or later'},
	{at: now - 86_400_000, want: '2026-01-30T14:00:00Z (1d ago)'},
])('when: $want', ({at, want}) => {
	expect(formatClockAndCountdown(at, now)).toBe(want);
});
