import {readTextFile} from '../../src/async/readTextFile.ts';
import {systemAuthorities} from '../../src/cluster/access/certificates.ts';
import {type Duration, second} from '../../src/core/time/instant.ts';
import {systemClock} from '../../src/live/clock.ts';
import {healthOf, healthRoute} from '../../src/shadow/http/health.ts';
import {parseListenAddress} from '../../src/shadow/http/listenAddress.ts';
import {type Routes, startServer} from '../../src/shadow/http/server.ts';
import {pagePolicy, statusPage} from '../../src/shadow/http/statusPage.ts';
import {createLog, type Log} from '../../src/shadow/log.ts';
import {
	type ControllerLook,
	type ControllerMetricsTarget,
	compareMetrics,
	comparisonFamilies,
	fetchControllerMetrics,
} from '../../src/shadow/metrics/controllerMetrics.ts';
import {ShadowMetrics} from '../../src/shadow/metrics/shadowMetrics.ts';
import {type LatestView, latestView, openGap, type ShadowListener} from '../../src/shadow/shadowView.ts';
import {writeMessage} from '../../src/text/streams.ts';
import {shadowFlags} from '../args/flagGroups/shadowFlags.ts';
import {camelCase, type FlagSpec} from '../args/flagSpec.ts';
import type {FlagValues, Options} from '../args/options.ts';
import {programVersion} from '../args/program.ts';
import {invalidValue} from '../args/usageError.ts';

export type ShadowParts = Awaited<ReturnType<typeof shadowParts>>;

/** Starts what the flags of a shadow ask for. @throws UserError if one of them fails */
export async function shadowParts({flags}: Options) {
	const {logFormat = 'text', logLevel = 'info'} = flags;
	const write = (line: string) => void writeMessage(line);
	const log = createLog({format: logFormat, level: logLevel, now: systemClock.now, write});
	const latest = latestView(systemClock.now);
	const {metrics, close} = startMetrics(flags, latest, log);
	const server = await serveShadow(flags, latest, metrics, log).catch((error: unknown) => {
		close();
		throw error;
	});
	let isStopping = false;
	const stop = () => {
		if (!isStopping) log.info('stopping');
		isStopping = true;
		server?.stop();
	};
	const jsonLog = logFormat === 'json' ? log : undefined;
	const listeners: readonly ShadowListener[] = [latest, ...(jsonLog ? [logging(jsonLog)] : []), metrics];
	return {
		listeners,
		/** The JSON log; undefined if the log is text. */
		jsonLog,
		/** The address of the HTTP server; undefined without one. */
		url: server?.url,
		/** Announces the end: `/readyz` answers 503 from here on; everything else continues. */
		stop,
		/** Ends everything; responses that have begun are completed. */
		close: async () => {
			stop();
			close();
			// Last, as it reports the stop until everything else has ended.
			await server?.close();
		},
	};
}

function logging(log: Log): ShadowListener {
	const logged = {hasSynced: false, isUp: null as boolean | null, gap: null as number | null};
	return {
		matched: ({action, zone, error, isInside}) =>
			log.debug('as predicted', {action, zone, errorMilliseconds: error, isInside}),
		diverged: (divergence) => {
			const {isAlarm, endedAt} = divergence;
			if (endedAt !== null) log.info('a divergence ended', divergence);
			else if (isAlarm) log.warn('a divergence', divergence);
			else log.info('a divergence that is no alarm', divergence);
		},
		changed: (view) => {
			const {hasSynced, forecast, controller} = view;
			if (hasSynced && !logged.hasSynced) {
				log.info('the cluster was read whole', {nodes: forecast.nodes.length, pods: forecast.pods.length});
			}
			if (controller.isUp !== logged.isUp) {
				log.info('the controllers', {isUp: controller.isUp, leader: controller.leader});
			}
			const open = openGap(view);
			if (open && open.from !== logged.gap) log.warn('not all of the cluster is seen', {reason: open.reason});
			if (!open && logged.gap !== null) log.info('all of the cluster is seen again');
			Object.assign(logged, {hasSynced, isUp: controller.isUp, gap: open?.from ?? null});
		},
	};
}

/** The usual scrape interval of Prometheus. */
const compareEvery: Duration = 15 * second;

/** The metrics that the flags ask for, and their updates. @throws UserError for a wrong flag */
function startMetrics(flags: FlagValues, latest: LatestView, log: Log) {
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
		readAuthorities: async () => (caFile === undefined ? systemAuthorities() : readTextFile(caFile)),
		trustsAnyone: flags.controllerMetricsInsecureSkipTlsVerify,
	};
}

/** Serves what the flags ask for; nothing without --listen. @throws UserError if it cannot listen there */
async function serveShadow(flags: FlagValues, latest: LatestView, metrics: ShadowMetrics, log: Log) {
	if (flags.listen === undefined) return undefined;
	const address = parseListenAddress(flags.listen);
	if (!address) throw invalidValue('listen', flags.listen, 'want HOST:PORT, :PORT or [IPv6]:PORT');
	const health = healthOf(latest);
	const live = healthRoute('livez', () => health.live());
	const title = flags.metricsCluster ?? flags.context ?? 'this cluster';
	const page = {title, version: programVersion, options: optionsShown(flags)};
	const pages: Routes['pages'] = {
		'/': () => ({
			status: 200,
			contentType: 'text/html; charset=utf-8',
			body: statusPage(latest.view, page, latest.now()),
			headers: {'content-security-policy': pagePolicy},
		}),
		'/metrics': async ({accept}) => {
			const {contentType, text} = await metrics.exposition(accept);
			return {status: 200, contentType, body: text};
		},
	};
	const ready = healthRoute('readyz', () => health.ready());
	const probes = {'/healthz': live, '/livez': live, '/readyz': ready};
	const server = await startServer(address, {pages, probes}, log);
	log.info('listening', {url: server.url});
	return {
		url: server.url,
		/** Makes the readiness check fail, while open requests finish. */
		stop: () => health.stop(),
		close: server.close,
	};
}

/** The flags of this run for the status page; URLs may hold secrets, so only their host is shown. */
function optionsShown(flags: FlagValues): readonly (readonly [string, string])[] {
	const values: Readonly<Record<string, unknown>> = flags;
	return Object.entries<FlagSpec>(shadowFlags).flatMap(([name]) => {
		const value = values[camelCase(name)];
		const all = (Array.isArray(value) ? value : [value]).filter((one) => one !== undefined && one !== false);
		return all.map((one) => [`--${name}`, URL.parse(String(one))?.host || String(one)] as const);
	});
}
