import type {RawObject} from '../../../conformance/repair/vector.ts';
import {timeAt} from './draw.ts';

/** The timeout is in seconds. */
export type UnhealthyCondition = {readonly type: string; readonly status: string; readonly timeout: number};

export type DrawnCheck = {
	readonly role: string;
	readonly conditions: readonly UnhealthyCondition[];
	readonly maxUnhealthy: string | number | undefined;
	readonly range: string | undefined;
	readonly isPaused: boolean;
	/** How long a machine may be without a node, in seconds; 0 disables the check. */
	readonly startup: number | undefined;
	readonly external: 'template' | 'annotation' | undefined;
};

type DrawnMachine = {
	readonly name: string;
	readonly role: string;
	readonly hasNode: boolean;
	readonly isControlled: boolean;
	readonly annotation: string | undefined;
	readonly isDeleted: boolean;
	isFailed: boolean;
	readonly isBeingRepaired: boolean;
	readonly createdAt: number;
	/** When the machine itself failed. */
	readonly infraFailedAt: number | undefined;
};

/** The object format of a project. */
export type Dialect = {
	readonly check: (check: DrawnCheck) => RawObject;
	readonly machine: (machine: DrawnMachine) => RawObject;
};

const skippingPrefix = 'cluster.x-k8s.io/';

const annotationsOf = (all: Readonly<Record<string, boolean>>) => {
	const present = Object.entries(all).flatMap(([key, isPresent]) => (isPresent ? [[key, '']] : []));
	return present.length > 0 ? {annotations: Object.fromEntries(present)} : {};
};

const common = ({name, isDeleted, createdAt}: DrawnMachine) => ({
	creationTimestamp: timeAt(createdAt),
	...(isDeleted && {deletionTimestamp: timeAt(0)}),
	name: `machine-${name}`,
});

const owner = (apiVersion: string, role: string) => ({
	ownerReferences: [{apiVersion, kind: 'MachineSet', name: role, uid: role, controller: true}],
});

export const openShift: Dialect = {
	check: ({role, conditions, maxUnhealthy, isPaused, startup, external}) => ({
		kind: 'MachineHealthCheck',
		metadata: {
			...{name: `check-${role}`, namespace: 'openshift-machine-api'},
			annotations: {
				...(isPaused && {'cluster.x-k8s.io/paused': ''}),
				...(external === 'annotation' && {'machine.openshift.io/remediation-strategy': 'external-baremetal'}),
			},
		},
		spec: {
			selector: {matchLabels: {role}},
			unhealthyConditions: conditions.map(({timeout, ...one}) => ({...one, timeout: `${timeout}s`})),
			...(maxUnhealthy !== undefined && {maxUnhealthy}),
			...(startup !== undefined && {nodeStartupTimeout: `${startup}s`}),
			...(external === 'template' && {remediationTemplate: template}),
		},
	}),
	machine: (machine) => ({
		kind: 'Machine',
		metadata: {
			...common(machine),
			...{namespace: 'openshift-machine-api', labels: {role: machine.role}},
			...(machine.isControlled && owner('machine.openshift.io/v1beta1', machine.role)),
			...annotationsOf({
				[`${skippingPrefix}${machine.annotation}`]: machine.annotation !== undefined,
				'host.metal3.io/external-remediation': machine.isBeingRepaired,
			}),
		},
		spec: {providerID: `test:///${machine.name}`},
		status: {
			...(machine.hasNode && {nodeRef: {kind: 'Node', name: machine.name}}),
			phase: machine.isFailed ? 'Failed' : machine.hasNode ? 'Running' : 'Provisioning',
			lastUpdated: timeAt(machine.createdAt),
		},
	}),
};

const template = {
	apiVersion: 'remediation.example.com/v1',
	kind: 'ExampleRemediationTemplate',
	name: 'example',
	namespace: 'openshift-machine-api',
};

const cluster = {'cluster.x-k8s.io/cluster-name': 'main'};

/** In v1beta2. All machines have an owner that replaces them, which is not recorded. */
export const clusterApi: Dialect = {
	check: ({role, conditions, maxUnhealthy, range, isPaused, startup, external}) => ({
		kind: 'MachineHealthCheck',
		metadata: {
			...{name: `check-${role}`, namespace: 'capi', labels: cluster},
			...annotationsOf({'cluster.x-k8s.io/paused': isPaused}),
		},
		spec: {
			...{clusterName: 'main', selector: {matchLabels: {role}}},
			checks: {
				unhealthyNodeConditions: conditions.map(({timeout, ...one}) => ({...one, timeoutSeconds: timeout})),
				unhealthyMachineConditions: [{type: 'InfrastructureReady', status: 'False', timeoutSeconds: 30}],
				...(startup !== undefined && {nodeStartupTimeoutSeconds: startup}),
			},
			remediation: {
				triggerIf: {
					...(maxUnhealthy !== undefined && {unhealthyLessThanOrEqualTo: maxUnhealthy}),
					...(range !== undefined && {unhealthyInRange: range}),
				},
				...(external === 'template' && {
					templateRef: {apiVersion: template.apiVersion, kind: template.kind, name: template.name},
				}),
			},
		},
	}),
	machine: (machine) => ({
		kind: 'Machine',
		metadata: {
			...common(machine),
			...{namespace: 'capi', labels: {...cluster, role: machine.role}},
			...owner('cluster.x-k8s.io/v1beta2', machine.role),
			...annotationsOf({
				[`${skippingPrefix}${machine.annotation}`]: machine.annotation !== undefined,
				'cluster.x-k8s.io/remediate-machine': machine.isFailed,
			}),
		},
		spec: {clusterName: 'main', providerID: `test:///${machine.name}`},
		status: {
			...(machine.hasNode && {nodeRef: {name: machine.name}}),
			...(machine.infraFailedAt !== undefined && {
				conditions: [
					{
						...{type: 'InfrastructureReady', status: 'False', reason: 'Failed', message: ''},
						lastTransitionTime: timeAt(machine.infraFailedAt),
					},
				],
			}),
		},
	}),
};
