import {createHash} from 'node:crypto';
import {expect, test} from 'vitest';
import {type PageOptions, pagePolicy, statusPage} from '../../../src/shadow/http/statusPage.ts';
import {aForecast, aPodForecast, aZoneForecast, inSeconds, now} from '../../print/forecasts.ts';
import {aDivergence, aView} from '../support/views.ts';

const options: PageOptions = {version: '1.2.3', title: 'prod', options: [['--listen', ':8080']]};

/** The page's visible text, with one line for each table row and paragraph. */
const seen = (page: string): readonly string[] =>
	page
		.replace(/[\s\S]*<body>/, '')
		.replaceAll(/<\/(tr|p|h1|h2|div)>/g, '\n')
		.replaceAll(/<\/(td|th)>/g, ' | ')
		.replaceAll(/<[^>]*>/g, ' ')
		.split('\n')
		.map((line) => line.replaceAll(/\s+/g, ' ').trim())
		.filter(Boolean);

test('zones, next evictions, controllers and settings stand in it', () => {
	const view = aView({
		settings: [
			{
				name: '--node-monitor-grace-period',
				unit: 'duration',
				value: 40_000,
				source: {kind: 'flag', detail: 'given on the command line'},
			},
		],
	});
	const lines = seen(statusPage(view, options, now));
	expect(lines).toContain('3 pods will be evicted');
	expect(lines).toContain('up controllers: cp-1 leads for 1h');
	expect(lines).toContain('1 / 2 / 3 pods go in 1 / 5 / 15 minutes');
	expect(lines.find((line) => line.startsWith('eu/a'))).toBe(
		'eu/a | Normal | 3/4 | 0.1/s | ready | n1 | 6 more down: evictions stop (PartialDisruption) | 1 / 2 / 3 |',
	);
	expect(lines).toContain(
		'20s-40s | 14:00:20–14:00:40 | shop/cart-0 | Scheduled | n1 | eu/a | unreachable:NoExecute (300s) |',
	);
	expect(lines).toContain('--node-monitor-grace-period | 40s | given on the command line |');
	expect(lines.slice(lines.indexOf('Forecast misses'))).toContain('none');
	expect(lines).toContain('--listen | :8080 |');
});

test('a divergence says what, when and why, and what would explain it', () => {
	const view = aView({
		divergences: [aDivergence({reason: 'ControllerDown'})],
		gaps: [{from: now - 60_000, until: now - 50_000, reason: 'leases could not be read'}],
	});
	const lines = seen(statusPage(view, options, now));
	expect(lines).toContain(
		'Missing | DeletePod | shop/cart-0 | 13:59:00–13:59:10 | not yet | ControllerDown cart-0 was to be deleted by 13:59:10Z | 40s ago |',
	);
	expect(lines).toContain('1 alarm');
	expect(lines).toContain('13:59:00 | 13:59:10 | leases could not be read |');
});

test('of many rows the first are shown, and how many more there are', () => {
	const pods = Array.from({length: 73}, (_, index) =>
		aPodForecast({name: `p-${index}`, eviction: inSeconds(index + 10)}),
	);
	const page = statusPage(aView({forecast: aForecast({pods, zones: [aZoneForecast()]})}), options, now);
	expect(page.match(/shop\/p-\d+/g)).toHaveLength(50);
	expect(seen(page)).toContain('and 23 more');
});

test('nothing from the cluster becomes markup', () => {
	const evil = '<script>alert(1)</script><img src=x onerror=y>"\'';
	const pods = [aPodForecast({name: evil, node: evil, zone: evil, eviction: inSeconds(9)})];
	const problems = [{reason: evil, message: evil}];
	const page = statusPage(
		aView({
			forecast: aForecast({pods, problems, zones: [aZoneForecast({zone: evil})]}),
			divergences: [aDivergence({because: [evil], zone: evil})],
			controller: {isUp: true, leader: evil, leaderSince: null, renewedAt: null},
			gaps: [{from: now, until: null, reason: evil}],
		}),
		{...options, title: evil},
		now,
	);
	expect(page).not.toMatch(/<script|<img|onerror=y>/);
	expect(page).toContain('&lt;script&gt;');
});

test('what others did to pods is named, where they did anything', () => {
	const disrupted = new Map([
		['PreemptionByScheduler', 2],
		['EvictionByEvictionAPI', 1],
		['TerminationByKubelet', 0],
	] as const);
	expect(seen(statusPage(aView({disrupted}), options, now))).toContain(
		'Not predicted, since the start: 2 preempted by the scheduler, 1 evicted by the Eviction API (drain, descheduler).',
	);
	expect(statusPage(aView(), options, now)).not.toContain('Not predicted');
});

test('the policy allows the page its own looks, and nothing else', () => {
	const page = statusPage(aView(), options, now);
	const [, style = ''] = /<style>([\s\S]*?)<\/style>/.exec(page) ?? [];
	expect(pagePolicy).toContain(`style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`);
	expect(pagePolicy).toContain("default-src 'none'");
	expect(page).not.toMatch(/ style=|<script|<link|src=|href=/);
});

test('before the first look it says so', () => {
	expect(seen(statusPage(undefined, options, now))).toContain('The cluster is being read');
	expect(seen(statusPage(aView({hasSynced: false}), options, now)).join()).toContain(
		'what is shown is not all',
	);
});

test('a page of 20,000 zones keeps probes waiting for no longer than its first rows need', () => {
	const zones = Array.from({length: 20_000}, (_, index) => aZoneForecast({zone: `eu/z${index}`}));
	const pods = zones.map(({zone}, index) => aPodForecast({name: `cart-${index}`, zone}));
	const view = aView({forecast: aForecast({zones, pods})});
	const before = process.cpuUsage();
	const lines = seen(statusPage(view, options, now));
	expect(process.cpuUsage(before).user / 1000).toBeLessThan(2500);
	expect(lines).toContain('and 19950 more');
});
