import {expect, test} from 'vitest';
import type {Interval} from '../../../src/forecast/observe/interval.ts';
import {clockTolerance, latency} from '../../../src/forecast/observe/latencies.ts';
import type {BriefTaint} from '../../../src/forecast/simulate/briefTaints.ts';
import {taintBoundsByChance} from '../../../src/forecast/simulate/taintBoundsByChance.ts';
import type {TaintMoment} from '../../../src/forecast/simulate/trajectory.ts';
import {aTaint} from '../../support/builders.ts';

const unreachable = aTaint('node.kubernetes.io/unreachable');
const own = aTaint('gpu');
const shift = 40;

/** The bounds of a node that carries a taint of a user, each moment as its instant and how many taints there are. */
function bounds(tainted: Interval | undefined, brief: readonly BriefTaint[] = []) {
	const found = taintBoundsByChance({
		trajectory: {
			taints: [{at: 0, taints: [own], isExact: true}],
			...{readiness: [], goneAt: undefined, isUnnoticed: false},
		},
		...{spells: [], tainted, brief, phaseSpacing: 0, spacingOfTaints: shift, withoutTaints: false},
	});
	const shown = ({at, taints, isExact}: TaintMoment) => [at, taints.length, isExact ? 'exact' : 'about'];
	return found.map((one) => ({early: one.early.map(shown), late: one.late?.map(shown)}));
}

const begins = [0, 1, 'exact'];

test('the taint that stays comes as early and as late as chance gives it, and as the passes may be off', () => {
	expect(bounds({lo: 1000, hi: 3000})).toEqual([
		{early: [begins, [960, 2, 'about']], late: [begins, [3040, 2, 'about']]},
	]);
	expect(bounds(undefined)).toEqual([{early: [begins], late: [begins]}]);
});

test('a taint that goes again is given by chance to one that is late without it, and counts only where it lasts longest', () => {
	const chance = (from: number, to: number) => ({from, to, isChance: true});
	const late = [begins, [9040, 2, 'about']];
	expect(bounds({lo: 5000, hi: 9000}, [chance(1000, 2000), chance(3000, 3500), chance(6000, 8000)])).toEqual([
		{early: [begins, [4960, 2, 'about']], late},
		{early: [begins, [960, 2, 'about'], [1960, 1, 'about'], [4960, 2, 'about']], late},
		{early: [begins, [5960, 2, 'about'], [7960, 1, 'about'], [7960, 2, 'about']], late},
	]);
});

test('a taint that is there now goes as early and as late as passes and calls allow', () => {
	const [found] = taintBoundsByChance({
		trajectory: {
			taints: [{at: 0, taints: [own, unreachable], isExact: true}],
			...{readiness: [], goneAt: undefined, isUnnoticed: false},
		},
		spells: [{from: Number.NEGATIVE_INFINITY, to: 5000}],
		...{tainted: undefined, brief: [], phaseSpacing: 100, spacingOfTaints: shift, withoutTaints: false},
	});
	expect(found?.early.map(({at, taints}) => [at, taints.length])).toEqual([
		[0, 2],
		[5000 + 100 + latency, 1],
	]);
	expect(found?.late?.[1]?.at).toBe(5000 - 100 - clockTolerance - latency);
});
