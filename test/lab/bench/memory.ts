import {second} from '../../../src/core/time/instant.ts';
import {dashboardScreen} from '../../ui/support/dashboards.ts';
import {Outage} from '../../ui/support/outage.ts';
import {ShownScreen} from '../../ui/support/terminal.ts';
import {runAsProgram} from './bench.ts';
import {onNothing, size} from './ui/onNothing.ts';

/** The heap after each ten minutes of an hour's outage of a small cluster with a frame each second, in megabytes. */
type MemoryMeasured = readonly number[];

async function measure(): Promise<MemoryMeasured> {
	const outage = new Outage('recovery', second);
	const shown = new ShownScreen(dashboardScreen(outage.source), size);
	await shown.settle();
	onNothing(shown);
	const heap = () => {
		globalThis.gc?.();
		return process.memoryUsage().heapUsed / 2 ** 20;
	};
	const sizes: number[] = [];
	for (let elapsed = 1; elapsed <= 60; elapsed += 1) {
		for (let step = 0; step < 60; step += 1) {
			outage.advance(second);
			await shown.running.flushed();
		}
		if (elapsed % 10 === 0) sizes.push(heap());
	}
	await shown.end();
	return sizes;
}

const report = (sizes: MemoryMeasured): string =>
	`heap after each ten minutes of an hour of outage: ${sizes.map((one) => one.toFixed(1)).join(', ')} MB`;

if (import.meta.main) await runAsProgram({measure, report});
