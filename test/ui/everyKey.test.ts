import {isDeepStrictEqual} from 'node:util';
import {beforeAll, expect, test} from 'vitest';
import {second} from '../../src/core/time/instant.ts';
import {actions, type KeyAction, specOf} from '../../src/ui/state/keyTable.ts';
import {viewNames} from '../../src/ui/views/tables.ts';
import {Outage} from './support/outage.ts';
import {PressedDashboard} from './support/pressed.ts';

let outage: Outage;

beforeAll(() => {
	outage = new Outage('zone-dies').advance(75 * second);
});

const moves: readonly KeyAction[] = [
	...(['up', 'down', 'pageUp', 'pageDown', 'halfUp', 'halfDown', 'top', 'bottom'] as const),
];

const usual = actions
	.filter((action) => action !== 'theme' && !moves.includes(action))
	.map((action) => specOf(action).keys[0]);
const others = ['x', 'X', 'E', 'delete', 'backspace', 'ctrl-x', 'unknown', 'é'];

const paths = [
	...viewNames.map((name) => [specOf(name).keys[0]]),
	...['2', '3', '4', '5', '7'].map((view) => [view, 'enter']),
	...[
		['4', 'w'],
		['3', 'w', 'enter'],
		['4', 'y'],
		['4', '/', 'f'],
		['1', ':', 'z'],
		['4', 'n', 's'],
		['1', '?'],
		['4', 'space'],
	],
];

test('no key does nothing without a word', () => {
	const silent: string[] = [];
	for (const path of paths) {
		const press = (...keys: readonly string[]) => {
			const dashboard = new PressedDashboard(outage.source);
			const effects = dashboard.press(keys, {columns: 80, rows: 24});
			return {effects, state: dashboard.state};
		};
		const before = press(...path).state;
		for (const key of [...usual, ...others]) {
			// The key of the view that is shown.
			if (path.length === 1 && key === path[0]) continue;
			const {effects, state} = press(...path, key);
			if (effects.length === 0 && isDeepStrictEqual(state, before)) silent.push(`${path.join(' ')} ${key}`);
		}
	}
	expect(silent).toEqual([]);
});
