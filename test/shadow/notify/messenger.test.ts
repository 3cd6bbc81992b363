import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterEach, beforeEach, expect, test} from 'vitest';
import {type Duration, minute, second} from '../../../src/core/time/instant.ts';
import {createLog} from '../../../src/shadow/log/log.ts';
import {divergenceAlert} from '../../../src/shadow/notify/alert.ts';
import {formatOf} from '../../../src/shadow/notify/formats.ts';
import {Messenger, type MessengerParts, type ToldMemory} from '../../../src/shadow/notify/messenger.ts';
import {now} from '../../print/forecasts.ts';
import {Receiver} from '../support/receiver.ts';
import {aDivergence} from '../support/views.ts';

let receiver: Receiver;
let end: AbortController;
let runs: Promise<void>[];
let lines: string[];

beforeEach(async () => {
	receiver = await Receiver.start();
	end = new AbortController();
	runs = [];
	lines = [];
});

afterEach(async () => {
	end.abort();
	await Promise.all(runs);
	receiver.close();
});

/** Time that passes only while somebody sleeps; who sleeps lets others run. */
class SleepersTime {
	at = now;
	readonly slept: Duration[] = [];
	readonly now = () => this.at;
	readonly random = () => 0.5;
	readonly sleep = async (duration: Duration, signal: AbortSignal) => {
		await new Promise((resolve) => setImmediate(resolve));
		if (signal.aborted) return;
		this.slept.push(duration);
		this.at += duration;
	};
}

const noMemory = (): ToldMemory => {
	const told = new Map<string, string>();
	return {
		told: (key) => told.get(key),
		recordTold: (all) => {
			for (const [key, state] of all) told.set(key, state);
		},
	};
};

function start(parts: Partial<MessengerParts> & {path?: string} = {}) {
	const timing = new SleepersTime();
	const url = receiver.url(parts.path ?? '/hook');
	const log = createLog({format: 'json', level: 'debug', now: timing.now, write: (line) => lines.push(line)});
	const messenger = new Messenger({
		target: {url, tokenFile: undefined},
		format: formatOf(url),
		memory: noMemory(),
		timing,
		log,
		mayTell: () => true,
		resends: formatOf(url) === 'alertmanager',
		...parts,
	});
	runs.push(messenger.run(end.signal));
	return {messenger, timing};
}

/** Lets others run until something is so. */
async function until(isSo: () => boolean): Promise<void> {
	while (!isSo()) await new Promise((resolve) => setImmediate(resolve));
}

const firing = (id = 'a') => divergenceAlert(aDivergence({id}), now);
const resolved = (id = 'a') => divergenceAlert(aDivergence({id, endedAt: now + minute}), now);

const toldTo = ({posts}: Receiver) =>
	posts.flatMap(({body}) =>
		(body as {alerts: {id: string; status: string}[]}).alerts.map(({id, status}) => `${id} ${status}`),
	);

test('a divergence is told once when it begins and once when it ends, however often it is handed over', async () => {
	const {messenger} = start();
	for (let times = 0; times < 5; times += 1) messenger.tell(firing());
	await receiver.came(1);
	for (let times = 0; times < 5; times += 1) messenger.tell(firing());
	messenger.tell(resolved());
	messenger.tell(resolved());
	await receiver.came(2);
	messenger.tell(resolved());
	messenger.tell(firing('b'));
	await receiver.came(3);
	expect(toldTo(receiver)).toEqual(['a firing', 'a resolved', 'b firing']);
	expect(receiver.posts[0]?.body).toEqual({
		version: 1,
		alerts: [
			{
				id: 'a',
				name: 'EvictwatchDivergence',
				status: 'firing',
				labels: {
					action: 'DeletePod',
					zone: 'eu/a',
					object_kind: 'Pod',
					namespace: 'shop',
					object: 'cart-0',
					divergence: 'a',
				},
				annotations: {
					summary: 'DeletePod of shop/cart-0 is missing',
					description: 'cart-0 was to be deleted by 13:59:10Z',
					kind: 'Missing',
					reason: 'Unexplained',
				},
				startsAt: '2026-01-31T13:59:20.000Z',
				endsAt: null,
			},
		],
	});
});

