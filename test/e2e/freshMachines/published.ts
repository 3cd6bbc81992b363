import {execFileSync} from 'node:child_process';
import {mkdtempSync, realpathSync, writeFileSync} from 'node:fs';
import {join, relative} from 'node:path';
import {isDeepStrictEqual} from 'node:util';
import {parseAllDocuments} from 'yaml';
import {hasGo} from '../buildControlPlane.ts';
import {Skipped} from './skipped.ts';

const actionlintModule = 'github.com/rhysd/actionlint/cmd/actionlint@v1.7.12';
const helmModule = 'helm.sh/helm/v4/cmd/helm@v4.3.1';
const root = join(import.meta.dirname, '../../..');

type KubernetesObject = {
	readonly kind: string;
	readonly metadata: {readonly name: string; readonly namespace?: string};
};

/** Has the real actionlint read the workflows. */
export function byActionlint(scratch: string): Skipped | undefined {
	if (!hasGo()) return new Skipped('Go is not installed, which builds actionlint');
	run(install(actionlintModule, scratch), ['-no-color']);
	return undefined;
}

/** Has the real helm lint and render the chart, and compares what it makes with what kustomize makes. */
export function byHelm(scratch: string): Skipped | undefined {
	if (!hasGo()) return new Skipped('Go is not installed, which builds helm');
	const helm = install(helmModule, scratch);
	run(helm, ['lint', '--strict', 'deploy']);
	const image = ['--set', 'image.repository=evictwatch,image.tag=latest'];
	const template = ['template', 'evictwatch', 'deploy', '--namespace', 'evictwatch', ...image];
	compare(
		run(helm, [...template, '--set', 'prometheus.enabled=true']),
		run('kubectl', ['kustomize', 'deploy/prometheus-operator']),
	);
	compare(
		run(helm, [...template, '--set', 'prometheus.enabled=true,grafana.enabled=true,kubelets=true']),
		run('kubectl', ['kustomize', withAll(scratch)]),
	);
	const rich = run(helm, [
		...template,
		'--set',
		'nodeRepair=true,imagePullSecrets[0].name=registry,networkPolicy.from[0].podSelector.matchLabels.app=prometheus',
		'--set',
		'args={--all},networkPolicy.egress[0].to[0].ipBlock.cidr=10.0.0.1/32',
	]);
	for (const part of [
		...['evictwatch-node-repair-shadow', '- --all', '- name: registry'],
		...['app: prometheus', '- ipBlock:\n        cidr: 10.0.0.1/32'],
	])
		if (!rich.includes(part)) throw new Error(`${part} is not in what helm makes`);
	if (rich.includes('port: 6443')) throw new Error('egress is not what was set');
	return undefined;
}

/** A kustomization of all that the chart can be told to have, in a folder of its own. */
function withAll(scratch: string): string {
	const folder = mkdtempSync(join(scratch, 'overlay-'));
	const from = (name: string) => relative(realpathSync(folder), join(root, 'deploy', name));
	const resources = ['prometheus-operator', 'grafana'].map(from);
	const kustomization = {kind: 'Kustomization', resources, components: [from('kubelet-stats')]};
	writeFileSync(join(folder, 'kustomization.yaml'), JSON.stringify(kustomization));
	return folder;
}

function install(module: string, scratch: string): string {
	const bin = join(scratch, 'bin');
	execFileSync('go', ['install', module], {env: {...process.env, GOBIN: bin}, stdio: 'ignore'});
	return join(bin, module.split('@')[0]?.split('/').at(-1) ?? '');
}

function run(file: string, args: readonly string[]): string {
	return execFileSync(file, args, {cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe']});
}

/** Compares objects, whatever their order; helm makes the namespace itself. */
function compare(ofHelm: string, ofKustomize: string): void {
	const [made, wanted] = [ofHelm, ofKustomize].map(objectsOf);
	const names = new Set([...(made?.keys() ?? []), ...(wanted?.keys() ?? [])]);
	const other = [...names].filter((name) => !isDeepStrictEqual(made?.get(name), wanted?.get(name)));
	if (names.size < 10 || other.length > 0)
		throw new Error(
			`of ${names.size} objects these differ: ${other
				.map((name) => `${name}: ${JSON.stringify(made?.get(name))} ${JSON.stringify(wanted?.get(name))}`)
				.join('\n')}`,
		);
}

const objectsOf = (text: string): ReadonlyMap<string, KubernetesObject> =>
	new Map(
		parseAllDocuments(text)
			.map((document) => document.toJS() as KubernetesObject | null)
			.filter((object) => object !== null)
			.filter(({kind}) => kind !== 'Namespace')
			.map((object) => [`${object.kind} ${object.metadata.namespace} ${object.metadata.name}`, object]),
	);
