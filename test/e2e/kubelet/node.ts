import {execFileSync} from 'node:child_process';
import {existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {setTimeout as sleep} from 'node:timers/promises';
import {tlsFile} from '../../support/tlsFiles.ts';
import type {ApiClient} from '../apiClient.ts';
import {region} from '../fleet.ts';
import type {NodeObject, PodObject} from '../objects.ts';
import type {Processes} from '../processes.ts';
import {inRoot, mountAsRoot} from './cgroups.ts';
import {serveImage} from './image.ts';
import type {Place} from './namespaces.ts';
import type {Programs} from './programs.ts';

export const nodeName = 'a-9';
/** Neither loopback nor link-local, which kubelet and API server reject. The kubelet's certificate is of it. */
const address = '10.254.7.1';
const port = 10250;
const podsHere = `/api/v1/namespaces/default/pods?fieldSelector=spec.nodeName%3D${nodeName}`;
const patience = 120_000;

/** The kubelet's statistics, as far as scenarios derive thresholds from them. */
export type Summary = {
	readonly node: {
		readonly memory: {readonly availableBytes: number; readonly workingSetBytes: number};
		readonly fs: {readonly availableBytes: number; readonly inodesFree: number};
		readonly rlimit: {readonly maxpid: number; readonly curproc: number};
	};
};

/** A line of the kubelet's log. */
export type LogLine = {
	/** Milliseconds since the epoch. */
	readonly ts: number;
	readonly msg: string;
	readonly [key: string]: unknown;
};

export type KubeletSettings = Readonly<Record<string, unknown>>;

/** Machine-wide settings of the kubelet, and its values: files are mounted over them. */
const sysctls = {
	'vm/overcommit_memory': 1,
	'vm/panic_on_oom': 0,
	'kernel/panic': 10,
	'kernel/panic_on_oops': 1,
	'kernel/keys/root_maxkeys': 1_000_000,
	'kernel/keys/root_maxbytes': 25_000_000,
};

/** Brings up loopback in a network namespace, and adds an address for the node. */
export function prepareNetwork(): void {
	run('ip', 'link', 'set', 'lo', 'up');
	run('ip', 'address', 'add', `${address}/32`, 'dev', 'lo');
}

/** A node with a real kubelet, container runtime and containers. It must run in its own namespaces. */
export class RealNode {
	readonly #processes: Processes;
	readonly #programs: Programs;
	readonly #place: Place;
	readonly #api: ApiClient;
	readonly #kubeconfig: string;
	readonly #session: string;
	#image = '';
	#disk: 'disk' | 'images' | undefined;

	/** @param session the folder of the control plane's certificates and of the logs */
	constructor(
		processes: Processes,
		programs: Programs,
		place: Place,
		api: ApiClient,
		kubeconfig: string,
		session: string,
	) {
		this.#processes = processes;
		this.#programs = programs;
		this.#place = place;
		this.#api = api;
		this.#kubeconfig = kubeconfig;
		this.#session = session;
	}

	/** The image of all pods on the node. */
	get image(): string {
		return this.#image;
	}

	/** The folder for static pods. */
	get manifests(): string {
		return this.#path('manifests');
	}

	/** Prepares the namespaces, and starts the container runtime. */
	async prepare(): Promise<void> {
		for (const path of ['/run', '/var/lib', '/var/log']) run('mount', '-t', 'tmpfs', 'none', path);
		for (const [name, value] of Object.entries(sysctls)) {
			const file = this.#path(`sysctl-${name.replaceAll('/', '-')}`);
			writeFileSync(file, `${value}\n`);
			run('mount', '--bind', file, `/proc/sys/${name}`);
		}
		mountAsRoot(this.#place.cgroup);
		for (const disk of ['disk', 'images']) this.#makeDisk(disk);
		for (const folder of ['manifests', 'cni']) mkdirSync(this.#path(folder));
		// Without a network configuration the node is not ready. It is never used, because all pods use the host network.
		const network = {cniVersion: '1.0.0', name: 'none', plugins: [{type: 'none'}]};
		writeFileSync(this.#path('cni/none.conflist'), JSON.stringify(network));
		writeFileSync(this.#path('resolv.conf'), 'nameserver 127.0.0.1\n');
		this.#image = await serveImage(this.#programs.load, this.#path('image'));
		await this.runtimeOn('disk');
	}

	/** Moves containerd's images and container layers to one of the disks, while no pod runs. */
	async runtimeOn(disk: 'disk' | 'images'): Promise<void> {
		if (disk === this.#disk) return;
		if (this.#disk) await this.#processes.kill('containerd');
		this.#disk = disk;
		rmSync(this.#path('containerd.sock'), {force: true});
		const config = this.#path('containerd.toml');
		writeFileSync(config, this.#runtimeConfig(disk));
		this.#start('containerd', ['--config', config]);
		await until(() => existsSync(this.#path('containerd.sock')), 'containerd did not start');
	}

	/** Starts or restarts the kubelet with these settings; waits until the node is ready and under no pressure. */
	async startKubelet(settings: KubeletSettings): Promise<void> {
		const config = this.#path('kubelet.json');
		writeFileSync(config, JSON.stringify({...this.#settings(), ...settings}));
		const flags = [
			`--config=${config}`,
			`--kubeconfig=${this.#kubeconfig}`,
			`--root-dir=${this.#path('disk/kubelet')}`,
			`--cert-dir=${this.#path('kubelet-pki')}`,
			`--hostname-override=${nodeName}`,
			`--node-ip=${address}`,
			`--node-labels=topology.kubernetes.io/region=${region},topology.kubernetes.io/zone=a`,
			'--v=3',
		];
		const since = Date.now();
		this.#start('kubelet', flags);
		await until(() => this.#isSettled(since), 'the node did not become ready');
	}

	/** Kills the kubelet as a crash would. */
	async killKubelet(): Promise<void> {
		await this.#processes.kill('kubelet');
	}

	/** Freezes the kubelet, or resumes it. */
	freeze(signal: 'SIGSTOP' | 'SIGCONT'): void {
		this.#processes.signal('kubelet', signal);
	}

	/** The kubelet's latest statistics. */
	summary(): Promise<Summary> {
		return this.#api.request('GET', `/api/v1/nodes/${nodeName}/proxy/stats/summary`);
	}

	/** The kubelet's log since an instant. */
	log(since: number): LogLine[] {
		return readFileSync(join(this.#session, 'logs/kubelet.log'), 'utf8')
			.split('\n')
			.filter((line) => line.startsWith('{') && line.endsWith('}'))
			.map((line) => JSON.parse(line) as LogLine)
			.filter(({ts}) => ts >= since);
	}

	/** Waits until all its pods run. */
	async untilRunning(): Promise<void> {
		const areRunning = async () => (await this.#pods()).every(({status}) => status?.phase === 'Running');
		await until(areRunning, 'pods did not start');
	}

	/** Deletes all pods and what they wrote. */
	async clear(): Promise<void> {
		for (const file of globSync(join(this.manifests, '*'))) rmSync(file);
		await this.#api.request('DELETE', podsHere, {gracePeriodSeconds: 1});
		await until(async () => (await this.#pods()).length === 0, 'pods did not end');
	}

	async #pods(): Promise<readonly PodObject[]> {
		const {items} = await this.#api.request<{items: readonly PodObject[]}>('GET', podsHere);
		return items;
	}

	async #isSettled(since: number): Promise<boolean> {
		const node = await this.#api
			.request<NodeObject>('GET', `/api/v1/nodes/${nodeName}`)
			.catch(() => undefined);
		const conditions = node?.status?.conditions ?? [];
		const isCalm = conditions.every(({type, status}) => status === (type === 'Ready' ? 'True' : 'False'));
		if (conditions.length === 0 || !isCalm || (node?.spec?.taints ?? []).length > 0) return false;
		// The previous kubelet may have reported this. The new one answers once it runs and has measured.
		if (!this.log(since).some(({msg}) => msg === 'Started kubelet')) return false;
		return await this.summary().then(
			({node}) => node.memory !== undefined && node.fs !== undefined,
			() => false,
		);
	}

	#settings(): KubeletSettings {
		return {
			apiVersion: 'kubelet.config.k8s.io/v1beta1',
			kind: 'KubeletConfiguration',
			address,
			port,
			authentication: {
				anonymous: {enabled: false},
				webhook: {enabled: true},
				x509: {clientCAFile: join(this.#session, 'pki/ca.crt')},
			},
			authorization: {mode: 'Webhook'},
			tlsCertFile: tlsFile('kubelet.pem'),
			tlsPrivateKeyFile: tlsFile('kubelet-key.pem'),
			containerRuntimeEndpoint: `unix://${this.#path('containerd.sock')}`,
			cgroupDriver: 'cgroupfs',
			failCgroupV1: false,
			failSwapOn: false,
			makeIPTablesUtilChains: false,
			podLogsDir: this.#path('disk/logs'),
			volumePluginDir: this.#path('disk/volumes'),
			staticPodPath: this.manifests,
			resolvConf: this.#path('resolv.conf'),
			// Only evictions may free disk space.
			imageGCHighThresholdPercent: 100,
			imageGCLowThresholdPercent: 99,
			enforceNodeAllocatable: ['none'],
			evictionPressureTransitionPeriod: '30s',
			logging: {format: 'json'},
		};
	}

	#runtimeConfig(disk: string): string {
		const path = (name: string) => JSON.stringify(this.#path(name));
		return `version = 3
root = ${path(`${disk}/containerd`)}
state = ${path('containerd')}
disabled_plugins = ["io.containerd.internal.v1.opt", "io.containerd.nri.v1.nri"]
[grpc]
address = ${path('containerd.sock')}
[plugins."io.containerd.cri.v1.images".pinned_images]
sandbox = "${this.#image}"
[plugins."io.containerd.cri.v1.runtime"]
# Otherwise no container starts where CAP_SYS_RESOURCE is missing.
restrict_oom_score_adj = true
[plugins."io.containerd.cri.v1.runtime".cni]
conf_dir = ${path('cni')}
bin_dirs = [${path('cni')}]
[plugins."io.containerd.cri.v1.runtime".containerd.runtimes.runc]
runtime_type = "io.containerd.runc.v2"
runtime_path = "${this.#programs.shim}"
[plugins."io.containerd.cri.v1.runtime".containerd.runtimes.runc.options]
BinaryName = "${this.#programs.runc}"
SystemdCgroup = false
`;
	}

	/** Makes a disk that is small enough to fill, and that is not used otherwise. */
	#makeDisk(name: string): void {
		const file = this.#path(`${name}.img`);
		run('truncate', '--size=3G', file);
		run('mkfs.ext4', '-q', '-F', '-m', '0', '-N', '200000', file);
		mkdirSync(this.#path(name));
		run('mount', '-o', 'loop', file, this.#path(name));
	}

	/** Starts a program inside the cgroup that the node measures. */
	#start(name: 'kubelet' | 'containerd', flags: readonly string[]): void {
		const [program, args] = inRoot(this.#programs[name], flags);
		this.#processes.start(name, args, program);
	}

	#path(name: string): string {
		return join(this.#place.folder, name);
	}
}

function run(program: string, ...args: readonly string[]): void {
	execFileSync(program, args, {stdio: ['ignore', 'ignore', 'inherit']});
}

/** Waits for a condition. @throws Error with this text after the timeout */
export async function until(isTrue: () => boolean | Promise<boolean>, otherwise: string): Promise<void> {
	for (const deadline = Date.now() + patience; !(await isTrue()); await sleep(200)) {
		if (Date.now() > deadline) throw new Error(otherwise);
	}
}
