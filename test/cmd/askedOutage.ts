import {run} from '../../cmd/run.ts';
import {second} from '../../src/core/time/instant.ts';
import {outageDumps} from '../support/outageDumps.ts';
import {TemporaryFolder} from '../support/testEnvironment.ts';
import {recordingTerminal} from './recordingTerminal.ts';

/** The output of commands for an outage of the demo, this many seconds after its start. */
export const asked = (scenario: string, after: number, ...commands: readonly string[]) =>
	askedOn(undefined, scenario, after, commands);

/** The same on a terminal of this width; undefined for a pipe. */
export async function askedOn(
	width: number | undefined,
	scenario: string,
	after: number,
	commands: readonly string[],
) {
	using folder = new TemporaryFolder();
	const [dump] = outageDumps(folder.path, [scenario], [after * second]);
	const [texts, errors]: [string[], string[]] = [[], []];
	for (const command of commands) {
		const terminal = recordingTerminal();
		const args = [...command.split(' '), '-f', String(dump?.file), '--at', String(dump?.at)];
		await run(args, {...terminal, width});
		texts.push(terminal.texts().out);
		errors.push(terminal.texts().err);
	}
	return {texts, errors, at: Date.parse(String(dump?.at))};
}
