import {nothingRelated, type Related} from '../src/core/model/related.ts';
import {taintOutOfService} from '../src/core/model/taint.ts';
import {noExecuteTaints} from '../src/core/tainteviction/taintEvictionController.ts';
import type {Instant} from '../src/core/time/instant.ts';
import {endingsOf} from '../src/forecast/endings.ts';
import type {Target} from '../src/forecast/explain/explanation.ts';
import type {Forecast} from '../src/forecast/forecast.ts';
import type {Forecaster} from '../src/forecast/forecaster.ts';
import type {NodeForecast} from '../src/forecast/nodeForecast.ts';
import type {Steps} from '../src/forecast/steps.ts';
import type {Change, ChangeKind} from '../src/forecast/whatif/change.ts';
import {latestReturn, otherRemedies} from '../src/forecast/whatif/remedy.ts';
import {whatIfImpact} from '../src/impact/whatIfImpact.ts';
import {formatRescue} from '../src/print/rescue.ts';
import {formatWhatIf} from '../src/print/whatIf.ts';
import {nodesMeant, type QuestionKind, upAndDown} from '../src/ui/model/questions.ts';

/** Answers a question of the dashboard: what would be, beside what is, or what would save a pod. */
export function* dashboardAnswer(
	target: Target,
	question: QuestionKind,
	forecaster: Forecaster,
	now: Instant,
	related: Related = nothingRelated,
): Steps<readonly string[]> {
	const forecast = yield* forecaster.forecastInSteps(now);
	const text =
		question === 'rescue'
			? yield* ofPod(target, forecaster, forecast)
			: yield* ofChanges(kindsOf(target, question, forecast), forecaster, forecast, related);
	return text.trimEnd().split('\n');
}

/** What is supposed to happen, by the question. */
function kindsOf(
	target: Target,
	question: Exclude<QuestionKind, 'rescue'>,
	forecast: Forecast,
): readonly ChangeKind[] {
	const nodes = nodesMeant(target, forecast);
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
		case 'outOfService': {
			const taint = {key: taintOutOfService, value: 'nodeshutdown', effect: 'NoExecute'} as const;
			return each(nodes, (node) => ({type: 'taint', node, taint}));
		}
		case 'delete':
			return each(nodes, (node) => ({type: 'deleteNode', node}));
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
): Steps<string> {
	const at = forecast.observedAt;
	const changes = kinds.map((kind): Change => ({...kind, at}));
	const found = yield* forecaster.whatIfInSteps(changes, at);
	return formatWhatIf(found, whatIfImpact(forecast, found, related));
}

function* ofPod(target: Target, forecaster: Forecaster, forecast: Forecast): Steps<string> {
	const now = forecast.observedAt;
	const namespace = target.kind === 'pod' ? target.namespace : '';
	const ask = (changes: readonly Change[]) => forecaster.whatIfInSteps(changes, now);
	const found = forecast.pods.find((pod) => pod.name === target.name && pod.namespace === namespace);
	const pod = forecaster.podOf(`${namespace}/${target.name}`);
	if (!found?.eviction || !pod) return formatRescue({now, pods: [], held: []});
	const nodeForecast = forecast.nodes.find(({name}) => name === found.node);
	const node = nodeForecast?.node;
	const taints = node ? noExecuteTaints(node).map(({key}) => key) : [];
	const returns = yield* forecaster.returnsInSteps(now);
	const back = yield* latestReturn(pod, found, forecaster.settings.nodeMonitorPeriod, now, returns);
	const isSilent = nodeForecast?.verdict === 'Silent';
	const endings = endingsOf(found, {pod, node, isSilent, now, settings: forecaster.settings});
	const remedies = [...(back ? [back] : []), ...(yield* otherRemedies(pod, found, taints, now, ask))];
	return formatRescue({now, pods: [{forecast: found, pod, remedies, endings}], held: []});
}
