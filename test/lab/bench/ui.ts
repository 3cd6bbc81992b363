import {defaultSettings} from '../../../src/core/model/controllerSettings.ts';
import {Forecaster} from '../../../src/forecast/forecaster.ts';
import {measureBeside} from './ui/beside.ts';
import {measureBusy} from './ui/busy.ts';
import {deadZone, nodeCount} from './ui/deadZone.ts';
import {cpu, figures} from './ui/figures.ts';
import {measureFrames} from './ui/frames.ts';
import {measureMemory} from './ui/memory.ts';

/** What the dashboard costs with 5,000 nodes, a third of them dead, and the 20,000 pods on those, at 200x50. */
const now = Date.UTC(2026, 0, 1);
const forecaster = new Forecaster(defaultSettings);
forecaster.observeSnapshot(deadZone(now));
const costs = [1, 2, 3, 4, 5].map((seconds) => {
	const before = cpu();
	forecaster.forecast(now + seconds * 1000);
	return cpu() - before;
});
const {pods} = forecaster.forecast(now);
const going = pods.filter(({eviction}) => eviction !== null).length;
console.log(`${nodeCount} nodes, ${going} pods to go; a forecast takes ${figures(costs)} of CPU`);
await measureFrames(forecaster, now);
await measureBusy();
await measureMemory();
await measureBeside();
