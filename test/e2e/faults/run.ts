import {parseArgs} from 'node:util';
import {systemTiming} from '../../../src/async/timing.ts';
import {type Duration, minute, second} from '../../../src/core/time/instant.ts';
import {messageOf} from '../../../src/text/userError.ts';
import {faultScenarios} from '../../support/faults/faultScenarios.ts';
import type {FaultServer} from '../../support/faults/faultServer.ts';
import {runFault} from '../../support/faults/runFault.ts';
import type {Check} from '../judge.ts';
import {report} from '../report.ts';
import {builtPlugin, runSession, type Session, say} from '../session.ts';
import {staysHonest} from './frozen.ts';
import {frozenDemo, frozenReal} from './frozenServers.ts';
import {programSurvives} from './program.ts';
import {realServer} from './realServer.ts';
import {reconnect, tooMuch} from './reconnects.ts';
import {playRestored, playUndelivered} from './undelivered.ts';

// With the program's real timeouts: silence is detected after 15 s, and a response times out after 30 s.
const limits = {trouble: 2 * minute, recovery: minute, closing: 5 * second};

const reconnects = 30_000;
/** Even a leak of 100 bytes per reconnect would exceed this. */
const noise = 700_000;

const {values: options} = parseArgs({options: {only: {type: 'string', default: ''}}});

const rejections: string[] = [];
process.on('unhandledRejection', (reason) => rejections.push(messageOf(reason)));

process.exit(await runSession(playAll, builtPlugin, {layout: {a: 3, b: 3}}));

async function stayFlat(): Promise<Check> {
	const residue = await reconnect(reconnects);
	say(`${reconnects} reconnects: heap of ${residue.heap.join(', ')} bytes on the way`);
	return {name: `${reconnects} reconnects leave nothing behind`, failures: tooMuch(residue, noise)};
}

/** The built program with frozen servers: the demo's during whole outages, and the real one. */
async function playFrozen(session: Session, server: FaultServer): Promise<readonly Check[]> {
	const onDemo = async (length: Duration) => {
		await using demo = await frozenDemo(builtPlugin);
		// Awaited here because the demo ends with this function.
		return await staysHonest(demo, length, session.folder);
	};
	const short = async () => [
		...(await onDemo(35 * second)),
		...(await staysHonest(frozenReal(session, server, builtPlugin), 35 * second, session.folder)),
	];
	const checks = (await Promise.all([onDemo(5 * minute), short()])).flat();
	for (const {name, failures} of checks)
		say(`${name}: ${failures.length === 0 ? 'well' : failures.join('; ')}`);
	return checks;
}

/** Plays all scenarios one after another on one control plane. */
async function playAll(session: Session): Promise<number> {
	const server = realServer(session);
	const checks: Check[] = options.only === 'undelivered' ? [] : [await stayFlat()];
	for (const scenario of faultScenarios.filter(({name}) => name.includes(options.only))) {
		const {name} = scenario;
		try {
			const {failures, recovery, connections, requests} = await runFault(
				scenario,
				server,
				systemTiming,
				limits,
			);
			checks.push({name, failures});
			say(
				`${name}: all known ${recovery} ms after it, by ${requests} requests over ${connections} connections`,
			);
		} catch (error) {
			checks.push({name, failures: [messageOf(error)]});
			say(`${name}: ${messageOf(error)}`);
		}
	}
	if (options.only === '' || options.only === 'frozen') checks.push(...(await playFrozen(session, server)));
	if (options.only === '' || options.only === 'undelivered') {
		checks.push(...(await playUndelivered(builtPlugin, session.folder)));
		checks.push(...(await playRestored(session, builtPlugin)));
	}
	if (options.only === '') checks.push(await programSurvives(session, server, builtPlugin));
	checks.push({name: 'no rejection is left unhandled', failures: rejections});
	return report(checks);
}
