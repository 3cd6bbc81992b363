import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import type {Timing} from '../../../src/async/timing.ts';
import type {Duration} from '../../../src/core/time/instant.ts';
import type {FaultScenario} from './faultScenario.ts';
import type {FaultServer} from './faultServer.ts';
import {Stage} from './stage.ts';

/** Limits for the fault itself, for the recovery from it, and for closing the connections. */
type Limits = {readonly trouble: Duration; readonly recovery: Duration; readonly closing: Duration};

type FaultResult = {
	readonly failures: readonly string[];
	/** From the end of the fault until the whole state was up to date again. */
	readonly recovery: Duration;
	readonly connections: number;
	readonly requests: number;
};

/** Plays one scenario on a server; returns what is wrong afterwards. */
export async function runFault(
	scenario: FaultScenario,
	server: FaultServer,
	timing: Timing,
	limits: Limits,
): Promise<FaultResult> {
	const folder = mkdtempSync(join(tmpdir(), 'evictwatch-fault-'));
	const stage = await Stage.build(server, timing, scenario.isTls ?? false);
	try {
		await stage.follow(await scenario.before?.(stage, folder));
		if (!scenario.isEarly) await within(limits.trouble, 'the first state', everyWatchOpen(stage, limits));
		await within(limits.trouble, 'the trouble', scenario.inflict(stage, folder));
		const overAt = Date.now();
		const lags = await stage.caughtUp(limits.recovery);
		const recovery = Date.now() - overAt;
		const failures = [...lags, ...(scenario.check?.(stage) ?? [])];
		const [connections, requests] = [stage.gate.opened, stage.requests];
		const leaked = await stage.leave(limits.closing);
		if (leaked > 0) failures.push(`${leaked} connections are left open`);
		return {failures, recovery, connections, requests};
	} finally {
		await stage[Symbol.asyncDispose]();
		rmSync(folder, {recursive: true});
	}
}

/** Waits until each watch has delivered something and there is something that a later change deletes. */
async function everyWatchOpen(stage: Stage, {trouble}: Limits): Promise<void> {
	const {follower, server} = stage;
	await follower.until(() => follower.calls.length > 0);
	await server.change();
	await stage.caughtUp(trouble);
}

async function within<T>(limit: Duration, what: string, work: Promise<T>): Promise<T> {
	const {promise, reject} = Promise.withResolvers<never>();
	const timer = setTimeout(() => reject(new Error(`${what} is not over after ${limit} ms`)), limit);
	try {
		return await Promise.race([work, promise]);
	} finally {
		clearTimeout(timer);
	}
}
