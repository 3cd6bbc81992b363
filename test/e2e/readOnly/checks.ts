import type {Cluster} from '../cluster.ts';
import type {Check} from '../judge.ts';
import {ask, readItems} from './asking.ts';
import {holdAgainst, requestsOf} from './audit.ts';
import {watchScreen} from './screen.ts';
import {
	allowInCluster,
	allowInNamespace,
	bindClusterRole,
	bindInNamespace,
	createUser,
	shippedRoles,
	type User,
} from './users.ts';

/** The context of the checks: the plugin, and a cluster with a node that has failed and is tainted. */
export type Scene = {
	readonly plugin: string;
	readonly cluster: Cluster;
	readonly folder: string;
	readonly deadNode: string;
};

type Item = {
	readonly verdict: string;
	readonly node?: string;
	readonly metadata: {readonly name: string};
	readonly eviction?: {readonly earliest: string | null; readonly latest: string | null} | null;
};

/** The shipped roles: the one for the whole cluster, and that of leases. */
const roles = shippedRoles('base/read-only.yaml');

/** Binds the shipped roles to a user, as their file says. */
export async function bindReader({cluster: {admin}}: Scene, user: User): Promise<void> {
	await bindClusterRole(admin, user, 'evictwatch');
	for (const namespace of ['kube-node-lease', 'kube-system'])
		await bindInNamespace(admin, user, namespace, {kind: 'ClusterRole', name: 'evictwatch-leases'});
}

const newUser = ({cluster: {admin, controlPlane}, folder}: Scene, name: string) =>
	createUser(admin, controlPlane.admin, folder, name);

/** Each command, with the flags that change what is read. */
const commands = (deadNode: string): readonly (readonly string[])[] => [
	['pods', '-A'],
	['pods', '-A', '--all', '-o', 'json'],
	['pods', '-n', 'shop', '-o', 'wide'],
	['pods', '-A', '-w'],
	['nodes'],
	['nodes', '-o', 'yaml'],
	['nodes', '-w'],
	['zones'],
	['zones', '-w'],
	['explain', `pod/${deadNode}-default-0`, '-n', 'shop'],
	['explain', `node/${deadNode}`],
	['explain', 'zone/eu/a'],
	['what-if', '--node-back', deadNode],
	['what-if', '--how-many-more'],
	['what-if', '--each-zone'],
	['what-if', '--drain', deadNode],
	['rescue'],
	['settings'],
	['settings', '--check'],
];

/** Checks that the shipped role is sufficient for every command, and that no request exceeds it. */
export async function shippedRole(scene: Scene): Promise<readonly Check[]> {
	const {plugin, cluster, deadNode} = scene;
	const user = await newUser(scene, 'reader');
	for (const {metadata, rules} of roles)
		await cluster.admin.request('POST', '/apis/rbac.authorization.k8s.io/v1/clusterroles', {metadata, rules});
	await bindReader(scene, user);
	const rules = roles.flatMap(({rules}) => rules);
	const checks: Check[] = [];
	for (const args of commands(deadNode)) {
		const {command, code, output, errors} = await ask(plugin, user, args);
		const complaints = errors.split('\n').filter((line) => /Forbidden|^error/.test(line));
		const failures = [
			...(code === 0 ? [] : [`exit code ${code}`]),
			...(output === '' ? ['it printed nothing'] : []),
			...complaints,
		];
		checks.push({name: `a reader runs: ${command}`, failures});
	}
	checks.push({name: 'a reader looks at the dashboard', failures: await watchScreen(plugin, user, deadNode)});
	const requests = requestsOf(user.name, cluster.controlPlane.auditLog);
	const verbs = new Set(requests.map(({verb}) => verb));
	const others = [...verbs].filter((verb) => !['get', 'list', 'watch'].includes(verb));
	return [
		...checks,
		{name: `${requests.length} requests by ${[...verbs].sort().join(', ')} only`, failures: others},
		{name: 'the role is exactly what is read', failures: holdAgainst(rules, requests)},
	];
}

