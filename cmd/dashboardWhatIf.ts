import {nothingRelated, type Related} from '../src/core/model/related.ts';
import {noExecuteTaints} from '../src/core/tainteviction/taintEvictionController.ts';
import type {Instant} from '../src/core/time/instant.ts';
import {endingsOf} from '../src/forecast/endings.ts';
import type {Target} from '../src/forecast/explain/explanation.ts';
import type {Forecast} from '../src/forecast/forecast.ts';
import type {Forecaster} from '../src/forecast/forecaster.ts';
import type {Steps} from '../src/forecast/steps.ts';
import type {Change} from '../src/forecast/whatif/change.ts';
import {latestReturn, otherRemedies} from '../src/forecast/whatif/remedy.ts';
import {whatIfImpact} from '../src/impact/whatIfImpact.ts';
import {formatRescue} from '../src/print/rescue.ts';
import {formatWhatIf} from '../src/print/whatIf.ts';

const withoutTaints = 'These controllers evict without taints: what would change that cannot be played.';

/** Answers the dashboard's question of a row: a node or zone lost or back, what would save a pod. */
export function* dashboardAnswer(
	target: Target,
	forecaster: Forecaster,
	now: Instant,
	related: Related = nothingRelated,
): Steps<readonly string[]> {
	if (!forecaster.settings.taintBasedEvictions) return [withoutTaints];
	const forecast = yield* forecaster.forecastInSteps(now);
	const text =
		target.kind === 'pod'
			? yield* ofPod(target, forecaster, forecast)
			: yield* ofNodes(nodesOf(target, forecast), forecaster, forecast, related);
	return text.trimEnd().split('\n');
}

/** A node, or all of a zone: those that are well are lost, or where none is, those that are not are back. */
function nodesOf(
	{kind, name}: Target,
	{nodes}: Forecast,
): readonly Pick<Change & {node: string}, 'type' | 'node'>[] {
	const meant = nodes.filter((node) => (kind === 'zone' ? node.zone === name : node.name === name));
	const isUp = ({verdict}: (typeof meant)[number]) => verdict === 'Healthy' || verdict === 'Recovering';
	const type = meant.some(isUp) ? 'nodeDown' : 'nodeBack';
	return meant
		.filter((node) => isUp(node) === (type === 'nodeDown'))
		.map((node) => ({type, node: node.name}));
}

function* ofNodes(
	kinds: readonly Pick<Change & {node: string}, 'type' | 'node'>[],
	forecaster: Forecaster,
	forecast: Forecast,
	related: Related,
): Steps<string> {
	const at = forecast.observedAt;
	const changes = kinds.map((kind) => ({...kind, at}) as Change);
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
	const endings = endingsOf(found, {
		pod,
		node,
		isSilent: nodeForecast?.verdict === 'Silent',
		now,
		settings: forecaster.settings,
	});
	const remedies = [...(back ? [back] : []), ...(yield* otherRemedies(pod, found, taints, now, ask))];
	return formatRescue({now, pods: [{forecast: found, pod, remedies, endings}], held: []});
}
