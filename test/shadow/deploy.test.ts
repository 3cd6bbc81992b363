import {readFileSync} from 'node:fs';
import {expect, test} from 'vitest';
import {parse, parseAllDocuments} from 'yaml';
import {comparisonFamilies} from '../../src/shadow/metrics/controllerMetrics.ts';
import {processFamilies} from '../../src/shadow/metrics/ownProcess.ts';
import {shadowFamilies} from '../../src/shadow/metrics/shadowMetrics.ts';
import {queriesOf, rulesOf} from './support/promtool.ts';

const families = [...processFamilies, ...shadowFamilies(true), ...comparisonFamilies];
const labelsOf = new Map<string, readonly string[]>([
	...families.map(({name, labels = []}) => [name, labels] as const),
	['evictwatch_prediction_error_seconds_bucket', ['action']],
	['evictwatch_predictions_total', ['action', 'outcome']],
	['evictwatch_divergences_ended_total', ['kind', 'reason']],
	['evictwatch_node_collector_evictions_total', ['zone']],
	['evictwatch_taint_eviction_controller_pod_deletions_total', []],
]);

const read = (path: string): string => readFileSync(path, 'utf8');

/** The selectors in a query: metrics, and their labels. */
const selectorsIn = (query: string) =>
	[...query.matchAll(/\b((?:evictwatch|process|nodejs)_\w+)(?:\{([^}]*)\})?/g)].map(
		([, name = '', labels = '']) => ({
			name,
			labels: [...labels.matchAll(/(\w+)\s*(?:=|!)/g)].map(([, label = '']) => label),
		}),
	);

const rulesIn = (name: Parameters<typeof rulesOf>[0]) => rulesOf(name).groups.flatMap((group) => group.rules);
const rules = rulesIn('rules').map(({alert = '', expr}) => ({alert, expr}));
const recorded = rulesIn('recording');

const queries = [...queriesOf('evictwatch'), ...[...rules, ...recorded].map(({expr}) => expr)];

test.for(queries)('asks for what there is: %s', (query) => {
	const selectors = selectorsIn(query);
	expect(selectors.length).toBeGreaterThan(0);
	for (const {name, labels} of selectors) {
		expect(labelsOf.has(name), name).toBe(true);
		// Pod, instance and cluster come from the scraper and from --metrics-cluster.
		const known = [...(labelsOf.get(name) ?? []), 'pod', 'instance', 'cluster'];
		expect(known).toEqual(expect.arrayContaining(labels));
	}
});

test.for([...queriesOf('evictwatch-fleet'), ...rulesIn('fleet').map(({expr}) => expr)])(
	'asks of many clusters for what is recorded of each: %s',
	(query) => {
		const names = [...query.matchAll(/\bcluster:\w+:\w+/g)].map(([name]) => name);
		expect(names.length).toBeGreaterThan(0);
		expect(recorded.map(({record}) => record)).toEqual(expect.arrayContaining(names));
		// Every other name of ours would be one of a cluster's hundreds of series.
		expect(query.replaceAll(/\bcluster:\w+:\w+/g, '')).not.toContain('evictwatch_');
	},
);

