import type {Duration, Instant} from '../core/time/instant.ts';
import type {Forecast} from '../forecast/forecast.ts';
import type {NodeForecast} from '../forecast/nodeForecast.ts';
import {clockTime, whenWords} from '../forecast/words.ts';
import {formatDuration} from './countdown.ts';

const mostNamed = 3;

/** Why nothing is evicted yet though nodes are late or silent, a sentence for each; empty where none is. */
export function whyNotYet(
	{nodes, pods, observedAt}: Pick<Forecast, 'nodes' | 'pods' | 'observedAt'>,
	grace: Duration,
): string {
	const late = lateNodesOf(nodes);
	const texts = late.slice(0, mostNamed).map((node) => {
		const {name, lastRenewal, unknown} = node;
		const silence =
			lastRenewal === null
				? `${name} is not heard`
				: `${name} has not renewed its lease for ${formatDuration(observedAt - lastRenewal)}`;
		if (!unknown) return silence;
		const turns = `it turns Unknown ${whenWords(unknown, observedAt)} (after a grace period of ${formatDuration(grace)})`;
		const all = pods.flatMap(({node: on, cause}) => (on === name && cause?.kind === 'Taint' ? [cause] : []));
		return `${silence}; unless it does, ${turns}${thenWords(all.map(({tolerationSeconds}) => tolerationSeconds ?? 0))}`;
	});
	const more = late.length - texts.length;
	return `${texts.join('. ')}${more > 0 ? `. ${more} more are silent` : ''}`;
}

/** `, then its pods are evicted after 30s, 60s or 300s`. */
function thenWords(tolerated: readonly number[]): string {
	const seconds = [...new Set(tolerated)]
		.toSorted((a, b) => a - b)
		.map((one) => (one === 0 ? 'at once' : `${one}s`));
	if (seconds.length === 0) return '';
	const last = seconds.at(-1) ?? '';
	const others = seconds.slice(0, -1).join(', ');
	const after = seconds[0] === 'at once' ? '' : 'after ';
	return `, then its pods are evicted ${after}${others === '' ? '' : `${others} or `}${last}`;
}

/** The nodes that are late, or silent and not yet Unknown. */
export const lateNodesOf = <One extends Pick<NodeForecast, 'verdict' | 'ready'>>(
	nodes: readonly One[],
): readonly One[] =>
	nodes.filter(({verdict, ready}) => verdict === 'Late' || (verdict === 'Silent' && ready === 'True'));

/** `Evictions might follow: b2 is late`; empty where no node is late or silent. */
export function mightFollow(nodes: readonly Pick<NodeForecast, 'name' | 'verdict' | 'ready'>[]): string {
	const late = lateNodesOf(nodes);
	if (late.length === 0) return '';
	const names = late.slice(0, mostNamed).map(({name, verdict}) => `${name} is ${verdict.toLowerCase()}`);
	const more = late.length - names.length;
	return `Evictions might follow: ${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** That controllers took over while nodes were in trouble, which begins everything again. */
export const takeoverWords = (at: Instant, now: Instant): string =>
	`A controller manager took over at ${clockTime(at, now)}: every grace period and every countdown began again`;
