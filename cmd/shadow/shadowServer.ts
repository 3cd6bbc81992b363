import {systemClock} from '../../src/live/clock.ts';
import {Health, healthRoute} from '../../src/shadow/http/health.ts';
import {parseListenAddress} from '../../src/shadow/http/listenAddress.ts';
import {startServer} from '../../src/shadow/http/server.ts';
import {pagePolicy, statusPage} from '../../src/shadow/http/statusPage.ts';
import type {Log} from '../../src/shadow/log.ts';
import type {ShadowMetrics} from '../../src/shadow/metrics/shadowMetrics.ts';
import type {LatestView, ShadowView} from '../../src/shadow/shadowView.ts';
import {shadowFlags} from '../args/flagGroups/shadowFlags.ts';
import {camelCase, type FlagSpec} from '../args/flagSpec.ts';
import type {FlagValues} from '../args/options.ts';
import {programVersion} from '../args/program.ts';
import {invalidValue} from '../args/usageError.ts';

type ServerParts = {
	readonly flags: FlagValues;
	readonly latest: LatestView;
	readonly metrics: ShadowMetrics;
	readonly log: Log;
};

/** Serves what the flags ask for; nothing without --listen. @throws UserError if it cannot listen there */
export async function serveShadow({flags, latest, metrics, log}: ServerParts) {
	if (flags.listen === undefined) return undefined;
	const address = parseListenAddress(flags.listen);
	if (!address) throw invalidValue('listen', flags.listen, 'want HOST:PORT, :PORT or [IPv6]:PORT');
	const health = new Health(systemClock.now);
	const live = healthRoute('livez', () => health.live());
	const title = flags.metricsCluster ?? flags.context ?? 'this cluster';
	const page = {title, version: programVersion, options: optionsShown(flags)};
	const server = await startServer(
		address,
		{
			pages: {
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
			},
			probes: {
				'/healthz': live,
				'/livez': live,
				'/readyz': healthRoute('readyz', () => health.ready()),
			},
		},
		log,
	);
	log.info('listening', {url: server.url});
	return {
		url: server.url,
		changed: (view: ShadowView) => health.changed(view),
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
