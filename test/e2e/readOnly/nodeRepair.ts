import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {parse} from 'yaml';
import type {Check} from '../judge.ts';
import {checkMachine, serveRepairKinds} from '../machines.ts';
import type {NodeObject} from '../objects.ts';
import {ask, readItems} from './asking.ts';
import {holdAgainst, requestsOf} from './audit.ts';
import {bindReader, type Scene} from './checks.ts';
import {bindClusterRole, createUser, type Rule} from './users.ts';

type Range = {readonly earliest: string | null; readonly latest: string | null};
type Item = {
	readonly metadata: {readonly name: string};
	readonly eviction?: Range | null;
	readonly cause?: {readonly kind: string; readonly by?: string} | null;
	readonly repairs?: readonly {readonly by: string; readonly at: Range | null}[];
};

/** In seconds: longer than all checks take, but shorter than `slow` pods tolerate a lost node. */
const timeout = 1200;
const checkName = 'workers';
const by = `MachineHealthCheck default/${checkName}`;
const role = join(import.meta.dirname, '../../../deploy/node-repair.yaml');

/** A MachineHealthCheck will repair the failed node before pods with long tolerations are deleted. */
export async function nodeRepair(scene: Scene): Promise<readonly Check[]> {
	const {plugin, cluster, folder, deadNode} = scene;
	const {admin, controlPlane} = cluster;
	await serveRepairKinds(admin);
	await checkMachine(admin, deadNode, checkName, timeout);
	const user = await createUser(admin, controlPlane.admin, folder, 'repair-reader');
	await bindReader(scene, user);
	const refused = readItems<Item>(await ask(plugin, user, ['nodes', '-o', 'json']));
	const {metadata, rules} = parse(readFileSync(role, 'utf8')) as {metadata: {name: string}; rules: Rule[]};
	await admin.request('POST', '/apis/rbac.authorization.k8s.io/v1/clusterroles', {metadata, rules});
	await bindClusterRole(admin, user, metadata.name, 'repair');
	const refusals = requestsOf(user.name, controlPlane.auditLog).length;

	const due = (await unknownSince(scene)) + timeout * 1000;
	const nodes = readItems<Item>(await ask(plugin, user, ['nodes', '-o', 'json']));
	const pods = readItems<Item>(await ask(plugin, user, ['pods', '-A', '-o', 'json']));
	const pod = `${deadNode}-slow`;
	const node = nodes.items.find((one) => one.metadata.name === deadNode);
	const slow = pods.items.find((one) => one.metadata.name === pod);
	const outputs = await Promise.all(
		[
			['explain', `pod/${pod}`, '-n', 'shop'],
			['explain', `node/${deadNode}`],
		].map((args) => ask(plugin, user, args)),
	);
	await ask(plugin, user, ['nodes', '-w']);
	const requests = requestsOf(user.name, controlPlane.auditLog).slice(refusals);
	const groups = new Set(rules.flatMap(({apiGroups = []}) => apiGroups));
	return [
		{
			name: 'node repair: it is said who may not be read',
			failures: refused.problems.includes('NodeRepairForbidden') ? [] : [`only ${refused.problems}`],
		},
		{
			name: 'node repair: nodes -o json tells who repairs, and when',
			failures: [
				...(nodes.problems.includes('NodeRepairForbidden') ? ['NodeRepairForbidden'] : []),
				...outside(node?.repairs?.find((one) => one.by === by)?.at, due),
			],
		},
		{
			name: 'node repair: a pod that tolerates longer goes by it',
			failures: [
				...(slow?.cause?.kind === 'NodeRepair' && slow.cause.by === by
					? []
					: [`its cause is ${JSON.stringify(slow?.cause)}`]),
				...outside(slow?.eviction, due),
			],
		},
		...outputs.map(({command, output}) => ({
			name: `node repair: ${command} names it`,
			failures: output.includes(by) ? [] : [output],
		})),
		{
			name: 'node repair: its role is exactly what is read of it',
			failures: holdAgainst(
				rules,
				requests.filter(({objectRef}) => groups.has(objectRef?.apiGroup ?? '')),
			),
		},
	];
}

/** When the node became Unknown, in milliseconds. */
async function unknownSince({cluster: {admin}, deadNode}: Scene): Promise<number> {
	const {status} = await admin.request<NodeObject>('GET', `/api/v1/nodes/${deadNode}`);
	const ready = status?.conditions?.find(({type}) => type === 'Ready');
	return Date.parse(ready?.lastTransitionTime ?? '');
}

/** A range that does not start at the end of the timeout, or does not include it. */
const outside = (range: Range | null | undefined, due: number): readonly string[] =>
	range?.earliest && Date.parse(range.earliest) === due && Date.parse(range.latest ?? '') >= due
		? []
		: [`${JSON.stringify(range)} instead of from ${new Date(due).toISOString()} on`];
