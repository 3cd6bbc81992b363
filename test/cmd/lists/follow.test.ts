import {expect, test} from 'vitest';
import {parseCommandLine} from '../../../cmd/commands/commandTable.ts';
import {listFollower} from '../../../cmd/lists/follow.ts';
import {podListing} from '../../../cmd/lists/listings.ts';
import type {Problem} from '../../../src/core/model/problem.ts';
import {PredictionLedger} from '../../../src/forecast/ledger/predictionLedger.ts';
import type {PodForecast} from '../../../src/forecast/podForecast.ts';
import {ClusterStore} from '../../../src/store/clusterStore.ts';
import {aForecast, aPodForecast, inSeconds, now} from '../../print/forecasts.ts';
import {recordingTerminal} from '../recordingTerminal.ts';

function follow(line: string, score = new PredictionLedger(new ClusterStore()).score, width?: number) {
	const terminal = {...recordingTerminal(), width};
	const follower = listFollower(podListing, {namespace: 'shop'}, parseCommandLine(line.split(' ')), terminal);
	let seconds = 0;
	return {
		publish: (pods: readonly PodForecast[], problems: readonly Problem[] = []) =>
			follower.publish(aForecast({pods, problems}), now + 1000 * seconds++, score),
		texts: terminal.texts,
	};
}

test('the table comes once, then only the rows that changed, under the same columns', async () => {
	const {publish, texts} = follow('pods -A -w');
	const other = aPodForecast({name: 'other-0', uid: 'o', eviction: inSeconds(400)});
	await publish([aPodForecast(), other]);
	await publish([aPodForecast(), other]);
	await publish([aPodForecast({verdict: 'Terminating', eviction: null}), other]);
	await publish([other]);
	expect(`\n${texts().out}`).toBe(`
TIME        NAMESPACE   NAME      IN           AT                    VERDICT     NODE   ZONE   CAUSE
14:00:00Z   shop        cart-0    4m10s-5m2s   14:04:10Z/14:05:02Z   Scheduled   n1     eu/a   unreachable:NoExecute (300s)
14:00:00Z   shop        other-0   6m40s        14:06:40Z             Scheduled   n1     eu/a   unreachable:NoExecute (300s)
14:00:02Z   shop        cart-0    -            -                     Terminating   n1     eu/a   unreachable:NoExecute (300s)
14:00:03Z   shop        cart-0    -            -                     Gone          n1     eu/a   unreachable:NoExecute (300s)
`);
});

