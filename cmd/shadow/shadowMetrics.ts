import {readFileSync} from 'node:fs';
import {systemAuthorities} from '../../src/cluster/access/certificates.ts';
import {type Duration, second} from '../../src/core/time/instant.ts';
import type {Log} from '../../src/shadow/log.ts';
import {
	type ControllerLook,
	type ControllerMetricsTarget,
	compareMetrics,
	comparisonFamilies,
	fetchControllerMetrics,
} from '../../src/shadow/metrics/controllerMetrics.ts';
import {ShadowMetrics} from '../../src/shadow/metrics/shadowMetrics.ts';
import type {LatestView} from '../../src/shadow/shadowView.ts';
import type {FlagValues} from '../args/options.ts';
import {programVersion} from '../args/program.ts';
import {invalidValue} from '../args/usageError.ts';

/** The usual scrape interval of Prometheus. */
const compareEvery: Duration = 15 * second;

type MetricsParts = {
	readonly flags: FlagValues;
	readonly latest: LatestView;
	readonly log: Log;
};

/** The metrics that the flags ask for, and their updates. @throws UserError for a wrong flag */
export function startMetrics({flags, latest, log}: MetricsParts) {
	const metrics = new ShadowMetrics({
		now: latest.now,
		version: programVersion,
		workloads: countOf(flags.metricsWorkloads ?? '0'),
		cluster: flags.metricsCluster,
	});
	const target = targetOf(flags);
	if (target === undefined) return {metrics, close: () => undefined};
	let look: ControllerLook | undefined;
	const {zoneLabels} = metrics;
	for (const family of comparisonFamilies) metrics.add(family, () => look && {...look, zoneLabels});
	const compare = async () => {
		try {
			const page = await fetchControllerMetrics(target);
			look = {isUp: true, differences: latest.view ? compareMetrics(page, latest.view.forecast) : []};
		} catch (error) {
			if (look?.isUp !== false) log.warn("the controllers' own metrics cannot be read", {error});
			look = {isUp: false, differences: []};
		}
	};
	void compare();
	const timer = setInterval(compare, compareEvery);
	return {metrics, close: () => clearInterval(timer)};
}

function countOf(text: string): number {
	if (/^\d{1,4}$/.test(text)) return Number(text);
	throw invalidValue('metrics-workloads', text, 'want a whole number up to 9999');
}

function targetOf(flags: FlagValues): ControllerMetricsTarget | undefined {
	const {controllerMetrics: text, controllerMetricsCaFile: caFile} = flags;
	if (text === undefined) return undefined;
	const url = URL.parse(text);
	if (!url || !['http:', 'https:'].includes(url.protocol)) {
		throw invalidValue('controller-metrics', text, 'want a URL such as https://127.0.0.1:10257/metrics');
	}
	return {
		url,
		tokenFile: flags.controllerMetricsTokenFile,
		readAuthorities: () => (caFile === undefined ? systemAuthorities() : readFileSync(caFile, 'utf8')),
		trustsAnyone: flags.controllerMetricsInsecureSkipTlsVerify,
	};
}