/** Without leases only the nodes' status can be read: healthy nodes must not look silent. */
export async function withoutLeases(scene: Scene): Promise<readonly Check[]> {
	const {plugin, cluster, deadNode} = scene;
	const user = await newUser(scene, 'no-leases');
	const rules = [{apiGroups: [''], resources: ['nodes', 'pods'], verbs: ['list', 'watch']}];
	await allowInCluster(cluster.admin, user, rules);
	const nodes = await askItems(plugin, user, ['nodes']);
	const pods = await askItems(plugin, user, ['pods', '-A']);
	const isWrong = ({verdict, metadata}: Item) =>
		metadata.name !== deadNode && ['Silent', 'Unknown', 'Queued', 'Tainted'].includes(verdict);
	return [
		{name: 'no leases: it is said, of nodes', failures: missing(['LeasesForbidden'], nodes.problems)},
		{name: 'no leases: it is said, of pods', failures: missing(['LeasesForbidden'], pods.problems)},
		{
			name: 'no leases: no node that lives looks dead',
			failures: nodes.items.filter(isWrong).map(({metadata, verdict}) => `${metadata.name} is ${verdict}`),
		},
		{
			name: 'no leases: the pods of the dead node are foretold',
			failures: pods.items.some(({node, eviction}) => node === deadNode && eviction) ? [] : ['none is'],
		},
	];
}

/** With access to one namespace and no nodes, nothing may be reported as safe. */
export async function oneNamespace(scene: Scene): Promise<readonly Check[]> {
	const {plugin, cluster, deadNode} = scene;
	const user = await newUser(scene, 'one-namespace');
	const rules = [{apiGroups: [''], resources: ['pods', 'events'], verbs: ['get', 'list', 'watch']}];
	await allowInNamespace(cluster.admin, user, 'shop', rules);
	const {items, problems} = await askItems(plugin, user, ['pods', '-n', 'shop']);
	// Pods with limited tolerations, because they were marked not ready with their node.
	const doomed = items.filter(({metadata}) => metadata.name.startsWith(`${deadNode}-default`));
	const table = await ask(plugin, user, ['pods', '-n', 'shop']);
	const {code} = await ask(plugin, user, ['pods', '-n', 'shop', '--exit-code']);
	const refused = await Promise.all(['nodes', 'zones'].map((command) => ask(plugin, user, [command])));
	return [
		{name: 'one namespace: nodes and leases are missed', failures: missing(['NodesForbidden'], problems)},
		{
			name: 'one namespace: the pods of the dead node are Unsure, from a time on',
			failures: [
				...(doomed.length === 0 ? ['none is shown'] : []),
				...doomed
					.filter(
						({verdict, eviction}) =>
							verdict !== 'Terminating' &&
							(verdict !== 'Unsure' || !eviction?.earliest || eviction.latest !== null),
					)
					.map((item) => JSON.stringify(item)),
			],
		},
		{
			name: 'one namespace: the table is not empty, and does not read as safe',
			failures: [
				...(table.output.trim().split('\n').length > 1 ? [] : ['it is empty']),
				...(/No evictions expected/.test(table.errors) ? [table.errors.trim()] : []),
			],
		},
		{name: 'one namespace: --exit-code is 1', failures: code === 1 ? [] : [`it is ${code}`]},
		{
			name: 'one namespace: nodes and zones say what is missing, rather than that there are none',
			failures: refused
				.filter((answer) => answer.code !== 1 || !/ask for a role/.test(answer.errors))
				.map(({errors}) => errors),
		},
	];
}

async function askItems(plugin: string, user: User, args: readonly string[]) {
	const answer = await ask(plugin, user, [...args, '-o', 'json']);
	try {
		return readItems<Item>(answer);
	} catch {
		return {items: [], problems: [`exit code ${answer.code}: ${answer.errors.trim()}`]};
	}
}

const missing = (wanted: readonly string[], problems: readonly string[]) =>
	wanted.filter((reason) => !problems.includes(reason)).map((reason) => `no ${reason} in: ${problems}`);
