import {expect, test} from 'vitest';
import {aForecast, aPodForecast, inSeconds} from '../print/forecasts.ts';
import {PressedDashboard} from './support/pressed.ts';
import {TestSource} from './support/scenes.ts';

const coming = (count: number) =>
	Array.from({length: count}, (_, index) =>
		aPodForecast({name: `p${index}`, uid: `p${index}`, eviction: inSeconds(10 + index, 11 + index)}),
	);
const held = aPodForecast({
	...{name: 'h', uid: 'h', verdict: 'Held', eviction: null},
	held: {by: 'zone eu/b is stopped', since: null, releasedBy: 'a node is back', ifReleasedNow: inSeconds(1)},
});

function lines(pods: ReturnType<typeof coming>, rows: number, keys: readonly string[] = []) {
	const size = {columns: 120, rows};
	const dashboard = new PressedDashboard(new TestSource(aForecast({pods})));
	dashboard.press(keys, size);
	return dashboard.frame(size);
}

test('the reasoning of the row under the cursor stands below the rows, in two lines where they leave no room', () => {
	const few = lines(coming(2), 40).join('\n');
	expect(few).toContain('· n1 is unreachable');
	expect(few).toContain('· then: ');
	const many = lines(coming(60), 40).join('\n');
	expect(many).not.toContain('· n1 is unreachable');
	expect(many).toContain('· cart-0 tolerates that for 300s');
});

test('of reasoning that is cut the last steps stand there', () => {
	const because = Array.from({length: 30}, (_, index) => `step ${index}`);
	const long = lines([aPodForecast({because, eviction: inSeconds(10)})], 40);
	expect(long.join('\n')).toContain('step 29');
	expect(long.join('\n')).not.toContain('step 8');
});

test('held pods follow those that are coming, and what releases them is said', () => {
	const overview = lines([...coming(2), held], 40, ['G']);
	expect(overview.join('\n')).toMatch(/NEXT EVICTIONS 2 {3}THEN HELD 1/);
	const at = (what: string) => overview.findIndex((line) => line.includes(what));
	expect(at('■ held')).toBe(at('shop/p1') + 1);
	expect(overview[at('■ held')]).toMatch(/^▸/);
	expect(overview.join('\n')).toContain('· resumes when a node is back');
});

test('of the reasons for what does not happen, that of what is held goes last', () => {
	const stays = aPodForecast({name: 's', uid: 's', verdict: 'Stays', eviction: null});
	const counts = (columns: number) => {
		return new PressedDashboard(new TestSource(aForecast({pods: [held, stays]})))
			.frame({columns, rows: 24})

			.find((line) => line.includes('STAYS'));
	};
	expect(counts(100)).toMatch(/HELD 1 zone eu\/b is stopped {2}· STAYS 1 nothing evicts them/);
	expect(counts(45)).toMatch(/HELD 1 zone eu\/b is stopped {2}· STAYS 1 *$/);
});

test('an empty timeline says so', () => {
	expect(lines([held], 40).join('\n')).toContain('no evictions expected in that time');
	expect(lines(coming(1), 40).join('\n')).not.toContain('no evictions expected in that time');
});
