import {outageOf} from '../../cmd/recording/reportAction.ts';
import type {Duration} from '../../src/core/time/instant.ts';
import {utc} from '../../src/dates/timeZone.ts';
import {openRecording} from '../../src/recording/format/recording.ts';
import type {Outage} from '../../src/report/outage.ts';
import {recordedOutage, writeRecording} from '../support/recordedOutage.ts';
import {TemporaryFolder} from '../support/testEnvironment.ts';

/** Assumes the defaults of a release, to reduce the number of simulations; other tests cover unconfirmed settings. */
const controller = {asked: {versionFlag: 'v1.36.3', flags: {}}, notes: []};

/** The report data of a simulated outage, through a recording of it. */
export async function reportedOutage(name: string, length: Duration, title = 'prod-eu-1'): Promise<Outage> {
	using folder = new TemporaryFolder();
	const file = await writeRecording(folder, 'outage.jsonl', recordedOutage(name, length), {title});
	const recording = await openRecording({name: file});
	if (!recording) throw new Error('no recording');
	return {...(await outageOf(recording, {controller, timeZone: utc})), file: 'outage.jsonl'};
}
