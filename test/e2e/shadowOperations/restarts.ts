import {second} from '../../../src/core/time/instant.ts';
import {Receiver} from '../../shadow/support/receiver.ts';
import type {Check} from '../judge.ts';
import {Program, until} from './program.ts';

type Alerts = {readonly alerts: readonly {readonly id: string; readonly status: string}[]};

/** How often it is killed, each time somewhere else in its life. */
const kills = 8;

/** Kills a shadow again and again while evictions are to come: with its history, it tells of them once. */
export async function checkRestarts(
	plugin: string,
	server: string,
	history: string,
): Promise<readonly Check[]> {
	const receiver = await Receiver.start();
	const told = () =>
		receiver.posts.flatMap(({body}) => (body as Alerts).alerts.map(({id, status}) => `${id} ${status}`));
	const start = () =>
		Program.shadow(plugin, ['-s', server, '--history', history, '--notify', receiver.url('/hook').href]);
	try {
		const first = start();
		// Until it has the answer: a kill before that is the one gap that no sender can close.
		const metrics = async () => (await fetch(`${await first.url()}/metrics`)).text();
		const isSent = async () => /^evictwatch_notifications_sent_total [1-9]/m.test(await metrics());
		await until('it told of the evictions', isSent);
		await first.end('SIGKILL');
		for (let kill = 1; kill < kills; kill += 1) {
			const again = start();
			const url = await again.url();
			await until('it is ready', async () => (await fetch(`${url}/readyz`)).ok);
			// Longer than it would take to tell again: a second to collect, and some.
			await new Promise((resolve) => setTimeout(resolve, (1 + (kill % 3)) * second));
			await again.end('SIGKILL');
		}
		const last = start();
		await until('the last is ready', async () => (await fetch(`${await last.url()}/readyz`)).ok);
		await last.end();
		const again = told().filter((each, index, all) => all.indexOf(each) !== index);
		return [
			{name: 'evictions to come are told of', failures: told().length > 0 ? [] : ['nothing was told']},
			{name: `killed ${kills} times, it tells nothing twice`, failures: again},
		];
	} finally {
		receiver.close();
	}
}
