import {spawnSync} from 'node:child_process';
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {parseAllDocuments} from 'yaml';
import type {Check} from '../judge.ts';

const deploy = join(import.meta.dirname, '../../../deploy');

/** Whether kubectl is installed; the suite does not install it. */
export const hasKubectl = (): boolean => spawnSync('kubectl', ['version', '--client']).status === 0;

function kubectl(kubeconfig: string, args: readonly string[], input?: string) {
	const {status, stdout, stderr} = spawnSync('kubectl', ['--kubeconfig', kubeconfig, ...args], {
		encoding: 'utf8',
		...(input !== undefined && {input}),
	});
	return {isDone: status === 0, output: stdout, errors: stderr.trim()};
}

/** A call that the API server must accept without warnings. */
function clean(name: string, kubeconfig: string, args: readonly string[], input?: string): Check {
	const {isDone, errors} = kubectl(kubeconfig, args, input);
	return {name, failures: isDone && errors === '' ? [] : [errors || 'kubectl failed']};
}

/** Checks the shipped manifests with the API server: first with a dry run, then for real. */
export function checkManifests(kubeconfig: string): readonly Check[] {
	const folder = (name: string) => join(deploy, name);
	// A dry run creates no namespace, and without its namespace nothing else can be tried.
	const namespace = clean('its namespace can be made', kubeconfig, [
		'apply',
		'-f',
		folder('base/namespace.yaml'),
	]);
	const tried = clean('kubectl apply --dry-run=server -k deploy/base', kubeconfig, [
		...['apply', '--dry-run=server', '-k', folder('base')],
	]);
	const built = kubectl(kubeconfig, ['kustomize', folder('prometheus-operator')]);
	return [
		namespace,
		tried,
		...['leader-in-endpoints.yaml', 'kubelets.yaml', 'kubelet-stats/cluster-role.yaml'].map((file) =>
			clean(file, kubeconfig, ['apply', '--dry-run=server', '-f', folder(file)]),
		),
		clean('kubectl apply --dry-run=server -k deploy/grafana', kubeconfig, [
			...['apply', '--dry-run=server', '-k', folder('grafana')],
		]),
		// These types belong to the operator, and this API server does not have them.
		{name: 'kustomize builds deploy/prometheus-operator', failures: built.isDone ? [] : [built.errors]},
		clean(
			'the pod meets the restricted standard',
			kubeconfig,
			['create', '--dry-run=server', '-f', '-'],
			podOf(),
		),
		clean('deploy/base can be applied', kubeconfig, ['apply', '-k', folder('base')]),
	];
}

/** The pod that the Deployment would create, for the API server's own PodSecurity. */
function podOf(): string {
	const text = readFileSync(join(deploy, 'base/deployment.yaml'), 'utf8');
	const deployment = parseAllDocuments(text)[0]?.toJS() as {spec: {template: {spec: object}}};
	const metadata = {name: 'judged', namespace: 'evictwatch'};
	return JSON.stringify({apiVersion: 'v1', kind: 'Pod', metadata, spec: deployment.spec.template.spec});
}
