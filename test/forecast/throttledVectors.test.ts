import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {settingsFor} from '../../src/core/model/versionProfile.ts';
import {second} from '../../src/core/time/instant.ts';
import type {Forecast} from '../../src/forecast/forecast.ts';
import type {Range} from '../../src/forecast/range.ts';
import type {TraceVector} from '../conformance/vector.ts';
import {aForecaster} from '../support/aForecaster.ts';
import {ClientView} from '../support/clientView.ts';
import {isDeep} from '../support/drawn.ts';
import {feed} from '../support/feed.ts';
import {settingsOf} from '../support/scenario/scenarioObjects.ts';
import {ScenarioPlayer} from '../support/scenario/scenarioPlayer.ts';

const vectors = join(import.meta.dirname, '../conformance/vectors/v1.36');
const tolerance = second;
/** How often forecasts are made: a quick run covers the same passes less often. */
const lookEvery = (isDeep ? 2 : 3) * second;

const isInside = (at: number, range: Range | undefined) =>
	range !== undefined &&
	at >= range.earliest - tolerance &&
	at <= (range.latest ?? Number.POSITIVE_INFINITY) + tolerance;

/** The errors of a forecast, compared with the real controllers' later actions. */
function wrongIn(forecast: Forecast, {trace}: TraceVector): string[] {
	const {observedAt: now, pass, zones} = forecast;
	const later = (kind: string, detail: string) =>
		trace.filter((one) => one.at > now && one.kind === kind && one.detail === detail).map(({at}) => at);
	const turns = later('node-condition', 'Ready=Unknown');
	const taints = later('taint-added', 'node.kubernetes.io/unreachable:NoExecute');
	const foretold = zones.find(({zone}) => zone.endsWith('/a'))?.taints ?? [];
	const said = (range: Range | undefined) =>
		range && `${(range.earliest - now) / 1000}..${((range.latest ?? Number.NaN) - now) / 1000}`;
	const check = (name: string, times: readonly number[], ranges: readonly Range[]) =>
		times.flatMap((at, k) =>
			isInside(at, ranges[k])
				? []
				: [`${now / 1000}: ${name} ${k} after ${(at - now) / 1000}, foretold ${said(ranges[k])}`],
		);
	return [...check('taint', taints, foretold), ...(pass ? check('unknown', turns, pass.unknown) : [])];
}

test.for(isDeep ? ['throttled-zone-6x40', 'throttled-zone-12x20-slow'] : ['throttled-zone-6x40'])(
	'the course of a throttled pass as the real controllers had it: %s',
	(name) => {
		const vector = JSON.parse(readFileSync(join(vectors, `${name}.json`), 'utf8')) as TraceVector;
		const {scenario, trace, firstPassAt} = vector;
		const defaults = {...settingsFor('v1.36.3'), firstPassAfter: firstPassAt};
		const settings = settingsOf(scenario.config, settingsFor('v1.36.3'));
		const player = new ScenarioPlayer(scenario, defaults);
		const view = new ClientView(player.simulation);
		player.advanceTo(second);
		const warm = aForecaster(settings, view.list());
		view.watch();
		const first = trace.find(({detail}) => detail === 'Ready=Unknown')?.at ?? 0;
		const wrong: string[] = [];
		const chances: {at: number; of: ReadonlyMap<string, number>}[] = [];
		const tainted: {at: number; node: string}[] = [];
		for (let at = second; at < first + 180 * second; at += second / 20) {
			for (const {at: when, effect} of player.advanceTo(at)) {
				if (effect.type === 'taintAdded' && effect.taint.effect === 'NoExecute')
					tainted.push({at: when, node: effect.node});
			}
			feed(warm, view.watch(), at);
			// Two seconds before the pass all nodes are known to be silent.
			if (at < first - 2 * second || at % lookEvery !== 0) continue;
			const cold = aForecaster(settings, view.list());
			wrong.push(...wrongIn(cold.forecast(at), vector).map((one) => `cold ${one}`));
			const forecast = warm.forecast(at);
			wrong.push(...wrongIn(forecast, vector).map((one) => `warm ${one}`));
			const queued = forecast.nodes.flatMap(({name: node, nextProbability}) =>
				nextProbability === null ? [] : ([[node, nextProbability]] as const),
			);
			if (queued.length > 0) chances.push({at, of: new Map(queued)});
		}
		expect(wrong).toEqual([]);
		// Only one zone has queued nodes: one of them is next, and only a node that can be.
		for (const {at, of} of chances) {
			expect([...of.values()].reduce((sum, chance) => sum + chance, 0)).toBeCloseTo(1);
			const next = tainted.find((one) => one.at > at)?.node;
			if (next !== undefined) expect(of.get(next), `${next} after ${at}`).toBeGreaterThan(0);
		}
		expect(chances.length).toBeGreaterThan(10);
	},
);
