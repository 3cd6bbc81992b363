import {existsSync, rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {AnotherClusterError} from '../../../src/cluster/controlplane/clusterIdentity.ts';
import type {FaultScenario} from './faultScenario.ts';
import {type Asked, refusal} from './meddler.ts';
import type {Stage} from './stage.ts';

const isLost = ({follower}: Stage) => follower.lostSince !== undefined;

/** The API server, or the network, is silent until the client notices; no data is lost. */
async function beMute(stage: Stage): Promise<void> {
	const thaw = await stage.freeze();
	await stage.until(() => isLost(stage));
	await thaw();
	await stage.server.change();
}

/** A credential plugin that returns its first token at once, and waits with each further one while a `hold` file exists. */
const plugin = (folder: string) => `
import {existsSync, readFileSync, writeFileSync} from 'node:fs';
const [runs, hold] = ${JSON.stringify([join(folder, 'runs'), join(folder, 'hold')])};
const run = existsSync(runs) ? Number(readFileSync(runs, 'utf8')) + 1 : 1;
writeFileSync(runs, String(run));
const answer = () => {
	if (run > 1 && existsSync(hold)) return void setTimeout(answer, 20);
	const status = {token: run === 1 ? 'first-token' : 'second-token'};
	console.log(JSON.stringify({apiVersion: 'client.authentication.k8s.io/v1', kind: 'ExecCredential', status}));
};
answer();
`;

const isNamespace = ({url}: Asked) => url.pathname.endsWith('/namespaces/kube-system');

/** Faults that a client must not take for the cluster's end, and the cluster's end. */
export const sightFaults: readonly FaultScenario[] = [
	{name: 'the server answers nothing for a while: it is frozen', isMute: true, inflict: beMute},
	{
		name: 'with --request-timeout=0, the server accepts connections and answers nothing',
		isMute: true,
		before: async () => ({requestTimeout: '0'}),
		inflict: async (stage) => {
			const heal = stage.gate.drop();
			await stage.until(() => isLost(stage));
			await stage.server.change();
			heal();
		},
	},
	{
		name: 'a credential plugin hangs on its renewal',
		isTls: true,
		isMute: true,
		before: async ({gate}, folder) => {
			const script = join(folder, 'plugin.mjs');
			writeFileSync(script, plugin(folder));
			writeFileSync(join(folder, 'hold'), '');
			const exec = {
				apiVersion: 'client.authentication.k8s.io/v1',
				command: process.execPath,
				args: [script],
				interactiveMode: 'Never',
			};
			const kubeconfig = join(folder, 'config');
			writeFileSync(
				kubeconfig,
				JSON.stringify({users: [{name: 'u', user: {exec}}], contexts: [{name: 'c', context: {user: 'u'}}]}),
			);
			const server = `https://127.0.0.1:${gate.port}`;
			return {kubeconfig, context: 'c', server, insecureSkipTlsVerify: true};
		},
		inflict: async (stage, folder) => {
			const isOld = ({headers}: Asked) => headers.authorization === 'Bearer first-token';
			stage.proxy.meddle({matches: isOld, answer: () => refusal(401, 'Unauthorized')});
			stage.gate.cut();
			await stage.until(() => existsSync(join(folder, 'runs')) && isLost(stage));
			await stage.server.change();
			rmSync(join(folder, 'hold'));
		},
		check: ({proxy}) =>
			proxy.asked.some(({headers}) => headers.authorization === 'Bearer second-token')
				? []
				: ['nobody used the new token'],
	},
	{
		name: 'another cluster answers at the same address',
		inflict: async (stage) => {
			await stage.cluster.controlPlane();
			const body = JSON.stringify({kind: 'Namespace', metadata: {name: 'kube-system', uid: 'another'}});
			stage.proxy.meddle({matches: isNamespace, answer: () => ({status: 200, body})});
			stage.gate.cut();
			const error = await stage.follower.done.then(
				() => undefined,
				(reason: unknown) => reason,
			);
			stage.failure = error;
			await stage.cluster.controlPlane();
			stage.followAnew();
			await stage.server.change();
		},
		check: ({failure}) =>
			failure instanceof AnotherClusterError && failure.uid === 'another'
				? []
				: [`it is not said that the cluster is another: ${String(failure)}`],
	},
];
