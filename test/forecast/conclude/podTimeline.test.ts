import {expect, test} from 'vitest';
import {second} from '../../../src/core/time/instant.ts';
import {deletionIn, type PodMoment, type PodStart} from '../../../src/forecast/conclude/podTimeline.ts';
import {aTaint, tolerates} from '../../support/builders.ts';

const unreachable = aTaint('node.kubernetes.io/unreachable', {effect: 'NoExecute'});
const own = aTaint('example.com/own', {effect: 'NoExecute'});
const tolerant = [tolerates(unreachable.key, 300)];

const at = (seconds: number, ...taints: readonly (typeof own)[]): PodMoment => ({
	type: 'taints',
	at: seconds * second,
	taints,
	isExact: true,
});
const controllers = (seconds: number, type: 'controllersDown' | 'controllersStart'): PodMoment => ({
	type,
	at: seconds * second,
});
const start = (fields: Partial<PodStart> = {}): PodStart => ({
	tolerations: tolerant,
	fires: undefined,
	taint: undefined,
	tolerated: undefined,
	isControlled: true,
	goesWithNode: false,
	goesByTaint: true,
	comparisonOperators: false,
	...fields,
});
const running = {fires: 100 * second, taint: unreachable, tolerated: 300 * second};

test.for<{name: string; from?: Partial<PodStart>; moments: readonly PodMoment[]; want: number | undefined}>([
	{name: 'a tolerated taint starts a countdown', moments: [at(10, unreachable)], want: 310},
	{name: 'a countdown ends with the taint', moments: [at(10, unreachable), at(20)], want: undefined},
	{
		name: 'a taint put back counts anew',
		moments: [at(10, unreachable), at(20), at(30, unreachable)],
		want: 330,
	},
	{name: 'what comes after the deletion changes nothing', from: running, moments: [at(101)], want: 100},
	{name: 'a taint that is not tolerated deletes at once', moments: [at(10, own)], want: 10},
	{
		name: 'one that joins a countdown does, too',
		from: running,
		moments: [at(10, unreachable, own)],
		want: 10,
	},
	{
		name: 'one that is tolerated for no time joins it and moves nothing',
		from: {...running, tolerations: [...tolerant, tolerates(own.key, 0)]},
		moments: [at(10, unreachable, own)],
		want: 100,
	},
	{
		name: 'one that is tolerated for no time deletes at once where none runs',
		from: {tolerations: [...tolerant, tolerates(own.key, 0)]},
		moments: [at(10, own)],
		want: 10,
	},
	{
		name: 'other seconds do not move a countdown',
		from: running,
		moments: [
			{...at(0, unreachable), at: Number.NEGATIVE_INFINITY},
			{type: 'tolerations', at: 10 * second, tolerations: [tolerates(unreachable.key, 900)]},
		],
		want: 100,
	},
	{
		name: 'a toleration for ever ends it',
		from: running,
		moments: [
			{...at(0, unreachable), at: Number.NEGATIVE_INFINITY},
			{type: 'tolerations', at: 10 * second, tolerations: [tolerates(unreachable.key)]},
		],
		want: undefined,
	},
	{
		name: 'controllers that end take their countdowns with them',
		from: running,
		moments: [{...at(0, unreachable), at: Number.NEGATIVE_INFINITY}, controllers(10, 'controllersDown')],
		want: undefined,
	},
	{
		name: 'new ones count anew',
		from: running,
		moments: [{...at(0, unreachable), at: Number.NEGATIVE_INFINITY}, controllers(10, 'controllersStart')],
		want: 310,
	},
	{
		name: 'without controllers nobody looks',
		from: {isControlled: false},
		moments: [at(10, own), controllers(50, 'controllersStart')],
		want: 50,
	},
])('$name', ({from, moments, want}) => {
	expect(deletionIn(start(from), moments)?.at).toBe(want === undefined ? undefined : want * second);
});
