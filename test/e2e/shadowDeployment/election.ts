import {second} from '../../../src/core/time/instant.ts';
import type {Check} from '../judge.ts';
import {Program, until} from '../shadowOperations/program.ts';

const leads = async (shadow: Program): Promise<boolean> =>
	/^evictwatch_leader 1$/m.test(await (await fetch(`${await shadow.url()}/metrics`)).text());

/** Three shadows in turn, two at a time: one leads, and another does once it is gone, however it goes. */
export async function checkElection(plugin: string, kubeconfig: string): Promise<readonly Check[]> {
	const start = () => Program.shadow(plugin, ['--kubeconfig', kubeconfig, '--leader-elect']);
	const first = start();
	await until('the first leads', () => leads(first));
	const next = start();
	await until('the second is there', async () => (await fetch(`${await next.url()}/readyz`)).ok);
	const both = [await leads(first), await leads(next)];
	const third = start();
	const gaveBackAt = Date.now();
	await first.end();
	await until('another leads', async () => (await leads(next)) || (await leads(third)));
	const handover = Date.now() - gaveBackAt;
	const [leader, other] = (await leads(next)) ? [next, third] : [third, next];
	const killedAt = Date.now();
	await leader.end('SIGKILL');
	await until('the last leads', () => leads(other));
	const takeover = Date.now() - killedAt;
	await other.end();
	return [
		{name: 'one of two leads', failures: both.join() === 'true,false' ? [] : [both.join()]},
		{
			name: `who ends gives the lease back (${handover} ms)`,
			failures: handover < 8 * second ? [] : ['another waited until it ran out'],
		},
		{
			name: `who is killed is followed once its lease has run out (${takeover} ms)`,
			failures: takeover > 8 * second && takeover < 30 * second ? [] : ['too early, or too late'],
		},
	];
}
