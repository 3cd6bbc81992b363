import {beforeAll, expect, test} from 'vitest';
import {minute, second} from '../../src/core/time/instant.ts';
import {utc} from '../../src/dates/timeZone.ts';
import {jsonOf} from '../../src/print/json/jsonOf.ts';
import {reportJson} from '../../src/report/json.ts';
import {formatMarkdown} from '../../src/report/markdown.ts';
import type {Outage} from '../../src/report/outage.ts';
import {ReportBuilder} from '../../src/report/reportBuilder.ts';
import {summaryOf} from '../../src/report/summary.ts';
import {timelineOf} from '../../src/report/timeline.ts';
import {ClusterStore} from '../../src/store/clusterStore.ts';
import {flawsOf} from '../support/schemaCheck.ts';
import {reportedOutage} from './outages.ts';

let dead: Outage;
let recovered: Outage;

beforeAll(async () => {
	dead = await reportedOutage('node-dies', 7 * minute);
	recovered = await reportedOutage('recovery', 9 * minute);
});

test('each pod of the dead node is told with what was said of it first and last', () => {
	expect(dead.nodeCount).toBe(13);
	expect(dead.nodes).toMatchObject([{name: 'b2', zone: 'eu/b', ready: 'Unknown', backAt: null}]);
	const [story] = dead.nodes;
	if (!story?.lastRenewal || !story.unreadyAt || !story.taintedAt) throw new Error('an instant is missing');
	expect(story.unreadyAt - story.lastRenewal).toBeGreaterThan(50 * second);
	expect(story.taintedAt).toBeGreaterThanOrEqual(story.unreadyAt);
	expect(dead.evictions).toHaveLength(5);
	for (const {node, first, last, isInside, cause, deletedAt, goneAt} of dead.evictions) {
		expect({node, isInside, goneAt}).toEqual({node: 'b2', isInside: true, goneAt: null});
		expect(cause).toMatchObject({kind: 'Taint', taint: 'node.kubernetes.io/unreachable:NoExecute'});
		expect([first?.error, last?.error]).toEqual([0, 0]);
		expect(first?.madeAt).toBeLessThan(story.unreadyAt);
		expect((last?.lead ?? 0) >= second && (first?.lead ?? 0) > (last?.lead ?? 0)).toBe(true);
		const seconds = cause?.tolerationSeconds ?? 0;
		expect(Math.abs(deletedAt - story.taintedAt - seconds * second)).toBeLessThan(1.5 * second);
	}
	expect(dead.score).toMatchObject({judged: 5, inside: 5, unforeseen: 0});
});

test('the summary says who was down, what went, and how good the forecasts were', () => {
	const text = summaryOf(dead).join(' ');
	expect(text).toMatch(
		/^1 of 13 nodes, in zone eu\/b, was in trouble from 14:0\d:\d\d on \(b2\); none of them was back at the end\./,
	);
	expect(text).toContain('5 pods of 5 workloads were evicted from 14:');
	expect(text).toContain('All of them were still Terminating at the end.');
	expect(text).toContain('All 5 came within the predicted range');
	expect(
		summaryOf({...dead, nodes: [], evictions: [], stillComing: 0, score: {...dead.score, judged: 0}}),
	).toEqual([...['No node was in trouble: 13 nodes were watched.', 'No eviction was seen.']]);
});

test('nodes that come back are told, and the pods that were spared', () => {
	expect(recovered.nodes.some(({backAt}) => backAt !== undefined)).toBe(true);
	expect(recovered.averted.length).toBeGreaterThan(0);
	expect(recovered.averted.every(({verdict}) => verdict === 'Safe')).toBe(true);
	const gone = new Set(recovered.evictions.map(({namespace, name}) => `${namespace}/${name}`));
	expect(recovered.averted.some(({namespace, name}) => gone.has(`${namespace}/${name}`))).toBe(false);
});

test('what belongs together is one line of the timeline', () => {
	const at = dead.from;
	const one = (kind: 'node' | 'pod', text: string, offset: number) => ({kind, text, at: at + offset});
	const entries = timelineOf({
		happenings: [
			...[
				one('node', 'n1 turns Unknown', 0),
				one('pod', 'a/x is deleted from n1', 10),
				one('node', 'n2 turns Unknown', 20),
			],
			...[
				one('node', 'n3 is Ready again', 30),
				one('pod', 'a/y is deleted from n2', 40),
				one('node', 'n4 turns Unknown', 5000),
			],
		],
	});
	expect(entries.map(({text, count}) => `${count} ${text}`)).toEqual([
		...[
			'2 n1 and n2 turn Unknown',
			'2 2 pods are deleted from n1 and n2: a/x and a/y',
			'1 n3 is Ready again',
			'1 n4 turns Unknown',
		],
	]);
});

test('both formats tell the same', () => {
	const json = JSON.parse(JSON.stringify(jsonOf(reportJson(dead))));
	expect(flawsOf(json, 'outage-report')).toEqual([]);
	expect(json).toMatchObject({apiVersion: 'evictwatch.dev/v1', kind: 'OutageReport', nodeCount: 13});
	expect(json.evictions).toHaveLength(5);
	expect(json.evictions[0]).toMatchObject({inside: true, goneAt: null, first: {errorSeconds: 0}});
	const markdown = formatMarkdown(dead);
	for (const {namespace, name} of dead.evictions) {
		expect(markdown).toContain(`${namespace}/${name}`.replaceAll('_', '\\_'));
	}
	for (const sentence of summaryOf(dead)) expect(markdown).toContain(sentence.replaceAll('_', '\\_'));
});

