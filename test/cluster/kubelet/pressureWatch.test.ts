import {afterEach, beforeEach, expect, test} from 'vitest';
import {connect} from '../../../src/cluster/cluster.ts';
import type {Problem} from '../../../src/core/model/problem.ts';
import type {KubeletReport, PressureLook} from '../../../src/core/nodepressure/pressureLook.ts';
import {second} from '../../../src/core/time/instant.ts';
import {answerJson, answerStatus, FakeApiServer} from '../../support/fakeApiServer.ts';
import {bareEnvironment} from '../../support/testEnvironment.ts';

let server: FakeApiServer;
beforeEach(async () => {
	server = await FakeApiServer.start();
});
afterEach(() => server[Symbol.asyncDispose]());

/** The kubelets that received a request, in order. */
const askedOf = (what: string): readonly string[] =>
	server.asked.flatMap(({url}) => {
		const [, node] = new RegExp(`/nodes/([^/]+)/proxy/${what}`).exec(url.pathname) ?? [];
		return node === undefined ? [] : [node];
	});

/** Watches for some rounds in virtual time, so that waits take no real time. */
async function watch(
	rounds: number,
	wanted: (round: number) => readonly string[],
	onLook: (look: PressureLook) => void = () => undefined,
) {
	let now = Date.UTC(2026, 0, 1);
	server.clock = () => now;
	let round = 0;
	const end = new AbortController();
	const sleep = async (duration: number) => {
		now += duration;
		round += 1;
		if (round >= rounds) end.abort();
	};
	const timing = {
		now: () => now,
		elapsed: () => 0,
		nextLook: async () => undefined,
		lookPeriod: second,
		sleep,
		random: () => 0.5,
		answerTimeout: 5 * second,
		pluginTimeout: () => second,
	};
	const others = {silenceTimeout: 60 * second, livelySilenceTimeout: 60 * second};
	const cluster = await connect({server: server.url}, bareEnvironment(), {...timing, ...others});
	const looks: PressureLook[] = [];
	const told: (readonly Problem[])[] = [];
	let reports: readonly KubeletReport[] = [];
	await cluster
		.watchPressure(
			{wanted: () => wanted(round)},
			{
				push: (entry) => {
					if (entry.type !== 'pressure') return;
					const {news} = entry;
					if (news.type === 'reported') reports = news.reports;
					else if (news.type === 'chosen') told.push(news.problems);
					else {
						looks.push(news.look);
						onLook(news.look);
					}
				},
			},
			end.signal,
		)
		.finally(() => cluster.close());
	return {looks, told, reports};
}

/** Kubelets that answer; counts the maximum number of concurrent requests. */
function serveKubelets(status = 200): {most: number} {
	const seen = {most: 0, open: 0};
	server.intercept(({url}, response) => {
		if (!url.pathname.includes('/proxy/')) return false;
		if (url.pathname.endsWith('stats/summary')) seen.open += 1;
		seen.most = Math.max(seen.most, seen.open);
		setImmediate(() => {
			if (url.pathname.endsWith('stats/summary')) seen.open -= 1;
			if (status === 200) answerJson(response, url.pathname.endsWith('configz') ? {kubeletconfig: {}} : {});
			else answerStatus(response, status, 'nodes "n1" is forbidden');
		});
		return true;
	});
	return seen;
}

test('only nodes that are wanted are asked, each ten seconds, and their configuration once', async () => {
	serveKubelets();
	const {looks} = await watch(25, (round) => (round < 15 ? ['n1'] : []));
	expect(askedOf('stats/summary')).toEqual(['n1', 'n1']);
	expect(askedOf('configz')).toEqual(['n1']);
	expect(looks.map(({node, source}) => [node, source])).toEqual([
		['n1', 'kubelet'],
		['n1', 'kubelet'],
	]);
});

test('few kubelets are asked at one time', async () => {
	const seen = serveKubelets();
	const names = Array.from({length: 12}, (_, index) => `n${index}`);
	const {looks} = await watch(1, () => names);
	expect(looks).toHaveLength(12);
	expect(seen.most).toBeGreaterThan(1);
	expect(seen.most).toBeLessThanOrEqual(4);
});

test('of very many nodes only some are asked in one round, and those that waited come next', async () => {
	serveKubelets();
	const names = Array.from({length: 60}, (_, index) => `n${index}`);
	await watch(2, () => names);
	const asked = askedOf('stats/summary');
	expect(asked).toHaveLength(60);
	expect(new Set(asked).size).toBe(60);
});

