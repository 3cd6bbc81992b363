import {spawnSync} from 'node:child_process';
import {copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {parse, stringify} from 'yaml';
import {minute} from '../../../src/core/time/instant.ts';
import type {Check} from '../../e2e/judge.ts';

const root = join(import.meta.dirname, '../../..');

/** Whether there is a promtool. */
export const hasPromtool = (): boolean => spawnSync('promtool', ['--version']).status === 0;

/** Whether there is a promtool; installs Debian's where it can. */
export function findPromtool(): boolean {
	if (hasPromtool()) return true;
	if (!existsSync('/usr/bin/apt-get') || process.getuid?.() !== 0) return false;
	console.log('installing Prometheus and Alertmanager');
	for (const args of [
		['update'],
		['install', '-y', '--no-install-recommends', 'prometheus', 'prometheus-alertmanager'],
	])
		spawnSync('/usr/bin/apt-get', args, {stdio: 'ignore', timeout: 10 * minute});
	return hasPromtool();
}

function promtool(name: string, args: readonly string[], input?: string): Check {
	const {status, stdout, stderr} = spawnSync('promtool', args, {input, encoding: 'utf8'});
	const said = `${stdout}\n${stderr}`.trim();
	return {name: `promtool: ${name}`, failures: status === 0 ? [] : [said || `exit code ${status}`]};
}

type Rules = {
	readonly spec: {readonly groups: readonly {readonly rules: readonly {readonly alert: string}[]}[]};
};
type Panel = {readonly title: string; readonly targets: readonly {readonly expr: string}[]};

/** Prometheus' own judgement of what is served. */
export const checkMetrics = (metrics: string): Check =>
	promtool('what is served', ['check', 'metrics'], metrics);

/** The alerts that ship, as Prometheus reads them: the part of the operator's object that is its own. */
export const alertRules = (): Rules['spec'] =>
	(parse(readFileSync(join(root, 'deploy/prometheus-operator/prometheus-rule.yaml'), 'utf8')) as Rules).spec;

/** Prometheus' own judgement of the alerts, each of which is played, and of what the dashboard asks. */
export function checkAlerts(): readonly Check[] {
	const folder = mkdtempSync(join(tmpdir(), 'evictwatch-promtool-'));
	try {
		const spec = alertRules();
		writeFileSync(join(folder, 'rules.yaml'), stringify(spec));
		const tests = 'alerts.test.yaml';
		copyFileSync(join(root, 'test/shadow', tests), join(folder, tests));
		const played = readFileSync(join(folder, tests), 'utf8');
		const silent = spec.groups
			.flatMap(({rules}) => rules.map(({alert}) => alert))
			.filter((alert) => !played.includes(`alertname: ${alert}\n`));
		writeFileSync(join(folder, 'dashboard.yaml'), stringify(dashboardRules()));
		return [
			promtool('the alerts', ['check', 'rules', join(folder, 'rules.yaml')]),
			promtool('each alert fires when it should', ['test', 'rules', join(folder, tests)]),
			{name: 'each alert is played', failures: silent},
			promtool('what the dashboard asks', ['check', 'rules', join(folder, 'dashboard.yaml')]),
		];
	} finally {
		rmSync(folder, {recursive: true, force: true});
	}
}

/** The questions of the dashboard as rules, since promtool reads nothing else. */
function dashboardRules() {
	const {panels} = JSON.parse(readFileSync(join(root, 'deploy/grafana/evictwatch.json'), 'utf8')) as {
		panels: readonly Panel[];
	};
	const exprs = panels.flatMap(({targets}) => targets.map(({expr}) => expr));
	const rules = exprs.map((expr, index) => ({record: `dashboard:panel:${index}`, expr}));
	return {groups: [{name: 'dashboard', rules}]};
}
