import {expect, test} from 'vitest';
import {defaultSettings} from '../../../src/core/model/versionProfile.ts';
import {second} from '../../../src/core/time/instant.ts';
import {briefTaints} from '../../../src/forecast/simulate/briefTaints.ts';
import {seenAtOnce} from '../../support/evidence.ts';

const up = {status: 'True', since: 0} as const;
const turns = new Map([
	['n1', {lo: 60 * second, hi: 65 * second}],
	['n2', {lo: 65 * second, hi: 70 * second}],
	['n3', {lo: 70 * second, hi: 75 * second}],
]);

test('a node that may be found in the same pass as the one that was tainted in a run may have had the taint instead', () => {
	const {affected} = seenAtOnce({n1: up, n2: up, n3: up}, defaultSettings, 30 * second);
	const [from, to] = [60 * second, 90 * second];
	const taints = briefTaints({
		outcome: {
			unknown: new Map([...turns].map(([name, {lo}]) => [name, lo])),
			ready: new Map(),
			spells: new Map([['n1', [{from, to}]]]),
		},
		affected,
		settings: defaultSettings,
		turnOf: (name) => turns.get(name),
	});
	expect(Object.fromEntries(taints)).toEqual({
		n1: [{from, to, isChance: true}],
		n2: [{from: 65 * second, to, isChance: true}],
	});
});
