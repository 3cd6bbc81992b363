import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {parseArgs} from 'node:util';
import {minute} from '../../../src/core/time/instant.ts';
import {checkAlerts, checkMetrics, findPromtool} from '../../shadow/support/promtool.ts';
import type {Check} from '../judge.ts';
import {report} from '../report.ts';
import {builtPlugin, say} from '../session.ts';
import {findBrowser} from './chromium.ts';
import {checkFleet} from './fleet.ts';
import {checkPage} from './page.ts';
import {Program, until} from './program.ts';
import {checkByAlertmanager, checkByPrometheus} from './servers.ts';

// Tests the pages of a running shadow with their real consumers: Prometheus and a browser. A zone fails in a simulated cluster
// meanwhile. What cannot be installed is reported, and fails nothing.

const {
	values: {plugin, picture},
} = parseArgs({options: {plugin: {type: 'string', default: builtPlugin}, picture: {type: 'string'}}});

const folder = mkdtempSync(join(tmpdir(), 'evictwatch-shadow-'));
const {program: demo, server} = await Program.demo(plugin, 'zone-dies');
const checks: Check[] = [];
try {
	const shadow = Program.shadow(plugin, ['-s', server, '--metrics-workloads', '5']);
	const url = await shadow.url();
	const page = async (path: string) => (await fetch(url + path)).text();
	await until('ready', async () => (await fetch(`${url}/readyz`)).ok);
	say('the shadow is ready');
	await until(
		'an eviction is to come',
		async () =>
			/^evictwatch_pending_evictions\{zone="eu\/b",horizon="5m"\} [1-9]/m.test(await page('/metrics')),
		3 * minute,
	);
	await until(
		'a zone is down',
		async () =>
			/^evictwatch_zone_state\{zone="eu\/b",state="FullDisruption"\} 1$/m.test(await page('/metrics')),
		3 * minute,
	);
	say('a zone is dead');
	if (findPromtool()) checks.push(checkMetrics(await page('/metrics')), ...checkAlerts());
	else
		console.log(
			'skipped: there is no promtool here, and it cannot be installed: metrics and alerts are not judged',
		);
	checks.push(...(await checkByPrometheus(url, join(folder, 'prometheus'))));
	const other = Program.shadow(plugin, ['-s', server]);
	checks.push(...(await checkByAlertmanager([url, await other.url()], join(folder, 'alertmanager'))));
	await other.end();
	say('three clusters, and a Prometheus over all of them');
	checks.push(...(await checkFleet(plugin, join(folder, 'fleet'))));
	const browser = findBrowser();
	if (browser) checks.push(...(await checkPage(browser, join(folder, 'profile'), url, picture)));
	else
		console.log('skipped: there is no chromium here, and it cannot be installed: the page is not looked at');
	await shadow.end();
	checks.push({
		name: 'SIGTERM ends it in order',
		failures: [
			...(shadow.code === 0 ? [] : [`exit code ${shadow.code}`]),
			...(shadow.lines.some((line) => line.includes('"stopping"')) ? [] : ['it does not say so']),
			...shadow.lines.filter((line) => !line.startsWith('{"time":')),
		],
	});
	say('looked at');
} finally {
	await demo.end('SIGKILL');
	rmSync(folder, {recursive: true, force: true});
}
process.exit(report(checks));
