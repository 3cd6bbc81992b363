import {expect, test} from 'vitest';
import type {Simulation} from '../../src/core/simulation/simulation.ts';
import {second} from '../../src/core/time/instant.ts';
import type {Divergence} from '../../src/shadow/compare/divergence.ts';
import {runShadow} from '../support/shadowRun.ts';
import {aScenario, aScenarioPod, denied} from '../support/shadowScenario.ts';

const goes = {at: 20, do: 'delete-node', node: 'a0'} as const;
const wordsOf = ({kind, action, object, reason, isAlarm}: Divergence): string =>
	`${isAlarm ? 'alarm' : 'note'} ${kind} ${action} ${object.name} ${reason}`;
const traits = {hasPodGc: true};
/** Calls slow enough for each to be visible. */
const slow = {...traits, callDuration: 70};
const pods = [aScenarioPod('web', 'a0'), aScenarioPod('shop', 'a0', 300)];

test('the pods of a node that is gone are collected as foretold', () => {
	const {divergences, matches} = runShadow(aScenario([goes], {pods}), {traits: slow});
	expect(divergences).toEqual([]);
	expect(matches.map(({action, isInside}) => `${action} ${isInside}`)).toEqual([
		'CollectPod true',
		'CollectPod true',
	]);
});

test('a collector that is away is missed', () => {
	const steps = [goes, {at: 30, do: 'stop-controllers'}] as const;
	const {divergences} = runShadow(aScenario(steps, {pods, until: 200}), {traits});
	expect(divergences.map(wordsOf)).toEqual([
		'alarm Missing CollectPod web ControllerDown',
		'alarm Missing CollectPod shop ControllerDown',
	]);
});

test('a collection that is denied is told', () => {
	const {divergences} = runShadow(aScenario([goes], {pods, until: 300}), {seenAs: denied, traits: slow});
	expect(divergences.map(wordsOf)).toEqual([
		'alarm Missing CollectPod web DeletionDenied',
		'alarm Missing CollectPod shop DeletionDenied',
	]);
	expect(divergences[0]?.because[0]).toContain('The pod garbage collector marked the pod');
});

const remove = (name: string, more: object) => (simulation: Simulation) => {
	const pod = simulation.state.pod(`default/${name}`);
	if (!pod) throw new Error(`there is no pod ${name}`);
	simulation.observe({type: 'podApplied', pod: {...pod, ...more}});
	simulation.observe({type: 'podDeleted', namespace: 'default', name});
};

test('whoever deletes a pod whose node is gone may do so at any time', () => {
	const {divergences, matches} = runShadow(aScenario([goes], {pods}), {
		traits: slow,
		interventions: [{at: 25, do: remove('web', {})}],
	});
	expect(divergences).toEqual([]);
	expect(matches).toHaveLength(1);
});

test('a collector that does not wait for the end of the quarantine is early', () => {
	const marked = (simulation: Simulation) => {
		const pod = simulation.state.pod('default/web');
		if (pod) simulation.observe({type: 'podApplied', pod: {...pod, isDisruptionTarget: true}});
	};
	const {divergences} = runShadow(aScenario([goes], {pods, until: 60}), {
		interventions: [
			{at: 30, do: marked},
			{at: 30.3, do: remove('web', {isDisruptionTarget: true})},
		],
	});
	expect(divergences.map(wordsOf)).toEqual(['alarm Early CollectPod web Unexplained']);
});

test.for([{isDisruptionTarget: true}, {}])(
	'who evicts a pod, and is no controller of nodes or taints, is not judged (%o)',
	(more) => {
		const {divergences, matches} = runShadow(aScenario([], {pods, until: 60}), {
			interventions: [{at: 25, do: remove('web', more)}],
		});
		expect([...divergences, ...matches]).toEqual([]);
	},
);

test('a collection is no surprise where its node went long before word of that came', () => {
	const collectedAt = runShadow(aScenario([goes], {pods}), {traits: slow}).matches[0]?.at ?? 0;
	// There is a forecast in between, too late to count.
	const wordAt = collectedAt / second - 0.8;
	const {divergences} = runShadow(aScenario([goes], {pods}), {
		traits: slow,
		silence: {of: 'node', from: 15, until: wordAt},
	});
	expect(divergences).toEqual([]);
});

test('a collection that nothing shows to be one is no proof of the forecast', () => {
	// Calls so fast that the mark and the deletion are seen at once.
	const {divergences, matches} = runShadow(aScenario([goes], {pods}), {traits});
	expect([...divergences, ...matches]).toEqual([]);
});
