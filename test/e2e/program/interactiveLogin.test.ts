import {mkdtempSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {afterAll, describe, expect, test} from 'vitest';
import {PtyProgram} from '../../cmd/pty.ts';
import {builtProgram} from '../../support/builtProgram.ts';
import {FakeApiServer} from '../../support/fakeApiServer.ts';
import {rawLease, rawNode, rawPod} from '../../support/rawObjects.ts';
import {barePath} from '../../support/runProgram.ts';
import {testFolder} from '../../support/testFolder.ts';

// A credential plugin that returns a first token silently, and prompts on the terminal for each further one.

const {path: folder} = testFolder();
const program = builtProgram;
const tlsFile = (name: string) => join(import.meta.dirname, '../../support/tls', name);
const env = {
	...{PATH: barePath, HOME: folder, TERM: 'xterm-256color'},
	...{LANG: 'C.UTF-8', XDG_CACHE_HOME: join(folder, 'cache')},
};

const renewing: NodeJS.Timeout[] = [];

afterAll(() => {
	for (const timer of renewing) clearInterval(timer);
});

const plugin = (signals: string) => `#!/bin/sh
trap ${signals} INT
print() {
	echo '{"apiVersion":"client.authentication.k8s.io/v1","kind":"ExecCredential","status":{"token":"'"$1"'"}}'
}
runs=$(dirname "$0")/runs
echo run >>"$runs"
if [ "$(wc -l <"$runs")" -eq 1 ]; then
	print first
	exit
fi
echo 'Your session has expired.' >&2
printf 'Password: ' >&2
read -r answer
print "$answer"
`;

/**
 * A cluster whose API server accepts one token at a time, and a kubeconfig with the plugin.
 *
 * @param signals how the plugin's shell traps an interrupt
 */
async function startCluster(signals = '-') {
	const server = await FakeApiServer.start({
		cert: readFileSync(tlsFile('server.pem')),
		key: readFileSync(tlsFile('server-key.pem')),
	});
	const names = ['n1', 'n2', 'n3'];
	const renew = () => {
		const now = new Date().toISOString().replace('Z', '000Z');
		for (const name of names) server.apply('leases', rawLease('kube-node-lease', name, now));
	};
	for (const name of names) server.apply('nodes', node(name, 'True'));
	renew();
	// Renewals are frequent, so that no node is late even if a program takes long to start.
	renewing.push(setInterval(renew, 5000));
	server.apply('pods', rawPod('default', 'cart-0', 'n1'));
	let accepted = 'first';
	server.refuse(401, 'Unauthorized', ({headers}) => headers.authorization !== `Bearer ${accepted}`);
	const home = mkdtempSync(join(folder, 'cluster-'));
	const command = join(home, 'login');
	writeFileSync(command, plugin(signals), {mode: 0o755});
	const exec = {apiVersion: 'client.authentication.k8s.io/v1', command, interactiveMode: 'Always'};
	const kubeconfig = join(home, 'config');
	writeFileSync(
		kubeconfig,
		JSON.stringify({
			'current-context': 'shop',
			clusters: [{name: 'c', cluster: {server: server.url, 'certificate-authority': tlsFile('ca.pem')}}],
			users: [{name: 'u', user: {exec}}],
			contexts: [{name: 'shop', context: {cluster: 'c', user: 'u'}}],
		}),
	);
	return {
		server,
		/** Accepts another token from now on, and ends the watches of the previous one. */
		expire: (next: string) => {
			accepted = next;
			server.endWatches();
		},
		/** Runs the program, and prints the terminal's modes before and after it. */
		run: (args: string) =>
			new PtyProgram('/bin/sh', ['-c', `trap : INT; stty -g; ${program} ${args}; echo "code $?"; stty -g`], {
				...env,
				KUBECONFIG: kubeconfig,
			}),
		askedWith: (token: string) =>
			server.asked.some(({headers}) => headers.authorization === `Bearer ${token}`),
	};
}

const node = (name: string, ready: 'True' | 'Unknown') => {
	const now = new Date().toISOString();
	const reason = ready === 'True' ? 'KubeletReady' : 'NodeStatusUnknown';
	const condition = {type: 'Ready', status: ready, reason, lastHeartbeatTime: now, lastTransitionTime: now};
	const taint = {key: 'node.kubernetes.io/unreachable', effect: 'NoExecute', timeAdded: now};
	return rawNode(name, {spec: ready === 'True' ? {} : {taints: [taint]}, status: {conditions: [condition]}});
};

function expectSameModes({written}: PtyProgram): void {
	const modes = written.match(/^[\da-f]+(:[\da-f]+){5,}/gm) ?? [];
	expect(modes).toHaveLength(2);
	expect(modes[1]).toBe(modes[0]);
}

describe.skipIf(process.platform === 'win32')('a plugin that asks something', () => {
	test('gets the terminal from the dashboard, and gives it back', async () => {
		const {server, expire, run, askedWith} = await startCluster();
		await using _ = server;
		const dashboard = run('');
		expect(await dashboard.shows(/all 3 nodes are well/i)).toContain('● live');
		// In the dashboard these letters would be keys: q would end it.
		expire('quince?');
		const asking = await dashboard.shows(/Password:/);
		expect(asking).toContain('Your session has expired.');
		expect(asking).not.toContain('nodes are well');
		dashboard.type('quince?\r');
		expect(await dashboard.shows(/all 3 nodes are well/i)).not.toContain('Password:');
		// The forecast continues, and the dashboard reads keys again.
		server.apply('nodes', node('n1', 'Unknown'));
		await dashboard.shows(/cart-0/);
		expect(askedWith('quince?')).toBe(true);
		dashboard.type('3');
		await dashboard.shows(/NODES 3/);
		// A second login works as well.
		expire('quail');
		// The first prompt is still on the screen, above the second.
		await dashboard.shows(/Password: quince\?\n(.*\n)*Password:/);
		dashboard.type('quail\r');
		await dashboard.shows(/NODES 3/);
		// Its requests are shown on every screen that is wide enough, and in the help.
		dashboard.type('?');
		dashboard.type('G');
		await dashboard.shows(/asks of the API server\n +\d+ requests, \d watches, 0\.\d MB so far/);
		dashboard.type('q');
		await dashboard.exited;
		const {written} = dashboard;
		expect(written).toContain('code 0');
		expectSameModes(dashboard);
		expect(written.split('\x1b[?1049h').length).toBe(written.split('\x1b[?1049l').length);
		expect(written.lastIndexOf('\x1b[?25h')).toBeGreaterThan(written.lastIndexOf('\x1b[?25l'));
	});

	test.for([
		{name: 'is interrupted', signals: '-'},
		{name: 'ignores an interrupt', signals: "''"},
	])('that $name ends the dashboard, and leaves the terminal whole', async ({signals}) => {
		const {server, expire, run} = await startCluster(signals);
		await using _ = server;
		const dashboard = run('');
		await dashboard.shows(/all 3 nodes are well/i);
		expire('other');
		await dashboard.shows(/Password:/);
		dashboard.type('\x03');
		await dashboard.exited;
		expect(dashboard.written).toMatch(/code 130/);
		expectSameModes(dashboard);
		expect(dashboard.written.split('\x1b[?1049h').length).toBe(dashboard.written.split('\x1b[?1049l').length);
	});

	test('gets the terminal from a watch, whose rows wait until the answer is there', async () => {
		const {server, expire, run, askedWith} = await startCluster();
		await using _ = server;
		const watch = run('pods -w');
		await watch.shows(/No evictions expected/);
		expire('sesame');
		await watch.shows(/Password:/);
		// The watches have ended: the change is reported once there is a token.
		server.apply('nodes', node('n1', 'Unknown'));
		watch.type('sesame\r');
		await watch.shows(/cart-0/);
		expect(askedWith('sesame')).toBe(true);
		expect(watch.text()).toMatch(
			/Your session has expired\.\nPassword: sesame\n(Warning: .*\n)*TIME +NAME +IN/,
		);
		watch.type('\x03');
		await watch.exited;
		expectSameModes(watch);
	});
});
