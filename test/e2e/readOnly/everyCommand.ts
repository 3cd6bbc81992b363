import {join} from 'node:path';
import type {KnownCommand} from '../../../cmd/commands/commandTable.ts';
import type {Check} from '../judge.ts';
import {ask} from './asking.ts';
import {requestsOf} from './audit.ts';
import type {Scene} from './checks.ts';
import {watchScreen} from './screen.ts';
import {bindClusterRole, createUser} from './users.ts';

type CommandLine = readonly string[];

/** Each command, with options that cause further requests; a missing command is a compile error. */
const commandLines = (
	deadNode: string,
	otherNode: string,
	recording: string,
): Readonly<Record<KnownCommand, readonly CommandLine[]>> => ({
	pods: [
		['pods', '-A', '--all'],
		['pods', '-A', '-w'],
		['pods', '-n', 'nobodys'],
	],
	nodes: [['nodes', '-w']],
	zones: [['zones', '-w']],
	events: [['events', '-A']],
	clusters: [['clusters'], ['clusters', '-w']],
	status: [['status']],
	workloads: [['workloads', '-o', 'wide']],
	explain: [['explain', `node/${deadNode}`]],
	'what-if': [
		['what-if', '--node-back', deadNode],
		['what-if', '--each-node'],
		['what-if', '--drain', otherNode],
	],
	rescue: [['rescue']],
	pressure: [['pressure', otherNode]],
	settings: [
		['settings', '--check'],
		['settings', '--kubelet', otherNode],
	],
	record: [['record', recording, '--for', '5s', '--all']],
	replay: [['replay', recording]],
	report: [['report', recording]],
	shadow: [['shadow', '--listen', '127.0.0.1:0']],
	demo: [['demo', 'node-dies', '--serve', '0']],
	completion: [
		['completion', 'bash'],
		['__complete', 'pods', '-n', ''],
	],
	version: [['version']],
	options: [['options']],
	help: [['help']],
});

/** Runs every command as a user who may do everything: the API server must see only reads. */
export async function everyCommand(scene: Scene): Promise<readonly Check[]> {
	const {plugin, cluster, folder, deadNode} = scene;
	const {admin, controlPlane} = cluster;
	const user = await createUser(admin, controlPlane.admin, folder, 'almighty');
	await bindClusterRole(admin, user, 'cluster-admin');
	const lines = commandLines(deadNode, 'b-1', join(folder, 'recording.jsonl'));
	const silent: string[] = [];
	for (const args of Object.values(lines).flat()) {
		const {command, output, errors} = await ask(plugin, user, args);
		if (output === '' && errors === '') silent.push(`${command} says nothing`);
	}
	const screen = await watchScreen(plugin, user, deadNode);
	const requests = requestsOf(user.name, controlPlane.auditLog);
	const others = requests.filter(({verb}) => !['get', 'list', 'watch'].includes(verb));
	const isOfKubelet = ({requestURI}: {readonly requestURI: string}) => requestURI.includes('/proxy/');
	return [
		{name: 'a cluster-admin runs every command', failures: [...silent, ...screen]},
		{
			name: `a cluster-admin made ${requests.length} requests, also to kubelets`,
			failures: requests.some(isOfKubelet) ? [] : ['none to a kubelet'],
		},
		{
			name: 'a cluster-admin wrote nothing',
			failures: others.map(({verb, requestURI}) => `${verb} ${requestURI}`),
		},
	];
}
