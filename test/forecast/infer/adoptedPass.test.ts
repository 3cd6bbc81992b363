import {expect, test} from 'vitest';
import type {Node} from '../../../src/core/model/node.ts';
import {defaultSettings} from '../../../src/core/model/versionProfile.ts';
import {second} from '../../../src/core/time/instant.ts';
import {adoptPassInProgress, noExecutePassAt} from '../../../src/forecast/infer/adoptedPass.ts';
import type {Hypothesis} from '../../../src/forecast/infer/hypothesis.ts';
import type {PassInProgress} from '../../../src/forecast/infer/passInProgress.ts';
import type {AffectedNodes} from '../../../src/forecast/observe/affectedNodes.ts';
import type {Interval} from '../../../src/forecast/observe/interval.ts';
import {aCondition, aNode, aPod, aTaint, inZone} from '../../support/builders.ts';
import {aWorld} from '../../support/simulations.ts';

const now = 60 * second;

/** A pass that began two seconds ago. */
const passAt = (isThrottled: boolean, fields: Partial<PassInProgress> = {}): PassInProgress => ({
	...{startedAt: now - 2 * second, remaining: [], passedBy: new Set(), marked: [], marking: [], isThrottled},
	...fields,
});

const aHypothesis = (
	quantile: number,
	passInProgress: PassInProgress | undefined,
	nextPass = 0,
): Hypothesis => ({
	schedule: {nextPass, period: 5 * second, idlePeriod: 5 * second, firstPass: 0},
	...{nodeMonitorPeriod: 5 * second, passQuantile: 0, quantile, areLateDead: false, passInProgress},
	noExecuteAt: quantile < 0.5 ? 'inNextPass' : 'beforePass',
});

test.for([
	{name: 'at once, after a short pass queued its nodes', quantile: 0, pass: passAt(false), after: 1},
	{name: 'in the middle of a short pass', quantile: 0.25, pass: passAt(false), after: 30},
	{name: 'just before a short pass queues its nodes', quantile: 0.5, pass: passAt(false), after: 99},
	{name: 'as late after one', quantile: 1, pass: passAt(false), after: 99},
	{name: 'just after the next pass', quantile: 0, pass: undefined, after: 61},
	{name: 'just before it', quantile: 0.5, pass: undefined, after: 39},
	{name: 'just after the pass that follows a long one', quantile: 0, pass: passAt(true), after: 61},
])('the queues are processed within 100 ms, $name', ({quantile, pass, after}) => {
	expect(noExecutePassAt(aHypothesis(quantile, pass, now + 2340), now) - now).toBe(after);
});

const unreachable = aTaint('node.kubernetes.io/unreachable');

/** The pending and completed work of a pass that began at an instant; each node with its taints. */
function adopted(quantile: number, settings = defaultSettings) {
	const taintedAt: Record<string, Interval | undefined> = {
		...{marked: undefined, left: undefined, skipped: undefined},
		before: {lo: now - 9 * second, hi: now - 8 * second},
		around: {lo: now - 2.5 * second, hi: now - 1.5 * second},
		during: {lo: now - 1.8 * second, hi: now - 1.5 * second},
	};
	const nodes = Object.entries(taintedAt).map(([name, at]) => ({
		node: aNode(name, {taints: at ? [unreachable] : []}),
		taintedAt: at,
	}));
	const named = (...names: readonly string[]) => nodes.filter(({node}) => names.includes(node.name));
	const machine = aWorld({nodes: nodes.map(({node}) => node)});
	// Without workers, so that no work of the pass is done at once.
	const idle = {...settings, monitorWorkers: 0};
	machine.adoptControllers(undefined, idle);
	const affected = {nodes, others: new Map()} as unknown as AffectedNodes;
	const running = passAt(true, {
		remaining: named('left', 'skipped') as unknown as PassInProgress['remaining'],
		marked: named('marked') as unknown as PassInProgress['marked'],
		passedBy: new Set(['skipped']),
	});
	adoptPassInProgress(machine, aHypothesis(quantile, running), running, affected, idle, now);
	const pass = machine.controllers?.lifecycle.pass;
	const shown = ({name, taints}: Node) => (taints.length > 0 ? `${name} tainted` : name);
	const all = pass?.nodes.map(({node}) => shown(node)) ?? [];
	const left = pass?.left ?? 0;
	const counted = [...(pass?.counts.values() ?? [])].reduce((sum, {size}) => sum + size, 0);
	return {done: all.slice(0, all.length - left), toCome: all.slice(all.length - left), counted};
}

