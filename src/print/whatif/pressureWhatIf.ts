import {podKey} from '../../core/model/pod.ts';
import type {Problem} from '../../core/model/problem.ts';
import type {Instant} from '../../core/time/instant.ts';
import {utc} from '../../dates/timeZone.ts';
import {formatTimestamp} from '../../dates/utc.ts';
import {formatAmount} from '../../forecast/pressure/amount.ts';
import type {PressureForecast} from '../../forecast/pressure/pressureForecast.ts';
import type {PressureWhatIf} from '../../forecast/pressure/supposedPressure.ts';
import {uncapitalized} from '../../forecast/words.ts';
import type {PressureWhatIfJson} from '../contract/pressureWhatIf.ts';
import {formatWhen} from '../countdown.ts';
import {apiVersion} from '../json/json.ts';
import {formatPressure} from '../pressure/pressure.ts';
import {pressureJson} from '../pressure/pressureJson.ts';
import {simulatedHead} from '../seenAt.ts';
import type {TableOptions} from '../tables/table.ts';
import {pressureMightFollow} from '../whyNotYet.ts';

/** Formats a what-if about pressure: the assumed amounts, the pods that would be evicted, and the node's state. */
export function formatPressureWhatIf(
	found: readonly PressureWhatIf[],
	options: TableOptions,
	now: Instant,
): string {
	const supposed = found
		.flatMap((one) => one.supposed)
		.map(({node, signal, left}) => `node ${node} has ${formatAmount(left, signal)} left of ${signal}`);
	const head = `${simulatedHead(now, options.timeZone ?? utc)}If ${supposed.join('\nand ')}:\n`;
	const nodes = found.map(({before, after}) => {
		const was = `As it is, ${victimWords(before, now)}.\n`;
		return `${formatPressure(after, options, now)}\n${was}`;
	});
	return [head, ...nodes].join('\n');
}

function victimWords(before: PressureForecast, now: Instant): string {
	const {evictions, node} = before;
	const [next] = evictions;
	if (!next) return uncapitalized(pressureMightFollow([before])) || `no eviction is in sight on node ${node}`;
	const word = next.isCertain ? 'is evicted' : 'may be evicted';
	return `pod ${podKey(next.pod)} ${word} first on node ${node}, ${formatWhen(next.when, now)}`;
}

export const pressureWhatIfJson = (
	found: readonly PressureWhatIf[],
	problems: readonly Problem[],
	now: Instant,
): PressureWhatIfJson => ({
	apiVersion,
	kind: 'PressureWhatIf',
	metadata: {
		observedAt: formatTimestamp(now),
		source: 'cluster',
		problems: problems.map(({reason, message}) => ({reason, message})),
	},
	nodes: found.map(({supposed, before, after}) => ({
		node: after.node,
		supposed: supposed.map(({signal, left}) => ({signal, left: Number(left)})),
		before: pressureJson(before),
		after: pressureJson(after),
	})),
});
