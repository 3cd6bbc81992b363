import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {printedFor} from '../../cmd/printed.ts';
import {judgePlayed, measure, type Played} from '../../e2e/kubelet/judge.ts';
import {nodeName} from '../../e2e/kubelet/node.ts';
import {reportOf} from '../../e2e/pressureForecasts.ts';

// Plays of a real kubelet (v1.36.3, containerd), recorded by `npm run lab -- kubelet --evidence`: what `record` wrote, and what
// the kubelet's log says that it did. Every forecast of the recording is made again, and held against that.

const folder = join(import.meta.dirname, 'plays');
const whatHappened: Readonly<Record<string, Omit<Played, 'reports'>>> = JSON.parse(
	readFileSync(join(folder, 'whatHappened.json'), 'utf8'),
);

async function replayed(name: string): Promise<Played> {
	const known = whatHappened[name];
	if (!known) throw new Error(`nothing is told of ${name}`);
	const asLines = ['-w', '-o', 'jsonpath={@}{"\\n"}'];
	const {out} = await printedFor('pressure', nodeName, '-f', join(folder, `${name}.jsonl.gz`), ...asLines);
	const lines = out.split('\n');
	return {...known, reports: lines.filter((line) => line.trim() !== '').map(reportOf)};
}

test.for(Object.keys(whatHappened))('a real kubelet does what is foretold of it: %s', async (name) => {
	const played = await replayed(name);
	expect(judgePlayed(played).flatMap(({failures}) => failures)).toEqual([]);
	const {named, inside, rightFirst, saidFirst} = measure(played);
	expect([inside, rightFirst]).toEqual([named, saidFirst]);
	expect(saidFirst).toBeGreaterThan(3);
});