test('a pass in progress has done at one extreme what was tainted since it began, and has to come to all that is left', () => {
	expect(adopted(0)).toEqual({
		done: ['during', 'marked'],
		toCome: ['around tainted', 'before tainted', 'left', 'skipped'],
		counted: 2,
	});
});

test('at the other it has skipped what it could, and has to come to what may have been tainted since', () => {
	expect(adopted(1)).toEqual({
		done: ['skipped'],
		toCome: ['around', 'before tainted', 'during', 'left'],
		counted: 2,
	});
	// A release that does not queue nodes in the pass of their transition does not swap their taints.
	const {done} = adopted(1, {...defaultSettings, queuesInPassOfTransition: false});
	expect(done).toEqual(['marked', 'skipped']);
});

test.for([
	{name: 'one that returned since counts as not ready', createdAt: 0, want: {size: 1, notReady: 1}, left: 0},
	{name: 'one that registered since was not listed by it', createdAt: now - second, want: undefined, left: 1},
])('of nodes that became ready while a pass is at work, $name', ({createdAt, want, left}) => {
	const node = aNode('n1', {createdAt, labels: inZone('a'), conditions: [aCondition('Ready', 'True')]});
	const at = {lo: now - 0.6 * second, hi: now - 0.5 * second};
	const machine = aWorld({nodes: [node]});
	const idle = {...defaultSettings, monitorWorkers: 0};
	machine.adoptControllers(undefined, idle);
	const affected = {nodes: [{node, wasReady: false, readyChangedAt: at}], others: new Map()};
	const pass = passAt(true);
	const hypothesis = aHypothesis(0, pass);
	adoptPassInProgress(machine, hypothesis, pass, affected as unknown as AffectedNodes, idle, now);
	const adoptedPass = machine.controllers?.lifecycle.pass;
	expect(adoptedPass?.counts.values().next().value).toEqual(want);
	expect(adoptedPass?.left).toBe(left);
});

/** How long a pass lasts that has turned two nodes Unknown, each with three pods to mark, at five calls a second. */
function restOfPassAt(quantile: number): number {
	const settings = {...defaultSettings, kubeApiQps: 5, kubeApiBurst: 8};
	const nodes = ['n1', 'n2'].map((name) => aNode(name, {conditions: [aCondition('Ready', 'Unknown')]}));
	const pods = nodes.map(({name}) =>
		['x', 'y', 'z'].map((pod) => aPod(`${name}-${pod}`, {nodeName: name, ready: 'True'})),
	);
	const machine = aWorld({nodes, pods: pods.flat(), settings});
	machine.advanceTo(now);
	machine.adoptControllers(undefined, settings);
	const marked = nodes.map((node) => ({node}));
	const pass = passAt(false, {marked: marked as unknown as PassInProgress['marked'], marking: pods});
	const affected = {nodes: marked, others: new Map()} as unknown as AffectedNodes;
	adoptPassInProgress(machine, aHypothesis(quantile, pass), pass, affected, settings, now);
	while (machine.controllers?.lifecycle.pass) machine.advanceTo(machine.now + 50);
	return (machine.now - now) / second;
}

test('at the latest, a pass in progress has spent the burst of its client, and the events of its nodes wait for that too', () => {
	expect(restOfPassAt(0)).toBeLessThan(0.2);
	// Six pods are marked, with an event among them for each node.
	expect(restOfPassAt(0.5)).toBeGreaterThanOrEqual(8 / 5);
});
