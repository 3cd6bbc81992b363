import type {RawObject, RepairScenario, RepairScenarioStep} from '../../../conformance/repair/vector.ts';
import {Draw, timeAt} from './draw.ts';
import {
	clusterApi,
	type Dialect,
	type DrawnCheck,
	openShift,
	type UnhealthyCondition,
} from './machineDialects.ts';

const conditionSets: readonly [readonly UnhealthyCondition[], ...(readonly UnhealthyCondition[])[]] = [
	[
		{type: 'Ready', status: 'False', timeout: 60},
		{type: 'Ready', status: 'Unknown', timeout: 60},
	],
	[
		{type: 'Ready', status: 'Unknown', timeout: 45},
		{type: 'KernelDeadlock', status: 'True', timeout: 15},
	],
	[
		{type: 'Ready', status: 'False', timeout: 90},
		{type: 'DiskPressure', status: 'True', timeout: 0},
	],
];

type Condition = {readonly type: string; readonly status: string; readonly lastTransitionTime: string};
type DrawnNode = {readonly name: string; readonly providerID: string; conditions: readonly Condition[]};
type DrawnMachine = Parameters<Dialect['machine']>[0];

const well = [{type: 'Ready', status: 'True', lastTransitionTime: timeAt(-5000)}];

/** Draws machines of one or two roles with a check each, whose nodes become unhealthy, recover or are deleted. */
export function randomMachines(seed: number, project: 'machineapi' | 'clusterapi'): RepairScenario {
	const dialect = project === 'machineapi' ? openShift : clusterApi;
	const draw = new Draw(seed);
	const until = 100 + draw.index(100);
	const roles = ['a', 'b'].slice(0, 1 + draw.index(2));
	const conditions = draw.of(conditionSets);
	const checks = roles.map((role) => checkOf(role, conditions, draw));
	const nodes: DrawnNode[] = [];
	const machines: DrawnMachine[] = [];
	for (const role of roles) {
		const size = 1 + draw.index(8);
		for (let index = 0; index < size; index += 1) {
			const name = `${role}${index}`;
			const hasNode = !draw.oneIn(8);
			const isNodeGone = hasNode && draw.oneIn(10);
			if (hasNode && !isNodeGone) nodes.push(nodeOf(name, draw, conditions));
			machines.push(machineOf(name, role, hasNode, draw));
		}
	}
	return {
		name: `${project === 'machineapi' ? 'machines' : 'cluster-machines'}-drawn-${seed}`,
		objects: [...checks.map(dialect.check), ...machines.map(dialect.machine), ...nodes.map(rawNode)],
		steps: stepsOf({draw, conditions, nodes, machines, dialect, until}),
		until,
	};
}

function checkOf(role: string, conditions: readonly UnhealthyCondition[], draw: Draw): DrawnCheck {
	const isExternal = draw.oneIn(5);
	return {
		role,
		conditions,
		maxUnhealthy: draw.of<string | number | undefined>([undefined, '100%', '40%', '34%', '50%', 0, 1, 2]),
		range: draw.oneIn(6) ? draw.of(['[1-2]', '[2-4]']) : undefined,
		isPaused: draw.oneIn(15),
		startup: draw.of([undefined, 0, 30, 60]),
		external: isExternal ? draw.of(['template', 'template', 'annotation']) : undefined,
	};
}

const machineOf = (name: string, role: string, hasNode: boolean, draw: Draw): DrawnMachine => ({
	...{name, role, hasNode},
	isControlled: !draw.oneIn(8),
	annotation: draw.of([undefined, undefined, undefined, 'paused', 'skip-remediation']),
	isDeleted: draw.oneIn(12),
	isFailed: draw.oneIn(14),
	isBeingRepaired: draw.oneIn(14),
	createdAt: -draw.index(100),
	infraFailedAt: draw.oneIn(14) ? -draw.index(40) : undefined,
});

function nodeOf(name: string, draw: Draw, conditions: readonly UnhealthyCondition[]): DrawnNode {
	const node: DrawnNode = {name, providerID: `test:///${name}`, conditions: well};
	if (draw.oneIn(3)) fallIll(node, -draw.index(80), draw, conditions);
	return node;
}

function fallIll(node: DrawnNode, since: number, draw: Draw, all: readonly UnhealthyCondition[]): void {
	const {type, status} = all[draw.index(all.length)] ?? {type: 'Ready', status: 'False'};
	const others = node.conditions.filter((one) => one.type !== type);
	node.conditions = [...others, {type, status, lastTransitionTime: timeAt(since)}];
}

function recover(node: DrawnNode, at: number): void {
	node.conditions = node.conditions.map((one) => {
		const status = one.type === 'Ready' ? 'True' : 'False';
		return one.status === status ? one : {...one, status, lastTransitionTime: timeAt(at)};
	});
}

const rawNode = ({name, providerID, conditions}: DrawnNode): RawObject => ({
	...{kind: 'Node', metadata: {name}},
	spec: {providerID},
	status: {conditions},
});

type Stepping = {
	readonly draw: Draw;
	readonly conditions: readonly UnhealthyCondition[];
	readonly nodes: readonly DrawnNode[];
	readonly machines: readonly DrawnMachine[];
	readonly dialect: Dialect;
	readonly until: number;
};

/** Draws the steps: unhealthy, recovered and deleted nodes, heartbeats without changes, failing Machines, restarts. */
function stepsOf({
	draw,
	conditions,
	nodes,
	machines,
	dialect,
	until,
}: Stepping): readonly RepairScenarioStep[] {
	const count = 1 + draw.index(7);
	// Separate from the seconds at which timeouts end.
	const times = Array.from({length: count}, (_, index) => 5 + draw.index(until - 10) + 0.5 + index / 100);
	const gone = new Set<DrawnNode>();
	return times
		.toSorted((a, b) => a - b)
		.flatMap((at): readonly RepairScenarioStep[] => {
			const node = nodes[draw.index(nodes.length)];
			if (!node || gone.has(node) || draw.oneIn(9)) return [{at, restart: true}];
			const machine = machines.find(({name}) => name === node.name);
			if (machine && !machine.isDeleted && draw.oneIn(9)) {
				machine.isFailed = !machine.isFailed;
				return [{at, apply: dialect.machine(machine)}];
			}
			if (draw.oneIn(12)) {
				gone.add(node);
				return [{at, delete: rawNode(node)}];
			}
			if (draw.oneIn(3)) recover(node, at);
			else if (!draw.oneIn(6)) fallIll(node, at, draw, conditions);
			return [{at, apply: rawNode(node)}];
		});
}