test('what happens at once is one message, and many are several', async () => {
	const kept: number[] = [];
	const memory: ToldMemory = {told: () => undefined, recordTold: (all) => kept.push(all.length)};
	const {messenger} = start({memory});
	for (let index = 0; index < 250; index += 1) messenger.tell(firing(`d${index}`));
	await until(() => messenger.counts.sent === 250);
	// What was told is kept message by message: each time the disk is waited for.
	expect(kept).toEqual([100, 100, 50]);
	expect(receiver.posts.map(({body}) => (body as {alerts: unknown[]}).alerts.length)).toEqual([100, 100, 50]);
});

test('what ends before it was told of is never told', async () => {
	const {messenger} = start();
	messenger.tell(firing('short'));
	messenger.tell(resolved('short'));
	messenger.tell(resolved('unheard'));
	messenger.tell(firing('b'));
	await receiver.came(1);
	expect(toldTo(receiver)).toEqual(['b firing']);
});

test('what is not taken is sent again, each time after a longer wait', async () => {
	receiver.statuses.push(503, 500, 429, 408);
	const {messenger, timing} = start();
	messenger.tell(firing());
	await receiver.came(5);
	messenger.tell(firing('b'));
	await receiver.came(6);
	await until(() => messenger.counts.sent === 2);
	expect(toldTo(receiver)).toEqual([...new Array(5).fill('a firing'), 'b firing']);
	const waits = timing.slept.filter((duration) => duration < 10 * second && duration !== second);
	expect(waits.slice(0, 4)).toEqual([375, 750, 1500, 3000]);
	expect(messenger.counts).toEqual({sent: 2, failed: 4, dropped: 0});
});

test('a receiver that asks for a month is asked again in a minute', async () => {
	receiver.statuses.push(503);
	receiver.retryAfter = String(30 * 24 * 3600);
	const {messenger, timing} = start();
	messenger.tell(firing());
	await receiver.came(2);
	expect(timing.slept.filter((duration) => duration >= minute)).toEqual([minute]);
});

test('a receiver that is not there yet is told once it is', async () => {
	const gone = await Receiver.start();
	const url = gone.url('/hook');
	gone.close();
	const {messenger} = start({target: {url, tokenFile: undefined}, format: 'json'});
	messenger.tell(firing());
	await until(() => messenger.counts.failed >= 3);
	expect(messenger.counts).toMatchObject({sent: 0, dropped: 0});
	expect(lines.join()).toContain('ECONNREFUSED');
});

test('what is refused for good is said and let go', async () => {
	receiver.statuses.push(400);
	const {messenger} = start();
	messenger.tell(firing());
	await receiver.came(1);
	messenger.tell(firing());
	messenger.tell(firing('b'));
	await receiver.came(2);
	expect(toldTo(receiver)).toEqual(['a firing', 'b firing']);
	expect(messenger.counts.dropped).toBe(1);
	expect(lines.join()).toContain('it is lost');
});

test('what ends on its way is told to have ended; sent in vain, it is not told at all', async () => {
	const {messenger} = start();
	receiver.before = async () => {
		receiver.before = () => Promise.resolve();
		messenger.tell(firing());
		messenger.tell(resolved());
	};
	messenger.tell(firing());
	await receiver.came(2);
	expect(toldTo(receiver)).toEqual(['a firing', 'a resolved']);
	receiver.before = async () => {
		receiver.before = () => Promise.resolve();
		receiver.statuses.push(503);
		messenger.tell(resolved('vain'));
	};
	messenger.tell(firing('vain'));
	await receiver.came(3);
	messenger.tell(firing('c'));
	await receiver.came(4);
	expect(toldTo(receiver).slice(2)).toEqual(['vain firing', 'c firing']);
});

test('a redirect is not followed: it would tell somebody else', async () => {
	receiver.statuses.push(302);
	const {messenger} = start();
	messenger.tell(firing());
	await receiver.came(2);
	expect(receiver.posts.map(({path}) => path)).toEqual(['/hook', '/hook']);
});