test('a watch on 80 columns never wraps: where all else leaves no room, the time of the row goes', async () => {
	const {publish, texts} = follow('pods -A -w', undefined, 80);
	const short = aPodForecast({name: 'a', verdict: 'Expected', eviction: inSeconds(5)});
	const name = 'session-cache-backend-nn9fzmtqj-dtcx5';
	await publish([short]);
	await publish([short, aPodForecast({name, uid: 'b', eviction: inSeconds(2711, 3601)})]);
	const {out} = texts();
	expect(out.match(/^(TIME|NAMESPACE).*$/gm)).toEqual([
		expect.stringMatching(/^TIME +NAMESPACE +NAME +IN +AT +VERDICT +NODE +ZONE$/),
		expect.stringMatching(/^NAMESPACE +NAME +IN +VERDICT +NODE$/),
	]);
	expect(out).toContain('No room for TIME, AT, ZONE, CAUSE: -o wide shows all columns.\n');
	for (const line of out.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
});

test('the time of each row is in the zone of the reader', async () => {
	const {publish, texts} = follow('pods -A -w --time-zone Asia/Kolkata');
	await publish([aPodForecast()]);
	expect(texts().out).toMatch(
		/\n19:30:00\+05:30 +shop +cart-0 +4m10s-5m2s +19:34:10\+05:30\/19:35:02\+05:30 /,
	);
});

test('as JSON, each change is a line', async () => {
	const {publish, texts} = follow('pods -w -o json');
	await publish([aPodForecast()]);
	await publish([aPodForecast()]);
	await publish([]);
	const lines = texts().out.trim().split('\n');
	expect(lines.map((line) => JSON.parse(line))).toMatchObject([
		{kind: 'PodForecast', metadata: {name: 'cart-0'}, verdict: 'Scheduled'},
		{kind: 'PodForecast', metadata: {name: 'cart-0'}, verdict: 'Gone', eviction: null},
	]);
});

test('as YAML, each change is a document', async () => {
	const {publish, texts} = follow('pods -w -o yaml');
	await publish([aPodForecast()]);
	expect(texts().out).toMatch(/^---\n\{"kind":"PodForecast"/);
});

test('a problem is told when it comes, and again when it comes back', async () => {
	const {publish, texts} = follow('pods -w');
	const problem = {reason: 'ServerUnreachable', message: 'no answer'};
	for (const problems of [[problem], [problem], [], [problem]]) await publish([aPodForecast()], problems);
	const warning = 'Warning: ServerUnreachable: no answer\n';
	expect(texts().err).toBe(warning + warning);
});

test('a name that nothing has at the start ends the watch', async () => {
	await expect(follow('pods nobody -w').publish([aPodForecast()])).rejects.toMatchObject({
		name: 'UserError',
		message: 'pods "nobody" not found',
	});
});

test('as JSON, a line carries the score once an eviction was judged', async () => {
	const score = {...new PredictionLedger(new ClusterStore()).score, judged: 2, inside: 2, medianWidth: 1500};
	const {publish, texts} = follow('pods -w -o json', score);
	await publish([aPodForecast()]);
	expect(JSON.parse(texts().out)).toMatchObject({
		metadata: {name: 'cart-0', score: {judged: 2, inside: 2, medianWidthSeconds: 1.5, misses: []}},
	});
	const table = follow('pods -w', score);
	await table.publish([aPodForecast()]);
	expect(table.texts().out).not.toContain('1.5');
});

test('with --watch-only nothing is said of what is there first', async () => {
	const {publish, texts} = follow('pods --watch-only --no-headers -o name');
	await publish([aPodForecast()]);
	expect(texts().out).toBe('');
	await publish([aPodForecast({verdict: 'Overdue'})]);
	expect(texts().out).toBe('pod/cart-0\n');
});

test('with --output-watch-events each row and each object says what happened', async () => {
	const table = follow('pods -w --output-watch-events');
	const json = follow('pods -w --output-watch-events -o json');
	const columns = follow(
		'pods -w --output-watch-events -o custom-columns=TYPE:.type,NAME:.object.metadata.name',
	);
	for (const {publish} of [table, json, columns]) {
		await publish([aPodForecast()]);
		await publish([aPodForecast({verdict: 'Overdue'})]);
		await publish([]);
	}
	expect(
		table
			.texts()
			.out.split('\n')
			.map((line) => line.slice(0, 34)),
	).toEqual([
		'TIME        EVENT   NAME     IN   ',
		'14:00:00Z   ADDED   cart-0   4m10s',
		'14:00:01Z   MODIFIED   cart-0   ov',
		'14:00:02Z   DELETED    cart-0   - ',
		'',
	]);
	const objects = json
		.texts()
		.out.trim()
		.split('\n')
		.map((line) => JSON.parse(line));
	expect(objects).toMatchObject([
		{type: 'ADDED', object: {kind: 'PodForecast', verdict: 'Scheduled'}},
		{type: 'MODIFIED', object: {verdict: 'Overdue'}},
		{type: 'DELETED', object: {verdict: 'Gone'}},
	]);
	expect(columns.texts().out).toBe('TYPE    NAME\nADDED   cart-0\nMODIFIED   cart-0\nDELETED    cart-0\n');
});

test('what is there first is sorted as asked for', async () => {
	const {publish, texts} = follow('pods -w -o name --sort-by=.metadata.name');
	await publish(
		['b', 'a', 'c'].map((name, index) => aPodForecast({name, uid: name, eviction: inSeconds(index)})),
	);
	expect(texts().out).toBe('pod/a\npod/b\npod/c\n');
});

test('a watch of which nothing may be read ends with an error, as kubectl does; without nodes pods may still come', async () => {
	const forbidden = (kind: string) => ({reason: `${kind}Forbidden`, message: 'forbidden'});
	await expect(follow('pods -w').publish([], [forbidden('Nodes'), forbidden('Pods')])).rejects.toThrow(
		'nothing is known of pods: not all may be read',
	);
	const {publish, texts} = follow('pods -w');
	await publish([], [forbidden('Nodes')]);
	expect(texts().err).toContain('Nothing is known of pods: not all may be read.\n');
	await publish([aPodForecast()], [forbidden('Pods')]);
	expect(texts().out).toContain('cart-0');
});

test.for([
	{shows: 'nothing until its end', last: [], err: 'No resources found in shop namespace.\n'},
	{shows: 'a pod at last', last: [aPodForecast({verdict: 'Held', eviction: null})], err: ''},
])('a recording that shows $shows has no table of nothing before that', async ({last, err}) => {
	const terminal = recordingTerminal();
	const options = parseCommandLine('replay outage.jsonl --verdict Held'.split(' '));
	const follower = listFollower(podListing, {namespace: 'shop', isRecorded: true}, options, terminal);
	const {score} = new PredictionLedger(new ClusterStore());
	for (const pods of [[], last]) {
		expect(terminal.texts().err).toBe('');
		await follower.publish(aForecast({pods}), now, score);
	}
	await follower.end();
	expect(terminal.texts().err).toBe(err);
});
