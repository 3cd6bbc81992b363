import {type Instant, second} from '../../../../src/core/time/instant.ts';
import type {Forecast} from '../../../../src/forecast/forecast.ts';
import type {Forecaster} from '../../../../src/forecast/forecaster.ts';
import {finish} from '../../../../src/forecast/pausable.ts';
import {Digest, shownForecast} from '../../../../src/ui/scene/digest.ts';
import {dashboardScreen} from '../../../ui/support/dashboards.ts';
import {TestSource} from '../../../ui/support/scenes.ts';
import {ShownScreen} from '../../../ui/support/terminal.ts';
import {sleep, threadCpu} from '../figures.ts';
import {type Drawn, onNothing, size} from './onNothing.ts';

/** Each frame's cost in milliseconds of this thread's CPU: when time advances, with a new forecast, and after a key. */
export type ViewFrames = {
	readonly view: string;
	readonly clock: readonly number[];
	readonly fresh: readonly number[];
	readonly keys: readonly number[];
};

/** Measures the cost of frames, view by view. */
export async function measureFrames(
	forecaster: Forecaster,
	now: Instant,
	views: readonly string[],
): Promise<readonly ViewFrames[]> {
	const source = new TestSource(forecaster.forecast(now));
	const shown = new ShownScreen(dashboardScreen(source), size);
	await shown.settle();
	const drawn = onNothing(shown);
	// With collapsed groups, most of the screen would be empty.
	shown.terminal.stdin.push('\r');
	await drawn.settled();
	const measured: ViewFrames[] = [];
	for (const view of views) {
		for (const key of ['2', view]) {
			shown.terminal.stdin.push(key);
			await drawn.settled();
			await sleep(pause);
		}
		measured.push({
			view,
			clock: await clockFrames(source, now, drawn),
			fresh: await freshFrames(source, now, drawn),
			keys: await keyFrames(shown, drawn),
		});
	}
	await shown.end();
	return measured;
}

const frames = 200;

async function clockFrames(source: TestSource, now: Instant, drawn: Drawn): Promise<readonly number[]> {
	const costs: number[] = [];
	for (let index = 1; index <= frames; index += 1) {
		await sleep(pause);
		const before = threadCpu();
		source.change({heardAt: now + index * second}, now + index * second);
		await drawn.settled();
		costs.push(threadCpu() - before);
	}
	return costs;
}

async function freshFrames(source: TestSource, now: Instant, drawn: Drawn): Promise<readonly number[]> {
	const {forecast} = source.get();
	const costs: number[] = [];
	for (let index = 1; forecast && index <= frames / 4; index += 1) {
		await sleep(pause);
		// A new forecast has new arrays and new objects.
		const next: Forecast = {
			...forecast,
			pods: forecast.pods.map((pod) => ({...pod})),
			nodes: [...forecast.nodes],
		};
		// What is computed in slices between frames counts as part of the forecast.
		const digest = new Digest(next, forecast.digest);
		finish(digest.prepare());
		// The garbage of the copy is not the screen's.
		globalThis.gc?.();
		const before = threadCpu();
		source.show(shownForecast(next, digest), now + index * second);
		await drawn.settled();
		costs.push(threadCpu() - before);
	}
	return costs;
}

async function keyFrames(shown: ShownScreen, drawn: Drawn): Promise<readonly number[]> {
	const delays: number[] = [];
	for (let index = 0; index < frames; index += 1) {
		await sleep(pause);
		const before = threadCpu();
		shown.terminal.stdin.push(index % 20 < 10 ? 'j' : 'k');
		await drawn.settled();
		delays.push(threadCpu() - before);
	}
	return delays;
}

// Frames are limited to thirty per second; this pause makes each measured frame start immediately.
const pause = 40;
