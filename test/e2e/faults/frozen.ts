import type {ChildProcess} from 'node:child_process';
import {once} from 'node:events';
import {existsSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {setTimeout as sleep} from 'node:timers/promises';
import {type Duration, minute, second} from '../../../src/core/time/instant.ts';
import type {Check} from '../judge.ts';

/** An API server that can be frozen, and a way to start the built program for it. */
export type Freezable = {
	readonly name: string;
	/** The node that really fails. */
	readonly victim?: string;
	/** Waits until no node is close to becoming silent: until the freeze is detected, that could be reported. */
	readonly untilCalm?: () => Promise<void>;
	/** Starts the program, which ends with the run. */
	readonly start: (args: readonly string[]) => ChildProcess;
	/** Freezes the server's process; the returned function resumes it. */
	readonly freeze: () => Promise<() => Promise<void>>;
};

/** By then each command has reported the observation gap. */
const reportDeadline: Duration = 10 * second;
/** How long it is watched before and after the freeze. */
const calm: Duration = 25 * second;

const commands = [['pods', '-A', '-w'], ['nodes', '-w'], ['pressure', '-w'], ['shadow']] as const;

/** What must never be reported because of a freeze, and what must not be reported about healthy nodes. */
const neverTrue = /no controller manager runs|\bHeld\b/;
const untrueOfOthers = /\bSilent\b|\bUnknown\b|\bUnsure\b/;

/** The lines that are untrue. @param others what is untrue of any node but the victim */
export const untrueOf = (
	out: string,
	victim: string | undefined,
	others = untrueOfOthers,
): readonly string[] =>
	out
		.split('\n')
		.filter(
			(line) =>
				neverTrue.test(line) ||
				(others.test(line) && (victim === undefined || !line.split(/ +/).includes(victim))),
		);

export type Run = {readonly what: string; out: string; err: string; readonly child: ChildProcess};

/** Freezes a server while the program watches it with each command, and judges the output. */
export async function staysHonest(
	server: Freezable,
	length: Duration,
	folder: string,
): Promise<readonly Check[]> {
	const where = `${server.name}, frozen for ${length / second}s`;
	const file = join(folder, `${where}.jsonl`);
	const runs = [...commands, ['record', file]].map((args) =>
		runOf(server.start(args), args[0] === 'record' ? 'record' : args.join(' ')),
	);
	await untilRecorded(file);
	await sleep(calm);
	await server.untilCalm?.();
	const thaw = await server.freeze();
	const frozenAt = Date.now();
	const before = runs.map(({out}) => out.length);
	const look = runOf(server.start(['pods', '-A']), 'pods -A');
	await sleep(reportDeadline);
	const hasReported = runs.map(({err}) =>
		/WatchInterrupted: watches have been interrupted since \d\d:\d\d:\d\dZ/.test(err),
	);
	const hasLookReported = /no answer since \d\d:\d\d:\d\dZ/.test(look.err);
	await sleep(Math.max(0, length - (Date.now() - frozenAt)));
	const printed = runs.map(({out}, index) => out.slice(before[index]));
	await thaw();
	await sleep(calm);
	await Promise.all([...runs, look].map(end));
	const report = await reportOf(server, file);
	const checks = runs.map(({what, out, err}, index): Check => {
		const failures = [
			...(hasReported[index] ? [] : [`did not say within ${reportDeadline} ms that it is blind: ${err}`]),
			...(printed[index] === '' ? [] : [`printed ${printed[index]}`]),
			...untrueOf(out, server.victim).map((line) => `said: ${line}`),
		];
		return {name: `${what} (${where})`, failures};
	});
	return [
		...checks,
		{
			name: `pods -A (${where})`,
			failures: [
				...(hasLookReported ? [] : [`did not say that it waits: ${look.err}`]),
				...untrueOf(look.out, server.victim),
			],
		},
		{
			name: `report (${where})`,
			failures: [
				...(/no controller manager runs|had not been predicted/.test(report) ? [report] : []),
				...(report.includes('not all of the cluster is seen any more') ? [] : [`is silent on it: ${report}`]),
			],
		},
	];
}

/** Waits for the recording, which starts after the first lists; if it never does, the program reports that. */
async function untilRecorded(file: string): Promise<void> {
	const deadline = Date.now() + minute;
	while (!existsSync(file) && Date.now() < deadline) await sleep(second / 10);
}

export function runOf(child: ChildProcess, what: string): Run {
	const run: Run = {what, out: '', err: '', child};
	child.stdout?.on('data', (chunk) => (run.out += String(chunk)));
	child.stderr?.on('data', (chunk) => (run.err += String(chunk)));
	child.once('error', () => {});
	return run;
}

export async function end({child}: Run): Promise<void> {
	if (child.exitCode !== null || child.signalCode !== null) return;
	const ended = once(child, 'exit');
	child.kill('SIGINT');
	await Promise.race([ended, sleep(10 * second)]);
	child.kill('SIGKILL');
}

export async function reportOf(server: Pick<Freezable, 'start'>, file: string): Promise<string> {
	if (!existsSync(file) || readFileSync(file).length === 0) return 'nothing was recorded';
	const run = runOf(server.start(['report', '-f', file]), 'report');
	await once(run.child, 'close');
	return run.out + run.err;
}
