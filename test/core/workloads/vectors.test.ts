import {globSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {indexesIn} from '../../../src/core/workloads/job.ts';
import {WorkloadPlayer} from './play.ts';
import type {WorkloadAction, WorkloadVector} from './vector.ts';

// What the real controllers of a release did with workloads whose pods were evicted, failed, hung and went by force; the
// ported rules do the same. Recorded by test/lab/oracle/recordWorkloads.ts.
const folder = join(import.meta.dirname, 'vectors');
const vectors = globSync('*.jsonl', {cwd: folder}).flatMap((file) =>
	readFileSync(join(folder, file), 'utf8')
		.split('\n')
		.filter(Boolean)
		.map((line): WorkloadVector => JSON.parse(line)),
);

/** The controllers' own workers and batches take up to this long. */
const tolerance = 2500;

/** What one trace has and the other lacks. */
function differences(real: readonly WorkloadAction[], played: readonly WorkloadAction[]): readonly string[] {
	const left = [...played];
	const missing = real.filter(({at, kind, pod}) => {
		const index = left.findIndex(
			(one) => one.kind === kind && one.pod === pod && Math.abs(one.at - at) <= tolerance,
		);
		if (index >= 0) left.splice(index, 1);
		return index < 0;
	});
	const text =
		(sign: string) =>
		({at, kind, pod}: WorkloadAction) =>
			`${sign} ${at / 1000} ${kind} ${pod}`;
	return [...missing.map(text('missing')), ...left.map(text('too much'))];
}

test.for(vectors)('$scenario.name: the rules do what the controllers did', ({scenario, trace, statuses}) => {
	const player = new WorkloadPlayer(scenario).run();
	expect(differences(trace, player.trace)).toEqual([]);
	for (const [name, status] of Object.entries(statuses)) {
		const played = player.statuses[name] ?? {};
		const ended = String(status['ended'] ?? '').split(' ')[0];
		if (name.startsWith('Job/')) {
			// The end of a Job is told once all of its pods are gone.
			if (!player.isStuck) expect(player.ended ?? '').toBe(ended);
			if (player.ended !== undefined) continue;
		}
		for (const [field, value] of Object.entries(played)) {
			const isOfIndexes = field.endsWith('Indexes');
			const [real, mine] = isOfIndexes
				? [indexesIn(String(status[field])), indexesIn(String(value))]
				: [status[field], value];
			expect(mine, `${name} ${field}`).toEqual(real);
		}
	}
});
