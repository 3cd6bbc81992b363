import {expect, test} from 'vitest';
import {answerLines} from '../../src/ui/components/answerLines.ts';

const advice =
	'* by 02:23:29Z (now): let it tolerate the taint forever; it then waits, not ready, until its node is back, and its Deployment starts no other pod instead';
const kept = 'Seen at 02:23:43Z; all times are UTC. Dry run: nothing was changed.';
const stopped = `eu/b: FullDisruption, then PartialDisruption in 0s-6s (evictions stop, running countdowns continue)`;
const command = 'kubectl patch pod gateway -n payments -p \'[{"op":"replace"}]\'';
const answer = [kept, '', `  ${advice}`, `      ${command}`, `Zones:         ${stopped}`];

test.for([60, 80, 82, 100, 120])(
	'a paragraph of an answer is wrapped once, for this screen: %i columns',
	(width) => {
		const lines = answerLines(answer, width, false).map(({spans}) => spans.map(({text}) => text).join(''));
		for (const line of lines) expect(line.length).toBeLessThan(width);
		// Each line is full: the first word of the next one would not have fitted.
		const from = lines.findIndex((line) => line.startsWith('   * '));
		const to = lines.findIndex((line) => line.includes('kubectl'));
		for (let at = from; at < to - 1; at += 1) {
			const [word = ''] = (lines[at + 1] ?? '').trim().split(' ');
			expect(`${lines[at]} ${word}`.length).toBeGreaterThanOrEqual(width);
			expect(lines[at + 1]).toMatch(/^ {5}\S/);
		}
		expect(
			lines
				.slice(from, to)
				.map((line) => line.trim())
				.join(' '),
		).toBe(advice);
		const ofZones = lines.slice(lines.findIndex((line) => line.startsWith(' Zones: ')));
		for (const line of ofZones.slice(1)) expect(line).toMatch(/^ {16}\S/);
		expect(ofZones.map((line) => line.trim()).join(' ')).toBe(`Zones:         ${stopped}`);
	},
);

test('an entry with a label of its own starts anew below a full line', () => {
	const entries = [
		'Pods:          1 more pod will be evicted in 1m13s-1m19s; 12 evicted as before',
		'Reach zero:    no workload',
	];
	const lines = answerLines(entries, 120, false).map(({spans}) => spans.map(({text}) => text).join(''));
	expect(lines).toEqual(entries.map((entry) => ` ${entry}`));
});
