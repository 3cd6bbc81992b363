import {setTimeout as sleep} from 'node:timers/promises';
import type {FaultServer} from '../../support/faults/faultServer.ts';
import type {Check} from '../judge.ts';
import {startPlugin} from '../plugin.ts';
import type {Session} from '../session.ts';

const victim = 'b-3';
/** Two missing renewals, a reconnect, and a reserve. */
const patience = 60_000;
const downFor = 5000;

/** Checks that the built program's watch survives a killed API server, and shows what happens afterwards. */
export async function programSurvives(
	{cluster, signal}: Session,
	server: FaultServer,
	file: string,
): Promise<Check> {
	const name = 'the program watches on through a killed API server';
	const kubeconfig = cluster.controlPlane.viewerKubeconfig;
	const end = new AbortController();
	const child = startPlugin({file, kubeconfig, signal: AbortSignal.any([signal, end.signal])}, [
		'nodes',
		'-w',
		'--no-headers',
	]);
	const printed = {out: '', err: ''};
	child.stdout?.on('data', (chunk) => (printed.out += String(chunk)));
	child.stderr?.on('data', (chunk) => (printed.err += String(chunk)));
	child.once('error', () => {});
	const until = async (holds: () => boolean) => {
		for (const deadline = Date.now() + patience; !holds() && Date.now() < deadline; ) await sleep(100);
		return holds();
	};
	const failures: string[] = [];
	const expect = (holds: boolean, what: string) => holds || failures.push(what);
	expect(await until(() => printed.out.includes(victim)), 'it shows no nodes');
	await server.kill();
	expect(
		await until(() => printed.err.includes('ServerUnreachable')),
		'it does not say that the server is gone',
	);
	await sleep(downFor);
	await server.restart();
	cluster.fleet.stop([victim]);
	const isSilent = new RegExp(`^\\S+ +${victim} +Silent`, 'm');
	expect(await until(() => isSilent.test(printed.out)), `it does not see that ${victim} fell silent`);
	expect(child.exitCode === null, `it ended with code ${child.exitCode}`);
	end.abort();
	await cluster.fleet.start([victim]);
	return {name, failures: failures.length > 0 ? [...failures, printed.err.trim()] : []};
}
