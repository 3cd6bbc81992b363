import {defaultSettings} from '../../../src/core/model/versionProfile.ts';
import {second} from '../../../src/core/time/instant.ts';
import {Forecaster} from '../../../src/forecast/forecaster.ts';
import {runAsProgram} from './bench.ts';
import {cpu, figures} from './figures.ts';
import {measureBeside, measureSteady, type Share} from './ui/beside.ts';
import {type Busy, measureBusy} from './ui/busy.ts';
import {deadZone, nodeCount} from './ui/deadZone.ts';
import {measureFrames, type ViewFrames} from './ui/frames.ts';

/** The dashboard's costs with 5,000 nodes, a third of them dead, and these nodes' 20,000 pods, at 200x50. */
export type UiMeasured = {
	/** The number of pods that will be evicted. */
	readonly going: number;
	/** The cost of each forecast, including garbage collection on other threads, in milliseconds of CPU time. */
	readonly forecasts: readonly number[];
	readonly views: readonly ViewFrames[];
	readonly busy: Busy;
	/** The program's share of a core with about a hundred nodes: if all renew, and if one zone is dead. */
	readonly steadyOf100: readonly Share[];
	readonly beside: readonly Share[];
};

/** @param args `--short` for one view, half of the steady time, a fifth of the keys, and nothing else */
async function measure(args: readonly string[]): Promise<UiMeasured> {
	const isShort = args.includes('--short');
	const now = Date.UTC(2026, 0, 1);
	const forecaster = new Forecaster(defaultSettings);
	forecaster.observeSnapshot(deadZone(now));
	const forecasts = [1, 2, 3, 4, 5].map((seconds) => {
		const before = cpu();
		forecaster.forecast(now + seconds * second);
		return cpu() - before;
	});
	const going = forecaster.forecast(now).pods.filter(({eviction}) => eviction !== null).length;
	console.error('frames ...');
	const views = await measureFrames(forecaster, now, isShort ? ['1'] : ['1', '4', '3', '5']);
	console.error('the steady state, and keys while forecasts are being made ...');
	const busy = await (isShort ? measureBusy(20 * second, 20) : measureBusy(40 * second, 100));
	const steadyOf100 = await measureSteady();
	const measured = {going, forecasts, views, busy, steadyOf100};
	if (isShort) return {...measured, beside: []};
	console.error('kubectl beside the dashboard ...');
	return {...measured, beside: await measureBeside()};
}

const report = ({going, forecasts, views, busy, steadyOf100, beside}: UiMeasured): string =>
	[
		`${nodeCount} nodes, ${going} pods to go; a forecast takes ${figures(forecasts)} of CPU`,
		...views.flatMap(({view, clock, fresh, keys}) => [
			`view ${view}: a frame as time goes by: ${figures(clock)} of this CPU`,
			`view ${view}: a frame with a new forecast: ${figures(fresh)} of this CPU`,
			`view ${view}: from key to frame: ${figures(keys)} of this CPU`,
		]),
		`steady state, with a frame each second and 500 renewals: ${busy.steady.toFixed(1)} % of a core`,
		...[
			{when: 'while a forecast is being made', delays: busy.busy},
			{when: 'between forecasts', delays: busy.idle},
		]
			.filter(({delays}) => delays.length > 0)
			.map(
				({when, delays}) =>
					`from key to frame ${when}: ${figures(delays.map(({wall}) => wall))}; of this CPU: ${figures(delays.map(({own}) => own))} (${delays.length} keys)`,
			),
		...steadyOf100.map((share) => `the program in steady state, ${shareWords(share)}`),
		...beside.map((share) => `beside each other, 13 nodes: ${shareWords(share)}`),
	].join('\n');

const shareWords = ({name, percent}: Share): string =>
	`${name}: ${percent === undefined ? 'did not run' : `${percent.toFixed(1)} % of a core`}`;

if (import.meta.main) await runAsProgram({measure, report});
