import {expect, test} from 'vitest';
import {second} from '../../src/core/time/instant.ts';
import {Outage} from './support/outage.ts';
import {PressedDashboard} from './support/pressed.ts';

const size = {columns: 80, rows: 24};
/** The healthy cluster before each outage. */
const before = 10 * second;

// Who is next, why not yet, how to save, what reaches zero, what one more loss does, when it ends.
test.for(['node-dies', 'rack-dies', 'zone-dies', 'all-zones-down', 'partial-small-zone', 'node-pressure'])(
	'the first screens of %s answer what is asked in an outage',
	async (name) => {
		const outage = new Outage(name);
		let passed = -before;
		const frames = [20, 40, 60, 120].map((seconds) => {
			outage.advance(seconds * second - passed);
			passed = seconds * second;
			const lines = new PressedDashboard(outage.source).frame(size).map((line) => `|${line.trimEnd()}`);
			return [`after ${seconds}s`, ...lines, ''].join('\n');
		});
		await expect(frames.join('\n')).toMatchFileSnapshot(`frames/first/${name}.txt`);
	},
);
