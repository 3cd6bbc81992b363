import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {run} from '../../cmd/run.ts';
import {testFolder} from '../support/testFolder.ts';
import {recordingTerminal} from './recordingTerminal.ts';

const {path: folder} = testFolder();
const node = {
	...{apiVersion: 'v1', kind: 'Node', metadata: {name: 'n1', uid: 'n1'}, spec: {}},
	status: {conditions: [{type: 'Ready', status: 'True'}]},
};
const file = join(folder, 'dump.json');
writeFileSync(file, JSON.stringify({apiVersion: 'v1', kind: 'List', items: [node]}));

const from = `-f ${file} --at 2026-01-31T14:00:00Z`;
const again = `-f ${file} --at 2026-01-31T14:00:00.000Z`;

const hintOf = (line: string) =>
	run(line.split(' '), recordingTerminal()).then(
		() => undefined,
		(error: unknown) => (error as {hint?: unknown}).hint,
	);

test.for([
	{line: '--nope', want: "See 'kubectl evictwatch --help' for usage."},
	{line: 'pods --nope', want: "See 'kubectl evictwatch pods --help' for usage."},
	{line: 'get no --nope', want: "See 'kubectl evictwatch nodes --help' for usage."},
	{line: 'status shop', want: "See 'kubectl evictwatch status --help' for usage."},
	{line: 'pods n1 -A', want: "See 'kubectl evictwatch pods --help' for usage."},
])('$line: the help that is named is that of its command', async ({line, want}) => {
	expect(await hintOf(line)).toBe(want);
});

test.for([
	{line: `what-if --node-down n2 ${from}`, want: `see \`kubectl evictwatch nodes ${again}\``},
	{line: `what-if --node-down n3 n1 ${from}`, want: 'try --node-down n3,n1'},
	// With a kind, an argument is the node whose pods are counted.
	{line: `what-if --node-down n1 node/n1 ${from}`, want: undefined},
	{line: `what-if --node-down n1 node n1 ${from}`, want: undefined},
	{line: `rescue zone/eu ${from}`, want: `see \`kubectl evictwatch zones ${again}\``},
	{line: `workloads node/n2 ${from}`, want: `see \`kubectl evictwatch nodes ${again}\``},
])('$line: what is to be typed next asks the same', async ({line, want}) => {
	expect(await hintOf(line)).toBe(want);
});
