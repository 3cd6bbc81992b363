import {get as getPlain} from 'node:http';
import {get} from 'node:https';
import {readTextFile} from '../../async/readTextFile.ts';
import {textUpTo} from '../../async/textUpTo.ts';
import {zoneLabel} from '../../core/model/zone.ts';
import {type Duration, second} from '../../core/time/instant.ts';
import type {Forecast} from '../../forecast/forecast.ts';
import type {ZoneForecast} from '../../forecast/zoneForecast.ts';
import {type BoundedLabels, otherLabel} from './boundedLabels.ts';
import {parseExposition} from './exposition.ts';
import {type Family, gauge, type Sample, single} from './family.ts';
import {zoneHealth} from './zones.ts';

/** The metrics endpoint of kube-controller-manager, and how to authenticate. */
export type ControllerMetricsTarget = Readonly<{
	url: URL;
	/** A file with a bearer token; read each time, as it may be renewed. */
	tokenFile: string | undefined;
	/** The authorities in PEM that may have signed its certificate; read each time. */
	readAuthorities: () => Promise<string | string[]>;
	/** Accepts any certificate: the default one is self-signed. */
	trustsAnyone: boolean;
}>;

const answerTimeout: Duration = 5 * second;
/** Such a page has some hundred thousand characters. */
const longestPage = 16 * 2 ** 20;

/** Our values of the metrics that are compared. */
const ourValues: Readonly<Record<string, (zone: ZoneForecast) => number>> = {
	zone_size: ({size}) => size,
	unhealthy_nodes_in_zone: ({notReady}) => notReady,
	zone_health: zoneHealth,
};

export type ControllerLook = {
	readonly isUp: boolean;
	/** Our value minus theirs, for each zone in both. */
	readonly differences: readonly Sample[];
};

/** Scrapes the controllers' metrics. @throws Error if that fails */
export async function fetchControllerMetrics(target: ControllerMetricsTarget): Promise<string> {
	const {url, tokenFile, readAuthorities, trustsAnyone} = target;
	const authorization =
		tokenFile === undefined ? undefined : `Bearer ${(await readTextFile(tokenFile)).trim()}`;
	const options = {
		headers: {accept: 'text/plain', ...(authorization !== undefined && {authorization})},
		signal: AbortSignal.timeout(answerTimeout),
		rejectUnauthorized: !trustsAnyone,
		...(url.protocol === 'https:' && !trustsAnyone && {ca: await readAuthorities()}),
	};
	const page = await new Promise<string | undefined>((resolve, reject) => {
		const ask = url.protocol === 'http:' ? getPlain : get;
		ask(url, options, (answer) => {
			if (answer.statusCode === 200) return void textUpTo(longestPage, answer).then(resolve, reject);
			answer.resume();
			reject(new Error(`the answer was ${answer.statusCode}`));
		}).once('error', reject);
	});
	if (page === undefined) throw new Error(`the page has more than ${longestPage} characters`);
	return page;
}

/** Compares the controllers' metrics with a forecast. A process that does not lead has no zone metrics, so nothing differs. */
export function compareMetrics(page: string, {zones}: Forecast): readonly Sample[] {
	const theirs = parseExposition(
		page,
		new Set(Object.keys(ourValues).map((name) => `node_collector_${name}`)),
	);
	return Object.entries(ourValues).flatMap(([metric, ourValue]) => {
		const byZone = new Map(
			(theirs.get(`node_collector_${metric}`) ?? []).map(([labels, value]) => [
				zoneLabel(labels['zone'] ?? ''),
				value,
			]),
		);
		return zones.flatMap((zone): Sample[] => {
			const their = byZone.get(zone.zone);
			return their === undefined ? [] : [[{metric, zone: zone.zone}, ourValue(zone) - their]];
		});
	});
}

/** The metrics about these scrapes. */
export const comparisonFamilies: readonly Family<ControllerLook & {readonly zoneLabels: BoundedLabels}>[] = [
	gauge(
		'evictwatch_controller_metrics_up',
		'Whether the metrics of kube-controller-manager itself could be read.',
		[],
		({isUp}) => single(Number(isUp)),
	),
	// A sum over zones that share a label would hide differences.
	gauge(
		'evictwatch_controller_metric_difference',
		"Our value less kube-controller-manager's own of node_collector_<metric>; its are up to one monitor period older.",
		['metric', 'zone'],
		({differences, zoneLabels}) =>
			differences.flatMap(([labels, value]): Sample[] => {
				const zone = zoneLabels(labels['zone'] ?? '');
				return zone === otherLabel ? [] : [[{...labels, zone}, value]];
			}),
	),
];