const hostile = `<script>alert(1)</script>"'&\u001b[31m\u202e|\`*_[x](javascript:1)\n# x`;

/** The same outage with an attacker's text in place of all texts from the cluster. */
const attacked = (): Outage => ({
	...dead,
	...{title: hostile, file: hostile, kubernetesVersion: hostile},
	nodes: dead.nodes.map((node) => ({...node, name: hostile, zone: hostile})),
	evictions: dead.evictions.map((one) => ({
		...{...one, namespace: hostile, name: hostile, node: hostile, workload: {kind: hostile, name: hostile}},
		cause: {kind: 'Taint', taint: hostile, tolerationSeconds: 3},
	})),
	averted: [{namespace: hostile, name: hostile, node: hostile, firstSaidAt: dead.from, verdict: hostile}],
	held: [{by: hostile, from: dead.from, to: null, pods: 3, releasedBy: hostile}],
	happenings: [{at: dead.from, kind: 'node', text: hostile}],
	problems: [{reason: hostile, message: hostile}],
	settings: [{name: hostile, unit: 'number', value: 1, source: {kind: 'flag', detail: hostile}}],
});

test('text of the cluster is text in Markdown: no tag, no new row or heading, no link', () => {
	const text = formatMarkdown(attacked());
	expect(text).not.toContain('<script');
	for (const control of ['\u001b', '\u202e']) expect(text).not.toContain(control);
	expect(text.match(/^# /gm)).toHaveLength(1);
	expect(text).not.toMatch(/(?<!\\)\[x\]/);
	const rows = text.split('\n').filter((line) => line.startsWith('| ') && line.includes('script'));
	for (const row of rows) expect([4, 6, 10]).toContain(row.split(/(?<!\\)\|/).length);
});

test('when not all was seen is told with its ends; the moment of a reconnection is not', () => {
	const store = new ClusterStore();
	const builder = new ReportBuilder(store);
	builder.take(store.apply([], 10 * second, {type: 'watchLost', since: 9.5 * second}));
	builder.take(store.apply([], 11 * second, {type: 'watchLost', since: undefined}));
	builder.take(store.apply([], 27 * second, {type: 'watchLost', since: 20 * second}));
	builder.take(store.apply([], minute, {type: 'watchLost', since: undefined}));
	builder.take(store.apply([], 2 * minute, {type: 'watchLost', since: 110 * second}));
	const frame = {title: '', file: '', kubernetesVersion: undefined, from: 0, to: 2 * minute, problems: []};
	expect(
		builder
			.outage({...frame, settings: [], workloads: [], timeZone: utc})
			.happenings.map(({at, text}) => [at / second, text]),
	).toEqual([
		[20, 'not all of the cluster is seen any more'],
		[60, 'all of the cluster is seen again'],
		[110, 'not all of the cluster is seen any more, up to the end'],
	]);
});

/** The same, with all times shifted by `by`. */
const later = <Value>(value: Value, by: number): Value =>
	JSON.parse(JSON.stringify(value), (_, field) =>
		typeof field === 'number' && field > Date.UTC(2000) ? field + by : field,
	);

const timesIn = (text: string): readonly string[] => text.match(/\b\d\d:\d\d(:\d\d)?\b/g) ?? [];

test('all times of a report are in the zone that is asked for, and its end says which', () => {
	const outage = {...dead, timeZone: 'Asia/Kolkata'};
	const text = formatMarkdown(outage);
	expect(text).toContain('2026-01-31 19:30:00 to 19:37:00 Asia/Kolkata (UTC+05:30)');
	expect(text).toContain('All times are Asia/Kolkata (UTC+05:30).');
	// The zone's name contains its offset.
	const shown = text.replaceAll('UTC+05:30', '');
	expect(timesIn(shown).length).toBeGreaterThan(20);
	expect(timesIn(shown).filter((time) => !time.startsWith('19:3'))).toEqual([]);
	expect(reportJson(outage)).toEqual(reportJson(dead));
});

test('in an outage over the end of daylight saving time, times after it carry their offset', () => {
	// At 01:00 UTC Berlin goes back from 03:00 to 02:00; the outage begins four minutes before.
	const outage = {...later(dead, Date.UTC(2026, 9, 25, 0, 56) - dead.from), timeZone: 'Europe/Berlin'};
	const text = formatMarkdown(outage);
	expect(text).toContain('2026-10-25 02:56:00 to 02:03:00+01:00 Europe/Berlin (UTC+02:00) (7m)');
	const deleted = outage.evictions.map(({deletedAt}) => new Date(deletedAt).toISOString().slice(11, 19));
	const shown = deleted.map((utc) => (utc < '01' ? `02${utc.slice(2)}` : `02${utc.slice(2)}+01:00`));
	expect(new Set(shown.map((time) => time.length)).size).toBe(2);
	for (const time of shown) expect(text).toContain(`| ${time} | shop/`);
});

test('a node is in trouble as soon as forecasts call it silent', async () => {
	const early = await reportedOutage('node-dies', 40 * second);
	expect(early.nodes).toMatchObject([{name: 'b2', unreadyAt: null, backAt: null}]);
	expect(summaryOf(early)[0]).toMatch(/^1 of 13 nodes.* was in trouble/);
	expect(early.happenings.map(({text}) => text)).toContain('b2 is silent');
});
