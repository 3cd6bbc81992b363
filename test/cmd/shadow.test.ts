import {expect, test} from 'vitest';
import {parseCommandLine} from '../../cmd/commands/commandTable.ts';
import {run} from '../../cmd/run.ts';
import {divergenceFormat, divergenceJson, divergenceLine} from '../../cmd/shadow/shadowOutput.ts';
import {jsonOf} from '../../src/print/json/jsonOf.ts';
import {flawsOf} from '../support/schemaCheck.ts';
import {runShadow} from '../support/shadowRun.ts';
import {aScenario} from '../support/shadowScenario.ts';
import {recordingTerminal} from './recordingTerminal.ts';

const dies = {at: 20, do: 'stop-kubelet', node: 'a0'} as const;
const away = runShadow(
	aScenario([dies, {at: 40, do: 'stop-controllers'}, {at: 90, do: 'start-controllers'}], {until: 165}),
).reported.filter(({action}) => action === 'SetUnknown');
const early = runShadow(aScenario([dies], {nodeMonitorGracePeriod: 30, until: 70}), {
	assumed: {nodeMonitorGracePeriod: 50_000},
}).reported;

test('each document keeps its schema', () => {
	const told = [...away, ...early];
	expect(told.length).toBeGreaterThan(2);
	for (const one of told) expect(flawsOf(jsonOf(divergenceJson(one)), 'divergence')).toEqual([]);
});

test('a line says what diverged, by how much, and why', () => {
	const [missing, late] = away.map((one) => divergenceLine(one));
	expect(missing).toMatch(
		/^1970-01-01T00:01:\d\dZ ALARM Missing SetUnknown node\/a0 \(<none>\/a\): expected [^.]*\. ControllerDown: .* Look: kubectl evictwatch explain node\/a0$/,
	);
	expect(late).toMatch(
		/ALARM Late SetUnknown node\/a0 .* happened at 1970-01-01T00:02:\d\dZ, 1m1\d.*s late\. /,
	);
	expect(early.map((one) => divergenceLine(one)).join('\n')).toMatch(
		/Early SetUnknown node\/a0 .*s early\. Unexplained: Nothing that was seen explains it\./,
	);
});

test('a template prints what it takes of each', async () => {
	const options = parseCommandLine(['shadow', '-o', 'jsonpath={.type} {.reason}{"\\n"}']);
	const format = await divergenceFormat(options);
	const [first] = away;
	expect(first && (await format(first))).toBe('Missing ControllerDown\n');
});

test('what it does not take is refused before any cluster is asked', async () => {
	await expect(run(['shadow', 'web-0'], recordingTerminal())).rejects.toThrow('shadow takes no arguments');
	await expect(run(['shadow', '-o', 'jsonpath={'], recordingTerminal())).rejects.toThrow(/error parsing/);
});
