import {Random} from '../../../src/core/time/random.ts';
import type {ClaimedVolume} from '../boundVolume.ts';
import {startAnnotation, volumeAnnotation, volumeDriver} from '../fakeKubelet.ts';
import {tolerate} from '../workload.ts';

export const namespace = 'shop';
/** The zone of which nodes fail. */
const zone = 'b';
export const layout = {a: 3, [zone]: 4, c: 3};

/** What somebody does to a dead node once its pods are deleted. */
export type Deed = 'none' | 'outOfService' | 'delete' | 'return';

export type DrawnOutage = {
	readonly dead: readonly string[];
	readonly deeds: readonly {readonly node: string; readonly deed: Deed}[];
	readonly objects: readonly {readonly path: string; readonly body: object}[];
	readonly volumes: readonly ClaimedVolume[];
	/** The workloads, by the label `app`, as they were drawn. */
	readonly drawn: Readonly<Record<string, string>>;
	/** Whether a dead node's volumes are detached by force, which takes six minutes. */
	readonly isLong: boolean;
};

/** A pod whose object goes with the request, as soon as its node is tainted. */
const goesAtOnce = {
	terminationGracePeriodSeconds: 0,
	tolerations: tolerate({operator: 'Equal', value: 'never'}),
};

/** Draws the workloads, the nodes that die, and what becomes of these. */
export function drawOutage(seed: number): DrawnOutage {
	const random = new Random(seed);
	const isLong = seed % 5 === 0;
	const upTo = (most: number) => Math.floor(random.next() * (most + 1));
	const chance = (share: number) => random.next() < share;
	const pick = <T>(...values: readonly [T, ...T[]]): T => values[upTo(values.length - 1)] ?? values[0];
	const objects: {path: string; body: object}[] = [];
	const volumes: ClaimedVolume[] = [];
	const drawn: Record<string, string> = {};
	const add = (name: string, path: string, spec: object, ...words: readonly (string | number)[]) => {
		objects.push({path, body: {metadata: {name}, spec}});
		drawn[name] = words.filter(Boolean).join(' ');
	};
	const volumeNamed = (name: string) => {
		const source = {csi: {driver: volumeDriver, volumeHandle: name}};
		volumes.push({name, source, mode: 'ReadWriteOnce'});
		return {name: 'data', persistentVolumeClaim: {claimName: name}};
	};
	const templateOf = (app: string, {spec = {}, annotations = {}, restartPolicy = 'Always'} = {}) => {
		const start = pick(0, 0, 3, 8, 20);
		const grace = pick(5, 5, 5, 30, 0);
		const seconds = pick(0, 5, 20, 40);
		const finalizer = chance(0.1);
		const tolerations = seconds > 0 ? tolerate({operator: 'Exists', tolerationSeconds: seconds}) : [];
		const fixed = {terminationGracePeriodSeconds: grace, automountServiceAccountToken: false, restartPolicy};
		const containers = [
			{name: 'main', image: 'registry.example/none', resources: {requests: {cpu: pick('10m', '100m')}}},
		];
		return {
			words: `start ${start}s, grace ${grace}s, tolerates ${seconds}s${finalizer ? ', finalizer' : ''}`,
			template: {
				metadata: {
					labels: {app},
					annotations: {[startAnnotation]: String(start), ...annotations},
					...(finalizer && {finalizers: ['example.com/hold']}),
				},
				spec: {...fixed, containers, tolerations, ...spec},
			},
		};
	};
	const selectorOf = (app: string) => ({matchLabels: {app}});
	for (let index = 0; index < 4 + upTo(1); index += 1) {
		const name = `web-${index}`;
		const isAtHome = chance(0.15);
		const spec = isAtHome ? {nodeSelector: {'topology.kubernetes.io/zone': zone}} : {};
		const {template, words} = templateOf(name, {spec});
		const replicas = isAtHome ? 3 : 8 + upTo(5);
		add(
			name,
			`/apis/apps/v1/namespaces/${namespace}/deployments`,
			{replicas, selector: selectorOf(name), template},
			`Deployment of ${replicas}, ${words}`,
			isAtHome ? ', at home' : '',
		);
	}
	for (let index = 0; index < 2; index += 1) {
		const name = `disk-${index}`;
		const {template, words} = templateOf(name, {
			spec: {
				volumes: [volumeNamed(name)],
				...(isLong && goesAtOnce),
			},
			annotations: {[volumeAnnotation]: name},
		});
		add(
			name,
			`/apis/apps/v1/namespaces/${namespace}/deployments`,
			{replicas: 1, selector: selectorOf(name), template},
			`Deployment of 1 with a volume, ${words}`,
		);
	}
	for (let index = 0; index < 2 + upTo(1); index += 1) {
		const name = `db-${index}`;
		const policy = pick('Parallel', 'Parallel', 'OrderedReady');
		const {template, words} = templateOf(name);
		const replicas = 4 + upTo(4);
		add(
			name,
			`/apis/apps/v1/namespaces/${namespace}/statefulsets`,
			{
				...{replicas, podManagementPolicy: policy, serviceName: name, selector: selectorOf(name)},
				template,
			},
			`StatefulSet of ${replicas}, ${policy}, ${words}`,
		);
	}
	for (let index = 0; index < 2; index += 1) {
		const name = `batch-${index}`;
		const {template, words} = templateOf(name, {restartPolicy: 'Never'});
		const [replacement, mode] = [pick('', 'Failed', 'TerminatingOrFailed'), pick('NonIndexed', 'Indexed')];
		const parallelism = 3 + upTo(4);
		const rules = [{action: 'Ignore', onPodConditions: [{type: 'DisruptionTarget', status: 'True'}]}];
		const hasPolicy = replacement !== 'TerminatingOrFailed' && chance(0.3);
		add(
			name,
			`/apis/batch/v1/namespaces/${namespace}/jobs`,
			{
				...{parallelism, completions: parallelism, backoffLimit: 20, completionMode: mode, template},
				...(replacement !== '' && {podReplacementPolicy: replacement}),
				...(hasPolicy && {podFailurePolicy: {rules}}),
			},
			`Job of ${parallelism}, ${mode}, replaces ${replacement || 'by default'}, ${words}`,
			hasPolicy ? ', policy' : '',
		);
	}
	const count = pick(2, 2, 4);
	const dead = Array.from({length: count}, (_, index) => `${zone}-${index + 1}`);
	const deeds = dead.map((node) => ({node, deed: pick<Deed>('none', 'outOfService', 'delete', 'return')}));
	return {dead, deeds, objects, volumes, drawn, isLong};
}
