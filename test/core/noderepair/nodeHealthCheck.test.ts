import {expect, test} from 'vitest';
import {decodeRepair} from '../../../src/cluster/codec/decodeRepair.ts';
import type {Node} from '../../../src/core/model/node.ts';
import {countUnhealthy, repairDue} from '../../../src/core/noderepair/nodeRepair.ts';
import type {Repairer} from '../../../src/core/noderepair/repairer.ts';
import {repairersOf} from '../../../src/core/noderepair/repairers.ts';
import {minute, second} from '../../../src/core/time/instant.ts';
import {aCondition, aNode} from '../../support/builders.ts';

// Tables from the source of medik8s' node-healthcheck-operator (matchesUnhealthyConditions, Reconcile, getMinHealthy,
// isNodeRemediationExcluded). No available Go module has it, so it was read, not recorded.

const unready = {type: 'Ready', status: 'Unknown', duration: '300s'};

function checkOf(spec: object, status: object = {}): object {
	return {
		metadata: {name: 'workers'},
		spec: {
			selector: {matchExpressions: [{key: 'role', operator: 'In', values: ['worker']}]},
			unhealthyConditions: [unready],
			remediationTemplate: {kind: 'SelfNodeRemediationTemplate'},
			...spec,
		},
		status,
	};
}

/** The port's repairer for a check and these nodes. */
function repairerOf(raw: object, nodes: readonly Node[]): Repairer {
	const check = decodeRepair('NodeHealthCheck', 'remediation.medik8s.io', raw);
	const [repairer] = check ? repairersOf([check], nodes) : [];
	if (!repairer) throw new Error(`cannot be read: ${JSON.stringify(raw)}`);
	return repairer;
}

const workers = {role: 'worker'};
const well = (name: string, labels: Node['labels'] = workers) => aNode(name, {labels});
/** Silent since an instant: the limit counts the condition, even before its timeout. */
const silent = (name: string, since: number, labels: Node['labels'] = workers) =>
	aNode(name, {labels, conditions: [aCondition('Ready', 'Unknown', {lastTransitionTime: since})]});

test.for([
	{name: '51% healthy, rounded up, where nothing else is said', spec: {}, silent: 1, well: 2, want: true},
	{name: 'fewer healthy than that', spec: {}, silent: 2, well: 1, want: false},
	{name: 'half of an even number', spec: {}, silent: 2, well: 2, want: false},
	{name: 'as many healthy as wanted', spec: {minHealthy: 2}, silent: 3, well: 2, want: true},
	{name: 'a number below zero is an error', spec: {minHealthy: -1}, silent: 0, well: 3, want: false},
	{name: 'one too few', spec: {minHealthy: 3}, silent: 3, well: 2, want: false},
	{name: 'none has to be healthy', spec: {minHealthy: '0%'}, silent: 4, well: 0, want: true},
	{name: 'all have to be', spec: {minHealthy: '100%'}, silent: 1, well: 9, want: false},
	{name: 'a share, rounded up', spec: {minHealthy: '34%'}, silent: 3, well: 2, want: true},
	{name: 'the same of one more', spec: {minHealthy: '34%'}, silent: 4, well: 2, want: false},
	{name: 'at most so many unhealthy', spec: {maxUnhealthy: 2}, silent: 2, well: 1, want: true},
	{name: 'more than that', spec: {maxUnhealthy: 1}, silent: 2, well: 8, want: false},
	{
		name: 'a share of unhealthy ones, rounded up',
		spec: {maxUnhealthy: '40%'},
		silent: 2,
		well: 1,
		want: true,
	},
	{name: 'no unhealthy one is allowed', spec: {maxUnhealthy: '0%'}, silent: 1, well: 9, want: false},
	{name: 'a number beyond all nodes is an error', spec: {maxUnhealthy: 9}, silent: 1, well: 2, want: false},
])('whether a NodeHealthCheck repairs: $name', ({spec, silent: down, well: up, want}) => {
	const nodes = [
		// A node before its timeout is not a healthy one either.
		...Array.from({length: down}, (_, index) => silent(`down-${index}`, index * minute)),
		...Array.from({length: up}, (_, index) => well(`up-${index}`)),
		...['other-0', 'other-1'].map((name) => silent(name, 0, {role: 'infra'})),
	];
	const repairer = repairerOf(checkOf(spec), nodes);
	const count = countUnhealthy(repairer, (name) => nodes.find((node) => node.name === name));
	expect(count).toEqual({unhealthy: down, total: down + up, isAllowed: want});
});

test.for([
	{name: 'its time', conditions: [unready], due: 5 * minute},
	{name: 'Go’s way to write times', conditions: [{...unready, duration: '1h2m3.5s'}], due: 3_723_500},
	{name: 'another status', conditions: [{...unready, status: 'False'}], due: undefined},
	{name: 'a condition that the node has not', conditions: [{...unready, type: 'DiskReady'}], due: undefined},
	{
		name: 'of several the one whose time is over first',
		conditions: [unready, {type: 'Kernel', status: 'True', duration: '1m'}],
		due: 4 * minute,
	},
])('when a NodeHealthCheck finds a node unhealthy: $name', ({conditions, due}) => {
	const node = aNode('n1', {
		labels: workers,
		conditions: [
			aCondition('Ready', 'Unknown', {lastTransitionTime: 0}),
			aCondition('Kernel', 'True', {lastTransitionTime: 3 * minute}),
		],
	});
	const repairer = repairerOf(checkOf({unhealthyConditions: conditions}), [node]);
	expect(repairDue(node, repairer)?.at).toBe(due);
	// Its next look is up to a second later.
	expect(repairer.slack).toBeGreaterThan(second);
});

test.for([
	{value: 'true', isRepaired: false},
	{value: 'false', isRepaired: true},
	{value: '', isRepaired: true},
])(
	'a node that is excluded from remediation counts as unhealthy all the same: $value',
	({value, isRepaired}) => {
		const labels = {...workers, 'remediation.medik8s.io/exclude-from-remediation': value};
		const nodes = [silent('n1', 0, labels), well('n2'), well('n3')];
		const repairer = repairerOf(checkOf({}), nodes);
		expect(repairer.nodes.has('n1')).toBe(isRepaired);
		expect(countUnhealthy(repairer, (name) => nodes.find((node) => node.name === name)).unhealthy).toBe(1);
	},
);

test.for([
	{name: 'somebody asks it to pause', spec: {pauseRequests: ['an upgrade']}, status: {}, isStopped: true},
	{name: 'it disabled itself', spec: {}, status: {phase: 'Disabled'}, isStopped: true},
	{name: 'it is at work', spec: {}, status: {phase: 'Remediating'}, isStopped: false},
])('a NodeHealthCheck repairs nothing where $name', ({spec, status, isStopped}) => {
	const {stopped} = repairerOf(checkOf(spec, status), [well('n1')]);
	expect(stopped !== undefined).toBe(isStopped);
});

test('its first template is named, and what may delay it for ever', () => {
	const escalating = [
		{remediationTemplate: {kind: 'MachineDeletionRemediationTemplate'}, order: 1, timeout: '5m'},
	];
	const raw = checkOf({remediationTemplate: undefined, escalatingRemediations: escalating});
	const repairer = repairerOf(raw, [well('n1')]);
	expect(repairer.action).toContain('(MachineDeletionRemediationTemplate)');
	expect(repairer.delays).toContain('upgrade of the cluster');
});