test('a token is read for each message, and never written to the log', async () => {
	const folder = mkdtempSync(join(tmpdir(), 'evictwatch-token-'));
	const tokenFile = join(folder, 'token');
	writeFileSync(tokenFile, 'first\n');
	receiver.statuses.push(200, 401);
	const {messenger} = start({target: {url: receiver.url('/hook?key=secret-key'), tokenFile}, format: 'json'});
	messenger.tell(firing());
	await receiver.came(1);
	writeFileSync(tokenFile, 'second\n');
	messenger.tell(firing('b'));
	await receiver.came(2);
	rmSync(folder, {recursive: true});
	expect(receiver.posts.map(({headers}) => headers.authorization)).toEqual(['Bearer first', 'Bearer second']);
	messenger.tell(firing('c'));
	await until(() => messenger.counts.failed >= 2);
	expect(lines.join('')).not.toMatch(/first|second|secret-key/);
});

test('only who leads tells; who comes to lead tells what lasts', async () => {
	let leads = false;
	const {messenger, timing} = start({mayTell: () => leads});
	messenger.tell(firing('over'));
	messenger.tell(firing('lasts'));
	messenger.tell(resolved('over'));
	await until(() => timing.slept.length > 5);
	expect(receiver.posts).toEqual([]);
	leads = true;
	await receiver.came(1);
	expect(toldTo(receiver)).toEqual(['lasts firing']);
});

test('who leads no more tells no further message, of many that wait or that are told again', async () => {
	let leads = true;
	const {messenger, timing} = start({path: '/api/v2/alerts', mayTell: () => leads});
	const loseAt = (count: number) => {
		receiver.before = async () => {
			if (receiver.posts.length === count) leads = false;
		};
	};
	loseAt(2);
	for (let index = 0; index < 300; index += 1) messenger.tell(firing(`d${index}`));
	const rest = async () => {
		const from = timing.slept.length;
		await until(() => timing.slept.length > from + 5);
	};
	await until(() => !leads);
	await rest();
	expect(receiver.posts).toHaveLength(2);
	// One more brings the rest; after a minute all three are due again, and the first of them is the last.
	loseAt(4);
	leads = true;
	await until(() => !leads);
	await rest();
	expect(receiver.posts).toHaveLength(4);
});

test('a process that starts anew does not tell again what its memory has', async () => {
	const memory = noMemory();
	const first = start({memory});
	first.messenger.tell(firing());
	await until(() => first.messenger.counts.sent === 1);
	const second = start({memory});
	second.messenger.tell(firing());
	second.messenger.tell(firing('b'));
	await until(() => second.messenger.counts.sent === 1);
	second.messenger.tell(resolved());
	await receiver.came(3);
	expect(toldTo(receiver)).toEqual(['a firing', 'b firing', 'a resolved']);
});

test('Alertmanager gets its own format, and is told of what fires each minute, until it ends', async () => {
	const {messenger, timing} = start({path: '/api/v2/alerts'});
	messenger.tell(firing());
	await receiver.came(3);
	messenger.tell(resolved());
	const isEnded = () => JSON.stringify(receiver.posts.at(-1)?.body).includes('"endsAt":"2026-01-31T14:01:00');
	await until(() => isEnded());
	const count = receiver.posts.length;
	const from = timing.slept.length;
	await until(() => timing.slept.length > from + 12);
	expect(receiver.posts).toHaveLength(count);
	const [first] = (receiver.posts[0]?.body ?? []) as {labels: object; startsAt: string; endsAt: string}[];
	expect(first?.labels).toMatchObject({alertname: 'EvictwatchDivergence', object: 'cart-0', zone: 'eu/a'});
	expect(first?.startsAt).toBe('2026-01-31T13:59:20.000Z');
	expect(Date.parse(first?.endsAt ?? '') - now).toBeGreaterThanOrEqual(5 * minute);
});

test('a webhook with JSON is told again each minute where another process may go on, and until when to believe it', async () => {
	const {messenger, timing} = start({resends: true});
	messenger.tell(firing());
	await receiver.came(3);
	expect(new Set(toldTo(receiver))).toEqual(new Set(['a firing']));
	const body = receiver.posts.at(-1)?.body as {alerts: {believedUntil: string}[]} | undefined;
	expect(Date.parse(body?.alerts[0]?.believedUntil ?? '') - timing.at).toBeGreaterThan(3 * minute);
	messenger.tell(resolved());
	await until(() => toldTo(receiver).includes('a resolved'));
	expect(receiver.posts.at(-1)?.body).not.toMatchObject({alerts: [{believedUntil: expect.anything()}]});
});
