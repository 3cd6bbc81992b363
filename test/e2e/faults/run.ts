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
/** Even a leak of 100 bytes per reconnect would exceed this in each quarter. */
const noise = 400_000;

const {values: options} = parseArgs({options: {only: {type: 'string', default: ''}, part: {type: 'string'}}});

const rejections: string[] = [];
process.on('unhandledRejection', (reason) => rejections.push(messageOf(reason)));

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

/** Plays the scenarios one after another on one control plane; at last the built program outlives its API server. */
async function playScenarios(session: Session, server: FaultServer): Promise<readonly Check[]> {
	const checks: Check[] = [];
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
	if (options.only === '') checks.push(await programSurvives(session, server, builtPlugin));
	return checks;
}

/** Watches that stay open and deliver nothing: of the demo, and of the real server after a restore of etcd. */
const playUndeliveredWatches = async (session: Session): Promise<readonly Check[]> => [
	...(await playUndelivered(builtPlugin, session.folder)),
	...(await playRestored(session, builtPlugin)),
];

/** What is played, by `--part`; all of it without. */
const parts: Readonly<Record<string, (session: Session, server: FaultServer) => Promise<readonly Check[]>>> =
	{
		memory: async () => [await stayFlat()],
		scenarios: playScenarios,
		frozen: playFrozen,
		undelivered: playUndeliveredWatches,
	};

async function playAll(session: Session): Promise<number> {
	const server = realServer(session);
	const names = options.part === undefined ? Object.keys(parts) : [options.part];
	const checks: Check[] = [];
	for (const name of options.only === '' ? names : ['scenarios']) {
		const play = parts[name];
		if (!play) throw new Error(`--part is one of ${Object.keys(parts).join(', ')}`);
		checks.push(...(await play(session, server)));
	}
	checks.push({name: 'no rejection is left unhandled', failures: rejections});
	return report(checks);
}

process.exit(await runSession(playAll, builtPlugin, {layout: {a: 3, b: 3}}));
