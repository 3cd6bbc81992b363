import {outOfServiceTaint} from '../../src/core/model/taint.ts';
import {nothingRelated, type Related} from '../../src/core/model/workloads/related.ts';
import type {Instant} from '../../src/core/time/instant.ts';
import type {TimeZone} from '../../src/dates/timeZone.ts';
import type {Forecast} from '../../src/forecast/forecast.ts';
import type {Forecaster} from '../../src/forecast/forecaster.ts';
import type {NodeForecast} from '../../src/forecast/nodeForecast.ts';
import type {Pausable} from '../../src/forecast/pausable.ts';
import type {PodForecast} from '../../src/forecast/podForecast.ts';
import type {PressureForecast} from '../../src/forecast/pressure/pressureForecast.ts';
import type {Change, ChangeKind} from '../../src/forecast/simulate/change.ts';
import {returnsToPlay} from '../../src/forecast/whatif/bestReturns.ts';
import {whatIfImpact} from '../../src/impact/whatIfImpact.ts';
import {unwrapped} from '../../src/print/tables/table.ts';
import {formatWhatIf} from '../../src/print/whatif/formatWhatIf.ts';
import {formatRescue} from '../../src/print/whatif/rescue.ts';
import {type Connection, usualConnection} from '../../src/text/pasted.ts';
import {
	nodesOfSubject,
	podsOf,
	type QuestionKind,
	type Subject,
	upAndDown,
} from '../../src/ui/scene/questions.ts';
import type {WhatIfAnswer} from '../../src/ui/scene/scene.ts';
import {rescueInSteps} from '../questions/rescueInSteps.ts';

/** What is known beside the forecast: workloads of the pods, and pressure. */
type Known = {
	readonly related?: Related;
	readonly pressure?: readonly PressureForecast[];
	/** The cluster that the answer's commands address. */
	readonly connection?: Connection;
};

/** A text with its times in a time zone, and tables that are wider as records. */
type Text = (timeZone: TimeZone, now?: Instant, recordWidth?: number) => string;

/** Answers a question of the dashboard: a what-if beside the forecast, or a rescue. */
export function* dashboardAnswer(
	target: Subject,
	question: QuestionKind,
	forecaster: Forecaster,
	now: Instant,
	{related = nothingRelated, pressure = [], connection = usualConnection}: Known = {},
): Pausable<WhatIfAnswer> {
	const forecast = yield* forecaster.forecastInSteps(now);
	const text =
		question === 'rescue'
			? yield* ofPods(podsOf(target, forecast), forecaster, forecast, {pressure, connection})
			: yield* ofChanges(kindsOf(target, question, forecast), forecaster, forecast, related);
	return (...shown) =>
		text(...shown)
			.trimEnd()
			.split('\n');
}

/** The changes that a question supposes. */
function kindsOf(
	target: Subject,
	question: Exclude<QuestionKind, 'rescue'>,
	forecast: Forecast,
): readonly ChangeKind[] {
	const nodes = nodesOfSubject(target, forecast);
	const {up, down} = upAndDown(nodes);
	const each = (some: readonly NodeForecast[], kind: (node: string) => ChangeKind) =>
		some.map(({name}) => kind(name));
	switch (question) {
		case 'back':
			return each(down, (node) => ({type: 'nodeBack', node}));
		case 'down':
			return each(up, (node) => ({type: 'nodeDown', node}));
		case 'untaint':
			return nodes.flatMap(({name: node, taints}) =>
				taints.map((key): ChangeKind => ({type: 'untaint', node, key, effect: 'NoExecute'})),
			);
		case 'outOfService':
			return each(nodes, (node) => ({type: 'taint', node, taint: outOfServiceTaint}));
		case 'delete':
			return each(nodes, (node) => ({type: 'deleteNode', node}));
		case 'yaml':
			return [];
		case 'controllersDown':
			return [{type: 'controllersDown'}];
		case 'controllersRestart':
			return [{type: 'controllersStart'}];
	}
}

function* ofChanges(
	kinds: readonly ChangeKind[],
	forecaster: Forecaster,
	forecast: Forecast,
	related: Related,
): Pausable<Text> {
	const at = forecast.observedAt;
	const changes = kinds.map((kind): Change => ({...kind, at}));
	const found = yield* forecaster.whatIfInSteps(changes, at);
	const impact = whatIfImpact(forecast, found, related);
	return (timeZone, _at, recordWidth) => formatWhatIf(found, impact, {...unwrapped, timeZone, recordWidth});
}

function* ofPods(
	pods: readonly PodForecast[],
	forecaster: Forecaster,
	forecast: Forecast,
	{pressure, connection}: Pick<Required<Known>, 'pressure' | 'connection'>,
): Pausable<Text> {
	const wanted = new Set(
		pods.flatMap(({verdict, uid}) => (verdict === 'Safe' && pods.length > 1 ? [] : uid)),
	);
	const own = new Set(pods.map(({node}) => node));
	const nodesOf = (zone: string) => ({down: [], up: [], returning: returnsToPlay(zone, own, forecast)});
	const rescue = yield* rescueInSteps(forecaster, {forecast, pressure}, wanted, nodesOf);
	return (timeZone, at = forecast.observedAt, recordWidth) =>
		formatRescue({...rescue, now: at}, {...unwrapped, timeZone, recordWidth, connection});
}
