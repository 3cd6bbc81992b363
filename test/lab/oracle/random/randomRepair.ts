import type {
	RawObject,
	RepairPolicy,
	RepairScenario,
	RepairScenarioStep,
} from '../../../conformance/repair/vector.ts';
import {Draw, timeAt} from './draw.ts';

const poolLabel = 'karpenter.sh/nodepool';

type Condition = {readonly type: string; readonly status: string; readonly lastTransitionTime: string};

/** A drawn node; its conditions change. */
type DrawnNode = {
	readonly name: string;
	readonly labels: Readonly<Record<string, string>>;
	readonly providerID: string;
	conditions: readonly Condition[];
};

const policySets: readonly [readonly RepairPolicy[], ...(readonly RepairPolicy[])[]] = [
	[
		{type: 'Ready', status: 'False', toleration: 1800},
		{type: 'Ready', status: 'Unknown', toleration: 1800},
		{type: 'AcceleratedHardwareReady', status: 'False', toleration: 600},
		{type: 'NetworkingReady', status: 'False', toleration: 1800},
	],
	[
		{type: 'Ready', status: 'False', toleration: 600},
		{type: 'Ready', status: 'Unknown', toleration: 600},
	],
	[
		{type: 'NetworkUnavailable', status: 'True', toleration: 300},
		{type: 'Ready', status: 'Unknown', toleration: 900},
		{type: 'KernelDeadlock', status: 'True', toleration: 0},
	],
];

/** Draws pools around the limit of a fifth unhealthy nodes, with nodes that become unhealthy and recover. */
export function randomRepair(seed: number): RepairScenario {
	const draw = new Draw(seed);
	const policies = draw.of(policySets);
	const until = 2400 + draw.index(2400);
	const nodes: DrawnNode[] = [];
	const claims: RawObject[] = [];
	const pools = ['a', 'b'].slice(0, 1 + draw.index(2));
	for (const pool of pools) {
		const size = draw.of([1, 2, 3, 4, 5, 6, 9, 10, 11, 12]);
		const ill = Math.min(size, Math.max(0, Math.ceil(size / 5) + draw.index(3) - 1));
		for (let index = 0; index < size; index += 1)
			addNode(`${pool}${index}`, pool, index < ill, {draw, policies, nodes, claims});
	}
	for (let index = draw.index(4); index > 0; index -= 1)
		addNode(`s${index}`, '', draw.oneIn(2), {draw, policies, nodes, claims});
	const objects = [...pools.map(poolOf), ...nodes.map(nodeOf), ...claims];
	return {
		name: `repair-drawn-${seed}`,
		policies,
		objects,
		steps: stepsOf(draw, policies, nodes, claims, until),
		until,
	};
}

type Scene = {
	readonly draw: Draw;
	readonly policies: readonly RepairPolicy[];
	readonly nodes: DrawnNode[];
	readonly claims: RawObject[];
};

const poolOf = (name: string): RawObject => ({...{kind: 'NodePool', metadata: {name}}});

function addNode(name: string, pool: string, isIll: boolean, {draw, policies, nodes, claims}: Scene): void {
	const node: DrawnNode = {
		name,
		labels: pool !== '' && !draw.oneIn(20) ? {[poolLabel]: pool} : {},
		providerID: draw.oneIn(25) ? '' : `test:///${name}`,
		conditions: conditionsOf(policies, draw),
	};
	if (isIll) fallIll(node, -draw.index(1500), draw, policies);
	nodes.push(node);
	// Some nodes have no NodeClaim, and a few have two.
	const claimants = draw.oneIn(15) ? 0 : draw.oneIn(25) ? 2 : 1;
	for (let index = 0; index < claimants; index += 1)
		claims.push(claimOf(`claim-${name}${index || ''}`, name, pool, draw));
}

/** Healthy conditions, of all types in the policies. */
function conditionsOf(policies: readonly RepairPolicy[], draw: Draw): readonly Condition[] {
	const types = [...new Set(['Ready', ...policies.map(({type}) => type)])];
	return types
		.filter((type) => type === 'Ready' || draw.oneIn(4))
		.map((type) => ({type, status: wellOf(type, policies), lastTransitionTime: timeAt(-5000)}));
}

const wellOf = (type: string, policies: readonly RepairPolicy[]): string =>
	type === 'Ready' || policies.every((one) => one.type !== type || one.status === 'False') ? 'True' : 'False';

function fallIll(node: DrawnNode, since: number, draw: Draw, policies: readonly RepairPolicy[]): void {
	const {type, status} = policies[draw.index(policies.length)] ?? {type: 'Ready', status: 'False'};
	const others = node.conditions.filter((one) => one.type !== type);
	node.conditions = [...others, {type, status, lastTransitionTime: timeAt(since)}];
}

function recover(node: DrawnNode, at: number, policies: readonly RepairPolicy[]): void {
	node.conditions = node.conditions.map((one) => {
		const status = wellOf(one.type, policies);
		return one.status === status ? one : {...one, status, lastTransitionTime: timeAt(at)};
	});
}

const nodeOf = ({name, labels, providerID, conditions}: DrawnNode): RawObject => ({
	...{kind: 'Node', metadata: {name, labels}},
	spec: providerID === '' ? {} : {providerID},
	status: {conditions},
});

const claimOf = (name: string, node: string, pool: string, draw: Draw): RawObject => ({
	kind: 'NodeClaim',
	metadata: {
		name,
		...(pool !== '' && {labels: {[poolLabel]: pool}}),
		...(draw.oneIn(15) && {deletionTimestamp: timeAt(0)}),
	},
	status: {providerID: `test:///${node}`, ...(!draw.oneIn(10) && {nodeName: node})},
});

/** Draws the steps: nodes become unhealthy or recover, heartbeats without changes, deleted nodes and claims, and restarts. */
function stepsOf(
	draw: Draw,
	policies: readonly RepairPolicy[],
	nodes: readonly DrawnNode[],
	claims: readonly RawObject[],
	until: number,
): readonly RepairScenarioStep[] {
	const count = 1 + draw.index(7);
	// Separate from the seconds at which tolerations end.
	const times = Array.from({length: count}, (_, index) => 5 + draw.index(until - 10) + 0.3 + index / 100);
	const gone = new Set<string>();
	return times
		.toSorted((a, b) => a - b)
		.flatMap((at): readonly RepairScenarioStep[] => {
			const node = nodes[draw.index(nodes.length)];
			if (!node || gone.has(node.name)) return [];
			const claim = claims.find(({metadata}) => metadata.name === `claim-${node.name}`);
			switch (draw.index(9)) {
				case 0:
					return [{at, restart: true}];
				case 1:
					gone.add(node.name);
					return [
						{at, delete: {kind: 'Node', metadata: {name: node.name}}},
						...(claim
							? [{at, delete: {kind: 'NodeClaim' as const, metadata: {name: claim.metadata.name}}}]
							: []),
					];
				case 2:
				case 3:
				case 4:
					recover(node, at, policies);
					break;
				case 5:
					break;
				default:
					fallIll(node, at, draw, policies);
			}
			return [{at, apply: nodeOf(node)}];
		});
}
