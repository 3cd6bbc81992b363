import {mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {setTimeout as sleep} from 'node:timers/promises';
import {ApiClient, type Identity} from './apiClient.ts';
import {freePorts, type Processes} from './processes.ts';

/** The default toleration of a failed node that the API server adds to pods, in seconds. */
const defaultTolerationSeconds = 40;

export type ControlPlane = {
	/** A user that may do everything. */
	readonly admin: Identity;
	/** The kubeconfig of a user that may only get, list and watch. */
	readonly viewerKubeconfig: string;
	readonly adminKubeconfig: string;
	/** The audited requests, with one JSON object per line. */
	readonly auditLog: string;
	readonly controllerManagerLog: string;
	/** Starts another controller manager after the first was killed; other flags replace its own. */
	startControllerManager(otherFlags?: readonly string[]): void;
	/** The same for the API server; waits until it is ready. */
	startApiServer(): Promise<void>;
	/** The same for etcd. */
	startEtcd(): void;
	/** The folder of etcd's data. */
	readonly etcdFolder: string;
};

/** etcd and an API server, without a controller manager. */
export type ApiServer = {
	readonly admin: Identity;
	readonly adminKubeconfig: string;
	/** The URL of etcd's client port. */
	readonly etcd: string;
	/** Starts the API server again after it was killed, and waits until it is ready. */
	start(): Promise<void>;
	/** Starts etcd again after it was killed. */
	startEtcd(): void;
};

/** Starts etcd and the API server on free loopback ports, with their state in a folder. */
export async function startApiServer(
	processes: Processes,
	folder: string,
	auditsDeletions = false,
): Promise<ApiServer> {
	const pki = join(folder, 'pki');
	mkdirSync(pki);
	processes.run('certs', pki);
	const [etcdPort = 0, peerPort = 0, apiPort = 0] = await freePorts(3);
	const server = `https://127.0.0.1:${apiPort}`;
	const admin = identity(pki, 'admin', server);
	const startEtcd = () => processes.start('etcd', etcdFlags(folder, etcdPort, peerPort));
	startEtcd();
	const auditPolicy = writeAuditPolicy(folder, auditsDeletions);
	const start = async () => {
		processes.start('apiserver', [
			...apiServerFlags(pki, etcdPort, apiPort),
			`--audit-policy-file=${auditPolicy}`,
			`--audit-log-path=${auditLogIn(folder)}`,
		]);
		await untilReady(admin);
	};
	await start();
	const adminKubeconfig = writeKubeconfig(folder, 'admin', admin);
	return {admin, adminKubeconfig, etcd: `http://127.0.0.1:${etcdPort}`, start, startEtcd};
}

const etcdFolderIn = (folder: string) => join(folder, 'etcd');
const auditLogIn = (folder: string) => join(folder, 'audit.jsonl');

/** Options of a control plane. */
export type ControlPlaneOptions = {
	/** Further flags of the controller manager. */
	readonly flags?: readonly string[];
	/** Controllers that run in addition to those that evict. */
	readonly controllers?: readonly string[];
	/** Whether kube-scheduler runs; otherwise pods are created with their nodes. */
	readonly hasScheduler?: boolean;
	/** Whether the audit log tells who deletes pods and nodes, too. */
	readonly auditsDeletions?: boolean;
};

/** Starts an API server as above, a controller manager, and optionally a scheduler. */
export async function startControlPlane(
	processes: Processes,
	folder: string,
	version: string,
	{flags = [], controllers = [], hasScheduler = false, auditsDeletions}: ControlPlaneOptions = {},
): Promise<ControlPlane> {
	const {admin, adminKubeconfig, start, startEtcd} = await startApiServer(processes, folder, auditsDeletions);
	const [pki, {server}] = [join(folder, 'pki'), admin];
	const manager = identity(pki, 'controller-manager', server);
	const managerKubeconfig = writeKubeconfig(folder, 'controller-manager', manager);
	const startControllerManager = (otherFlags: readonly string[] = []) =>
		processes.start('controller-manager', [
			...controllerManagerFlags(pki, managerKubeconfig, [...controllersOf(version), ...controllers]),
			...flags,
			...otherFlags,
		]);
	startControllerManager();
	if (hasScheduler) {
		const kubeconfig = writeKubeconfig(folder, 'scheduler', identity(pki, 'scheduler', server));
		processes.start('scheduler', [`--kubeconfig=${kubeconfig}`, '--secure-port=0', '--leader-elect=false']);
	}
	return {
		admin,
		adminKubeconfig,
		viewerKubeconfig: writeKubeconfig(folder, 'viewer', identity(pki, 'viewer', server)),
		auditLog: auditLogIn(folder),
		controllerManagerLog: join(folder, 'logs/controller-manager.log'),
		startControllerManager,
		startApiServer: start,
		startEtcd,
		etcdFolder: etcdFolderIn(folder),
	};
}

function etcdFlags(folder: string, clientPort: number, peerPort: number): string[] {
	const [client, peer] = [`http://127.0.0.1:${clientPort}`, `http://127.0.0.1:${peerPort}`];
	return [
		`--data-dir=${etcdFolderIn(folder)}`,
		`--listen-client-urls=${client}`,
		`--advertise-client-urls=${client}`,
		`--listen-peer-urls=${peer}`,
		`--initial-advertise-peer-urls=${peer}`,
		`--initial-cluster=default=${peer}`,
		'--log-level=warn',
		// The data need not survive a power failure.
		'--unsafe-no-fsync',
	];
}

/** What the audit log tells of: who reads, and if wanted who deletes. */
function writeAuditPolicy(folder: string, auditsDeletions: boolean): string {
	const auditPolicy = join(folder, 'auditPolicy.json');
	const ofDeletions = [
		{level: 'Metadata', verbs: ['delete'], resources: [{group: '', resources: ['pods', 'nodes']}]},
		{level: 'Metadata', verbs: ['create'], resources: [{group: '', resources: ['pods/eviction']}]},
	];
	writeFileSync(
		auditPolicy,
		JSON.stringify({
			apiVersion: 'audit.k8s.io/v1',
			kind: 'Policy',
			omitStages: ['RequestReceived'],
			rules: [
				{level: 'Metadata', users: ['viewer']},
				// The users of the read-only suite.
				{level: 'Metadata', userGroups: ['system:serviceaccounts:evictwatch-users']},
				// The service account of deploy/base.
				{level: 'Metadata', userGroups: ['system:serviceaccounts:evictwatch']},
				...(auditsDeletions ? ofDeletions : []),
				{level: 'None'},
			],
		}),
	);
	return auditPolicy;
}

function apiServerFlags(pki: string, etcdPort: number, port: number): string[] {
	return [
		`--etcd-servers=http://127.0.0.1:${etcdPort}`,
		'--bind-address=127.0.0.1',
		`--secure-port=${port}`,
		'--advertise-address=127.0.0.1',
		// The other reconcilers reject a loopback address.
		'--endpoint-reconciler-type=none',
		'--service-cluster-ip-range=10.0.0.0/24',
		`--tls-cert-file=${join(pki, 'apiserver.crt')}`,
		`--tls-private-key-file=${join(pki, 'apiserver.key')}`,
		`--client-ca-file=${join(pki, 'ca.crt')}`,
		// The credentials and addresses for requests to kubelets: a real kubelet's host name cannot be resolved.
		`--kubelet-client-certificate=${join(pki, 'admin.crt')}`,
		`--kubelet-client-key=${join(pki, 'admin.key')}`,
		'--kubelet-preferred-address-types=InternalIP,Hostname',
		'--service-account-issuer=https://kubernetes.default.svc',
		`--service-account-key-file=${join(pki, 'sa.pub')}`,
		`--service-account-signing-key-file=${join(pki, 'sa.key')}`,
		'--authorization-mode=RBAC',
		// Pods would wait for their namespace's service account, whose token is not needed here.
		'--disable-admission-plugins=ServiceAccount',
		// The kubelet suite's pods are privileged.
		'--allow-privileged=true',
		`--default-not-ready-toleration-seconds=${defaultTolerationSeconds}`,
		`--default-unreachable-toleration-seconds=${defaultTolerationSeconds}`,
	];
}

/** The controllers' names: they changed in 1.28, and taint eviction is a separate controller since 1.29. */
function controllersOf(version: string): readonly string[] {
	const minor = Number(version.split('.')[1]);
	if (minor < 28) return ['nodelifecycle', 'podgc', 'namespace'];
	const common = ['node-lifecycle-controller', 'pod-garbage-collector-controller', 'namespace-controller'];
	if (minor < 29) return common;
	const ofDevices = minor < 36 ? [] : ['device-taint-eviction-controller'];
	return [...common, 'taint-eviction-controller', ...ofDevices];
}

// Timings and rates are the defaults unless flags are added, because the defaults are under test.
function controllerManagerFlags(pki: string, kubeconfig: string, controllers: readonly string[]): string[] {
	return [
		`--kubeconfig=${kubeconfig}`,
		'--secure-port=0',
		`--service-account-private-key-file=${join(pki, 'sa.key')}`,
		// Only with its own service account does a controller have the rights that it needs.
		'--use-service-account-credentials=true',
		`--controllers=${controllers.join(',')}`,
		'--v=4',
	];
}

function identity(pki: string, name: string, server: string): Identity {
	const read = (file: string) => readFileSync(join(pki, file), 'utf8');
	return {server, ca: read('ca.crt'), cert: read(`${name}.crt`), key: read(`${name}.key`)};
}

/** Writes a kubeconfig as JSON, which is valid YAML; returns its path. */
function writeKubeconfig(folder: string, name: string, {server, ca, cert, key}: Identity): string {
	const path = join(folder, `${name}.kubeconfig`);
	const base64 = (pem: string) => Buffer.from(pem).toString('base64');
	const kubeconfig = {
		apiVersion: 'v1',
		kind: 'Config',
		'current-context': 'e2e',
		contexts: [{name: 'e2e', context: {cluster: 'e2e', user: name}}],
		clusters: [{name: 'e2e', cluster: {server, 'certificate-authority-data': base64(ca)}}],
		users: [{name, user: {'client-certificate-data': base64(cert), 'client-key-data': base64(key)}}],
	};
	writeFileSync(path, JSON.stringify(kubeconfig, null, '\t'), {mode: 0o600});
	return path;
}

async function untilReady(admin: Identity): Promise<void> {
	const api = new ApiClient(admin, 'e2e');
	try {
		for (const deadline = Date.now() + 120_000; ; await sleep(100)) {
			try {
				await api.request('GET', '/readyz');
				await api.request('GET', '/api/v1/namespaces/kube-node-lease');
				return;
			} catch (error) {
				if (Date.now() > deadline) throw error;
			}
		}
	} finally {
		api.close();
	}
}
