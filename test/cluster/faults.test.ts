import {afterAll, expect, test} from 'vitest';
import {startDemoServer} from '../support/faults/demoServer.ts';
import {faultScenarios} from '../support/faults/faultScenarios.ts';
import {runFault} from '../support/faults/runFault.ts';
import {instantTiming, timeByLooks} from '../support/testEnvironment.ts';

// The limits only detect hangs: a plugin is a process, and a busy machine needs seconds to start one.
const limits = {trouble: 60_000, recovery: 60_000, closing: 30_000};
/** The timeouts of a client that must notice by silence. */
const shortPatience = {answerTimeout: 1500, silenceTimeout: 750, livelySilenceTimeout: 500};

const rejections: unknown[] = [];
const note = (reason: unknown) => rejections.push(reason);
process.on('unhandledRejection', note);
afterAll(() => process.off('unhandledRejection', note));

test.for(faultScenarios)('after this the state is that of a fresh list: $name', async (scenario) => {
	await using server = await startDemoServer();
	const timing = instantTiming(scenario.isMute ? {...shortPatience, ...timeByLooks()} : {});
	const {failures} = await runFault(scenario, server, timing, limits);
	expect([failures, rejections]).toEqual([[], []]);
});