test('every series that is recorded and every alert of many clusters is in the documentation', () => {
	const page = read('docs/shadow.md');
	const names = [...recorded.map(({record}) => record), ...rulesIn('fleet').map(({alert}) => alert)];
	expect(names.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
});

test('every metric is in the documentation', () => {
	// `_zone_health` after `evictwatch_node_collector_zone_size` is short for a name with the same beginning.
	const page = read('docs/shadow.md');
	const missing = families
		.map(({name}) => name)
		.filter((name) => !name.startsWith('process_'))
		.filter((name) => !page.includes(`\`${name}\``))
		.filter(
			(name) =>
				!name.split('_').some((_, index, parts) => page.includes(`\`_${parts.slice(index).join('_')}\``)),
		);
	expect(missing).toEqual([]);
});

test('every alert is in the documentation', () => {
	const page = read('docs/shadow.md');
	expect(rules.map(({alert}) => alert).filter((alert) => !page.includes(`\`${alert}\``))).toEqual([]);
});

test('every alert leads to what the documentation says of it', () => {
	const alerts = (['rules', 'fleet'] as const).flatMap(rulesIn);
	expect(alerts.length).toBeGreaterThan(10);
	for (const {annotations} of alerts) {
		const [page = '', anchor = ''] = annotations?.runbook_url.split('/blob/main/')[1]?.split('#') ?? [];
		const headings = [...read(page).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => heading.toLowerCase());
		expect(headings).toContain(anchor);
	}
});

type Manifest = {
	readonly spec: {
		readonly template: {
			readonly spec: {
				readonly containers: readonly {
					readonly args: readonly string[];
					readonly env: readonly {name: string}[];
					readonly ports: readonly {readonly name: string; readonly containerPort: number}[];
				}[];
			};
		};
	};
};

test('the pod runs a command line that is understood', async () => {
	const {parseCommandLine} = await import('../../cmd/commands/commandTable.ts');
	const [container] = (parse(read('deploy/base/deployment.yaml')) as Manifest).spec.template.spec.containers;
	const {command, flags} = parseCommandLine(container?.args ?? []);
	expect([command, flags.listen, flags.logFormat]).toEqual(['shadow', ':8080', 'json']);
});

test.for([
	{component: 'fleet/named-cluster', want: {metricsCluster: 'NAME'}},
	{
		component: 'kubelet-stats',
		want: {kubeletCertificateAuthority: '/var/run/secrets/kubernetes.io/serviceaccount/ca.crt'},
	},
])('the component $component adds a flag that is understood', async ({component, want}) => {
	const {parseCommandLine} = await import('../../cmd/commands/commandTable.ts');
	const {patches} = parse(read(`deploy/${component}/kustomization.yaml`)) as {
		readonly patches: readonly {readonly target: {readonly kind: string}; readonly patch: string}[];
	};
	const [ofPod, ...others] = patches;
	expect(ofPod?.target).toEqual({kind: 'Deployment', name: 'evictwatch'});
	expect(others.every(({target}) => target.kind === 'NetworkPolicy')).toBe(true);
	const added = parse(ofPod?.patch ?? '') as readonly {op: string; path: string; value: string}[];
	expect(added.map(({op, path}) => [op, path])).toEqual([['add', '/spec/template/spec/containers/0/args/-']]);
	const {flags} = parseCommandLine(['shadow', ...added.map(({value}) => value)]);
	expect(flags).toMatchObject(want);
});

test.for([
	'base/read-only.yaml',
	'kubelets.yaml',
	'kubelet-stats/cluster-role.yaml',
	'metrics.yaml',
	'leader-in-endpoints.yaml',
	'node-repair.yaml',
])('the role that ships reads, and does nothing else: %s', (file) => {
	const documents = parseAllDocuments(read(`deploy/${file}`)).map((document) => document.toJS());
	const rules = documents.flatMap(({rules = []}) => rules) as readonly {
		readonly verbs: readonly string[];
		readonly resources?: readonly string[];
	}[];
	expect(rules.length).toBeGreaterThan(0);
	const others = rules.flatMap(({verbs}) => verbs).filter((verb) => !['get', 'list', 'watch'].includes(verb));
	expect(others).toEqual([]);
	const asksKubelets = rules.some(({resources = []}) => resources.includes('nodes/proxy'));
	expect(asksKubelets).toBe(file === 'kubelets.yaml');
});

test('two pods run, in different zones where there are some, and leave a dead node within seconds', () => {
	const {replicas, template} = (
		parse(read('deploy/base/deployment.yaml')) as {
			spec: {
				replicas: number;
				template: {
					spec: {
						topologySpreadConstraints: readonly {topologyKey: string; whenUnsatisfiable: string}[];
						tolerations: readonly {key: string; effect: string; tolerationSeconds: number}[];
					};
				};
			};
		}
	).spec;
	const {topologySpreadConstraints, tolerations} = template.spec;
	expect(replicas).toBe(2);
	expect(topologySpreadConstraints).toMatchObject([
		// If it were required, the second could not start beside the first while a zone is down.
		{topologyKey: 'topology.kubernetes.io/zone', whenUnsatisfiable: 'ScheduleAnyway'},
		{topologyKey: 'kubernetes.io/hostname', whenUnsatisfiable: 'ScheduleAnyway'},
	]);
	expect(tolerations).toMatchObject([
		{key: 'node.kubernetes.io/unreachable', effect: 'NoExecute', tolerationSeconds: 5},
		{key: 'node.kubernetes.io/not-ready', effect: 'NoExecute', tolerationSeconds: 5},
	]);
});

test.for(rules)('$alert is one of two replicas', ({expr}) => {
	expect(expr).toMatch(/^(?:absent|(?:max|min) without \(pod, instance\b[^)]*\) )\(/);
});

type Ports = readonly {readonly protocol: string; readonly port: string | number}[];
type NetworkPolicy = {
	readonly spec: {
		readonly podSelector: {readonly matchLabels: Readonly<Record<string, string>>};
		readonly policyTypes: readonly string[];
		readonly ingress: readonly {readonly ports: Ports}[];
		readonly egress: readonly {readonly ports: Ports}[];
	};
};

test('the network lets nobody in but to the port of the metrics, and nothing out but to DNS and the API server', () => {
	const {resources, labels} = parse(read('deploy/base/kustomization.yaml')) as {
		readonly resources: readonly string[];
		readonly labels: readonly {readonly pairs: Readonly<Record<string, string>>}[];
	};
	expect(resources).toContain('network-policy.yaml');
	const {spec} = parse(read('deploy/base/network-policy.yaml')) as NetworkPolicy;
	expect(spec.podSelector.matchLabels).toEqual(labels[0]?.pairs);
	expect(spec.policyTypes).toEqual(['Ingress', 'Egress']);
	const opened = (rules: readonly {readonly ports: Ports}[]) =>
		rules.flatMap(({ports}) => ports.map(({protocol, port}) => `${protocol} ${port}`));
	expect(opened(spec.ingress)).toEqual(['TCP 8080']);
	expect(opened(spec.egress)).toEqual(['UDP 53', 'TCP 53', 'TCP 443', 'TCP 6443']);
	const {containers} = (parse(read('deploy/base/deployment.yaml')) as Manifest).spec.template.spec;
	expect(containers.flatMap(({ports}) => ports)).toEqual([{name: 'http', containerPort: 8080}]);
});
