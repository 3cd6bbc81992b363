import {spawnSync} from 'node:child_process';
import {copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {parse, stringify} from 'yaml';
import {minute} from '../../../src/core/time/instant.ts';
import type {Check} from '../../e2e/judge.ts';

const root = join(import.meta.dirname, '../../..');

/** Whether promtool is installed. */
export const hasPromtool = (): boolean => spawnSync('promtool', ['--version']).status === 0;

/** Whether promtool is installed; installs Debian's if possible. */
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
	readonly spec: {
		readonly groups: readonly {
			readonly rules: readonly {
				readonly alert?: string;
				readonly record?: string;
				readonly expr: string;
				readonly annotations?: {readonly runbook_url: string};
			}[];
		}[];
	};
};
type Panel = {readonly title: string; readonly targets: readonly {readonly expr: string}[]};

/** Prometheus' own check of the served metrics. */
export const checkMetrics = (metrics: string): Check =>
	promtool('what is served', ['check', 'metrics'], metrics);

/** The shipped rules, by the tests' names for the files. */
const ruleFiles = {
	rules: 'prometheus-operator/prometheus-rule.yaml',
	recording: 'prometheus-operator/recording-rule.yaml',
	fleet: 'fleet/prometheus-rule.yaml',
} as const;

/** The rules in Prometheus' format: the spec of the operator's object. */
export const rulesOf = (name: keyof typeof ruleFiles): Rules['spec'] =>
	(parse(readFileSync(join(root, 'deploy', ruleFiles[name]), 'utf8')) as Rules).spec;

/** The shipped dashboards. */
export const dashboards = ['evictwatch', 'evictwatch-fleet'] as const;

/** Prometheus' own checks of the alerts, each of which is played, and of the dashboards' queries. */
export function checkAlerts(): readonly Check[] {
	const folder = mkdtempSync(join(tmpdir(), 'evictwatch-promtool-'));
	try {
		const names = ['rules', 'recording', 'fleet'] as const;
		const files = names.map((name) => join(folder, `${name}.yaml`));
		for (const [index, name] of names.entries()) writeFileSync(files[index] ?? '', stringify(rulesOf(name)));
		const tests = ['alerts.test.yaml', 'fleet.test.yaml'];
		for (const file of tests) copyFileSync(join(root, 'test/shadow', file), join(folder, file));
		const played = tests.map((file) => readFileSync(join(folder, file), 'utf8')).join('\n');
		const silent = names
			.flatMap((name) => rulesOf(name).groups)
			.flatMap(({rules}) => rules.flatMap(({alert}) => alert ?? []))
			.filter((alert) => !played.includes(`alertname: ${alert}\n`));
		writeFileSync(join(folder, 'dashboard.yaml'), stringify(dashboardRules()));
		return [
			promtool('the rules', ['check', 'rules', ...files]),
			...tests.map((file) =>
				promtool(`each fires when it should: ${file}`, ['test', 'rules', join(folder, file)]),
			),
			{name: 'each alert is played', failures: silent},
			promtool('what the dashboards ask', ['check', 'rules', join(folder, 'dashboard.yaml')]),
		];
	} finally {
		rmSync(folder, {recursive: true, force: true});
	}
}

/** The queries of a dashboard. */
export function queriesOf(name: (typeof dashboards)[number]): readonly string[] {
	const {panels} = JSON.parse(readFileSync(join(root, `deploy/grafana/${name}.json`), 'utf8')) as {
		panels: readonly Panel[];
	};
	return panels.flatMap(({targets}) => targets.map(({expr}) => expr));
}

/** The queries as rules, because promtool reads only rules. */
function dashboardRules() {
	const exprs = dashboards.flatMap(queriesOf);
	const rules = exprs.map((expr, index) => ({record: `dashboard:panel:${index}`, expr}));
	return {groups: [{name: 'dashboard', rules}]};
}
