import {expect, test} from 'vitest';
import {AnswerPage} from '../../src/print/answerPage.ts';
import {answerText, movedWord, podChangesText, shiftOf} from '../../src/print/whatif/whatIfAnswer.ts';
import {aPodForecast, inSeconds, now} from './forecasts.ts';

type Steps = Parameters<typeof answerText>[1][number]['after']['steps'];

const normal = {at: inSeconds(0), state: 'Normal', rate: 0.1} as const;
const stopped = {at: inSeconds(0), state: 'FullDisruption', rate: 0} as const;
const stopsSoon = {at: inSeconds(51, 52), state: 'PartialDisruption', rate: 0} as const;
const resumesThen = {at: inSeconds(90, 95), state: 'FullDisruption', rate: 0.1} as const;

const zone = (name: string, steps: Steps, then?: Steps) => {
	const before = {steps, isSure: true};
	return {zone: name, before, after: then ? {steps: then, isSure: true} : before};
};

const zonesOf = (zones: readonly ReturnType<typeof zone>[], isControlled = true) =>
	answerText({pods: [], workloads: []}, zones, new AnswerPage(now), isControlled)
		.replaceAll(/\n {15}(?!as before|eu)/g, ' ')
		.split('\n')
		.slice(2)
		.join('\n');

test.for([
	{
		name: 'nothing changes, and every zone evicts',
		zones: [zone('eu/a', [normal]), zone('eu/b', [normal])],
		want: 'Zones:         no zone changes its state because of this; evictions are not stopped\n',
	},
	{
		name: 'zones of one story share a line',
		zones: ['a', 'b', 'c', 'd', 'e'].map((name) => zone(`eu/${name}`, [stopped])),
		want: 'Zones:         no further zone changes its state because of this\n               as before: eu/a, eu/b, eu/c, eu/d and 1 more: FullDisruption (evictions are stopped)\n',
	},
	{
		name: 'a zone stops its evictions and resumes them, another is stopped as before',
		zones: [zone('eu/a', [normal], [normal, stopsSoon, resumesThen]), zone('eu/b', [normal, stopsSoon])],
		want: 'Zones:         eu/a: Normal, then PartialDisruption in 51s-52s (evictions stop, running countdowns continue), then FullDisruption in 1m30s-1m35s (evictions resume); without this: Normal\n               as before: eu/b: Normal, then PartialDisruption in 51s-52s (evictions stop, running countdowns continue)\n',
	},
])('of zones it is said whether they evict: $name', ({zones, want}) => {
	expect(zonesOf(zones)).toBe(want);
});

test('a zone that evicts again in the same state is told so once', () => {
	const resumes = {...stopped, rate: 0.1, at: inSeconds(1, 6)};
	const partial = {...stopped, state: 'PartialDisruption', at: inSeconds(1, 6)} as const;
	const zones = [zone('eu/a', [stopped], [stopped, resumes]), zone('eu/b', [stopped], [stopped, partial])];
	expect(zonesOf(zones)).toBe(
		'Zones:         eu/a: FullDisruption (evictions are stopped), then evictions resume in 1s-6s; without this: FullDisruption (evictions are stopped)\n' +
			'               eu/b: FullDisruption (evictions are stopped), then PartialDisruption in 1s-6s (evictions stay stopped); without this: FullDisruption (evictions are stopped)\n',
	);
});

test('without a controller manager no zone is said to evict', () => {
	expect(zonesOf([zone('eu/a', [normal])], false)).toBe(
		'Zones:         all evictions are stopped, as no controller manager runs; no zone changes its state until one does\n',
	);
});

const change = (
	effect: 'added' | 'avoided' | 'moved' | 'unchanged',
	before: Parameters<typeof aPodForecast>[0],
	after: Parameters<typeof aPodForecast>[0],
	shift: number | null = null,
) => ({
	...{before: aPodForecast(before), after: aPodForecast(after), effect, shift},
	endings: {before: [], after: []},
});

