import {setTimeout as sleep} from 'node:timers/promises';
import type {Experiment} from './laboratory.ts';

const podsPerNode = 20;
const watched = 8 * 60_000;

/** A zone of 300 nodes fails while the controllers' clients are throttled, so one monitor pass lasts for minutes. */
export const throttledZone: Experiment = {
	name: 'throttled-zone',
	title: 'A zone of 300 nodes with 20 pods each dies, and the controllers are throttled',
	cluster: {
		layout: {a: 300, b: 2, c: 2},
		podKinds: Object.fromEntries(Array.from({length: podsPerNode}, (_, i) => [`default-${i}`, []])),
	},
	lookEvery: 30_000,
	takesLong: true,
	play: async (laboratory) => {
		const {fleet, recorder} = laboratory.cluster;
		laboratory.stop(...fleet.namesIn('a'));
		const begun = () =>
			recorder.changes.some(({what, object}) => what === 'Ready=Unknown' && object.startsWith('node/'));
		await laboratory.until(begun, 90_000);
		await sleep(watched);
	},
};