test('what is refused for one kubelet is not asked of others, told once, and asked again after a while', async () => {
	serveKubelets(403);
	const {told, looks} = await watch(320, () => ['n1', 'n2', 'n3']);
	expect(new Set(askedOf('stats/summary'))).toEqual(new Set(['n1']));
	expect(askedOf('stats/summary').length).toBe(2);
	const reasons = told.map((problems) => problems.map(({reason}) => reason));
	expect(reasons.map((all) => all.filter((reason) => reason === 'SummaryForbidden').length)).toEqual([0, 1]);
	expect(looks.length).toBeGreaterThan(60);
});

test('a kubelet that is in trouble is a problem for as long as it is, and the others are looked at', async () => {
	let status = 500;
	serveKubelets();
	server.intercept(({url}, response) => {
		if (!url.pathname.includes('/n1/proxy/')) return false;
		if (status === 200) answerJson(response, {});
		else answerStatus(response, status, 'error trying to reach service');
		return true;
	});
	const {told, looks} = await watch(25, (round) => {
		if (round >= 10) status = 200;
		return ['n1', 'n2'];
	});
	const reasons = told.map((problems) => problems.map(({reason}) => reason));
	expect(reasons[0]).toEqual([]);
	expect(reasons[1]).toContain('SummaryUnreadable');
	expect(reasons.at(-1)).toEqual([]);
	expect(looks.filter(({node, summary}) => node === 'n2' && summary)).toHaveLength(3);
});

test('what kubelets report is read each half a minute, and only what tells of pressure', async () => {
	const event = (name: string, fields: object) =>
		server.apply('events', {
			metadata: {name, namespace: 'default'},
			type: 'Warning',
			source: {component: 'kubelet', host: 'n1'},
			lastTimestamp: '2026-01-01T00:00:00Z',
			...fields,
		});
	event('a', {reason: 'EvictionThresholdMet', involvedObject: {kind: 'Node', name: 'n1'}, message: 'm'});
	event('b', {reason: 'InvalidDiskCapacity', involvedObject: {kind: 'Node', name: 'n1'}});
	event('c', {reason: 'Evicted', involvedObject: {kind: 'Pod', namespace: 'shop', name: 'cart'}});
	event('d', {reason: 'Evicted', involvedObject: {kind: 'Pod', name: 'x'}, source: {component: 'other'}});
	event('e', {
		...{reason: 'Evicted', involvedObject: {kind: 'Pod', namespace: 'shop', name: 'refused'}},
		message: 'The node had condition: [DiskPressure]. ',
	});
	const {reports} = await watch(35, () => []);
	expect(reports.map(({node, reason, pod}) => [node, reason, pod])).toEqual([
		['n1', 'EvictionThresholdMet', undefined],
		['n1', 'Evicted', 'shop/cart'],
	]);
	expect(server.asked.filter(({resource}) => resource === 'events')).toHaveLength(4);
	expect(askedOf('stats/summary')).toEqual([]);
});

test('that events may not be read is a problem, and no more, and they are asked for again after a minute', async () => {
	serveKubelets();
	server.forbid('events');
	const {told, looks} = await watch(65, () => ['n1']);
	expect(told[0]?.map(({reason}) => reason)).toEqual(['KubeletEventsForbidden']);
	expect(looks).toHaveLength(7);
	expect(server.asked.filter(({resource}) => resource === 'events')).toHaveLength(4);
});

test('a kubelet that does not answer keeps nobody waiting, once it is known that kubelets may be asked', async () => {
	let isSilent = false;
	const released = Promise.withResolvers<void>();
	serveKubelets();
	server.intercept(({url}, response) => {
		if (!isSilent || !url.pathname.includes('/n1/proxy/')) return false;
		released.promise.then(() => answerStatus(response, 503, 'error trying to reach service'));
		return true;
	});
	const order: string[] = [];
	const {looks} = await watch(
		12,
		(round) => {
			if (round >= 5) isSilent = true;
			return ['n1', 'n2'];
		},
		(look) => {
			order.push(look.node);
			// The silent one answers only after the other was processed.
			if (isSilent && look.node === 'n2') released.resolve();
		},
	);
	expect(looks).toHaveLength(4);
	expect(order.slice(2)).toEqual(['n2', 'n1']);
});