const held = {verdict: 'Held', eviction: null} as const;
const safe = {verdict: 'Safe', eviction: null} as const;

test.for([
	{
		name: 'a held pod that nothing evicts any more is saved',
		pods: [change('unchanged', held, safe), change('unchanged', held, held)],
		want: 'no additional pod will be evicted; 1 held pod saved',
	},
	{
		name: 'held pods that are released stand apart from pods that were safe',
		pods: [
			change('added', held, {eviction: inSeconds(10)}),
			change('added', safe, {eviction: inSeconds(60)}),
		],
		want: '1 more pod will be evicted in 1m; 1 held pod of n1 will be evicted in 10s (evictions resume)',
	},
	{
		name: 'pods are evicted earlier or later; where a range is open, nobody can tell',
		pods: [
			change('moved', {}, {eviction: inSeconds(900)}, 5000),
			change('moved', {}, {eviction: inSeconds(5)}, -5000),
			change('moved', {}, {eviction: inSeconds(5, null)}, -5000),
			change('moved', {verdict: 'Unsure'}, {eviction: inSeconds(5)}, -5000),
			change('moved', {}, {verdict: 'Unsure', eviction: inSeconds(5, null)}, -5000),
			change('moved', {verdict: 'Unsure'}, {verdict: 'Unsure', eviction: inSeconds(5, null)}, -5000),
		],
		want: 'no additional pod will be evicted; 1 evicted later than before; 1 evicted earlier than before; 1 evicted in a wider range than before; 1 now sure to be evicted; 1 no longer sure to be evicted; 1 might be evicted in a wider range than before',
	},
	{
		name: 'a pod that is held instead of evicted is counted once',
		pods: [change('avoided', {}, held), change('avoided', {}, safe), change('unchanged', safe, held)],
		want: 'no additional pod will be evicted; 1 more will be held; 1 will be held instead of evicted; 1 will not be evicted',
	},
])('what changes for pods: $name', ({pods, want}) => {
	expect(podChangesText(pods, now)).toBe(want);
});

test('a pod that moves by a second only is evicted as before', () => {
	const by = (seconds: number) =>
		change('moved', {eviction: inSeconds(60)}, {eviction: inSeconds(60 + seconds)}, seconds * 1000);
	const text = answerText({pods: [by(1), by(3)], workloads: []}, [], new AnswerPage(now));
	expect(text.replaceAll(/\n {15}/g, ' ')).toContain(
		'Pods:          no additional pod will be evicted; 1 evicted later than before; 1 evicted as before\n',
	);
});

test('of a long range, only what tables show counts as moved', () => {
	const moved = (seconds: number) =>
		change('moved', {eviction: inSeconds(0, 3600)}, {eviction: inSeconds(0, 3600 + seconds)}, seconds * 500);
	expect(podChangesText([moved(20)], now)).toBe('no additional pod will be evicted');
	expect(podChangesText([moved(200)], now)).toContain('1 evicted later than before');
});

test.for([
	{
		name: 'both ends are earlier',
		from: [60, 90],
		to: [40, 50],
		says: 'evicted earlier than before',
		word: 'earlier',
	},
	{
		name: 'only its latest end is earlier',
		from: [87, 3660],
		to: [87, 3300],
		says: 'evicted earlier',
		word: 'earlier',
	},
	{
		name: 'it starts earlier and ends later',
		from: [60, 90],
		to: [40, 200],
		says: 'in a wider range',
		word: 'wider',
	},
	{
		name: 'it starts later and ends earlier',
		from: [40, 200],
		to: [60, 90],
		says: 'a narrower range',
		word: 'narrower',
	},
] as const)('a range of which $name is $word, and no shift in seconds', ({from, to, says, word}) => {
	const pod = change(
		'moved',
		{eviction: inSeconds(from[0], from[1])},
		{eviction: inSeconds(to[0], to[1])},
		-30_000,
	);
	expect(podChangesText([pod], now)).toContain(says);
	expect([movedWord(pod), shiftOf(pod)]).toEqual([word, null]);
});
