import type {FaultScenario} from './faultScenario.ts';
import type {Asked} from './meddler.ts';
import {firstOf, refusal} from './meddler.ts';
import type {Stage} from './stage.ts';

const isAny = ({resource}: Asked) => resource !== '';
const isWatch = (asked: Asked) => asked.isWatch;
const isList = (asked: Asked) => isAny(asked) && !asked.isWatch;

/** The number of refusals in a row: several for each collection. */
const storm = 12;
/** More requests than this for a number of refusals would be a request storm. */
const requestsFor = (refusals: number) => 6 * refusals + 40;

/** Resets the connections while answers are bad, until enough bad answers were sent. */
async function interrupt(stage: Stage, matches: (asked: Asked) => boolean): Promise<void> {
	const before = stage.proxy.asked.filter(matches).length;
	stage.gate.cut();
	await stage.server.change();
	await stage.until(() => stage.proxy.asked.filter(matches).length >= before + storm);
}

/** Checks that the client waited after each refusal. */
const isModest = ({requests, waits}: Stage): readonly string[] => {
	const breaks = waits.filter((wait) => wait > 0).length;
	return [
		...(requests > requestsFor(storm) ? [`${requests} requests were made`] : []),
		...(breaks < storm ? [`after ${storm} refusals it waited ${breaks} times`] : []),
	];
};

/** Makes the server's pages so small that even a small cluster has several. */
const smallPages = {matches: isList, url: (url: URL) => url.searchParams.set('limit', '3')};
const isLaterPage = (asked: Asked) => isList(asked) && asked.url.searchParams.has('continue');

const expiredEvent = JSON.stringify({
	type: 'ERROR',
	object: {kind: 'Status', status: 'Failure', reason: 'Expired', message: 'too old', code: 410},
});

const cutInMidPage = (isCut: boolean): FaultScenario => ({
	name: isCut
		? 'the connection breaks in mid page'
		: 'a page ends in the middle of its JSON, as if that were all',
	isEarly: true,
	before: async ({proxy}) => {
		proxy.meddle(smallPages);
		proxy.meddle({matches: firstOf(storm, isLaterPage), truncate: {bytes: 700, isCut}});
		return undefined;
	},
	inflict: async (stage) => {
		await stage.follower.until(() => stage.follower.calls.length > 0);
		await stage.server.change();
	},
});

/** Faults of the server's answers. */
export const answerFaults: readonly FaultScenario[] = [
	{
		name: 'a storm of 410: no version is known any more',
		inflict: async (stage) => {
			stage.proxy.meddle({matches: firstOf(storm, isWatch), answer: () => refusal(410, 'Expired')});
			await interrupt(stage, isWatch);
		},
		check: isModest,
	},
	{
		name: 'a storm of 410 inside of watches that were opened',
		inflict: async (stage) => {
			const answer = () => ({status: 200, body: `${expiredEvent}\n`});
			stage.proxy.meddle({matches: firstOf(storm, isWatch), answer});
			await interrupt(stage, isWatch);
		},
		check: isModest,
	},
	{
		name: '410 in the middle of the pages of a list',
		isEarly: true,
		before: async ({proxy}) => {
			proxy.meddle(smallPages);
			proxy.meddle({matches: firstOf(5, isLaterPage), answer: () => refusal(410, 'Expired')});
			return undefined;
		},
		inflict: async (stage) => {
			await stage.follower.until(() => stage.follower.calls.length > 0);
			await stage.server.change();
		},
	},
	{
		name: '429 with Retry-After',
		inflict: async (stage) => {
			const answer = () => refusal(429, 'TooManyRequests', {'retry-after': '2'});
			stage.proxy.meddle({matches: firstOf(storm, isAny), answer});
			await interrupt(stage, isAny);
		},
		check: (stage) => {
			const obeyed = stage.waits.filter((wait) => wait >= 2000).length;
			return [
				...isModest(stage),
				...(obeyed >= storm ? [] : [`waited as asked ${obeyed} times of ${storm}`]),
			];
		},
	},
	{
		name: 'answers of 500 and 503',
		inflict: async (stage) => {
			const answer = ({at}: Asked) => refusal(at % 2 === 0 ? 500 : 503, 'InternalError');
			stage.proxy.meddle({matches: firstOf(storm, isAny), answer});
			await interrupt(stage, isAny);
		},
		check: isModest,
	},
	cutInMidPage(true),
	cutInMidPage(false),
	{
		name: 'a pod of 1 MB, watched and listed',
		inflict: async ({proxy, gate, server}) => {
			await server.addPod('big', 1_000_000);
			await server.change();
			proxy.meddle({matches: firstOf(4, isWatch), answer: () => refusal(410, 'Expired')});
			gate.cut();
			await server.addPod('big-too', 1_000_000);
		},
	},
	{
		name: 'objects and lines that make no sense',
		inflict: async (stage) => {
			const junk = [null, 7, 'x', [], {}, {metadata: null}, {metadata: {name: {}}}, {spec: {}, status: 7}];
			const lines = [
				'',
				'no json',
				'{"type":"PARTY","object":{}}',
				'{"type":"ADDED"}',
				'{"type":"MODIFIED","object":[]}',
			];
			const heal = [
				stage.proxy.meddle({
					matches: isList,
					list: (list) => ({...list, items: [...junk, ...(list.items ?? []), ...junk]}),
				}),
				stage.proxy.meddle({matches: isWatch, event: (line) => [...lines, line]}),
			];
			stage.proxy.meddle({matches: firstOf(4, isWatch), answer: () => refusal(410, 'Expired')});
			stage.gate.cut();
			await stage.untilProblem('ObjectsUnreadable');
			await stage.server.change();
			await stage.untilProblem('ObjectsUnreadable');
			for (const end of heal) end();
		},
	},
	{
		name: 'lists that are slow, while the cluster changes',
		isEarly: true,
		before: async (stage) => {
			const {promise, resolve} = Promise.withResolvers<void>();
			stage.proxy.meddle({matches: isList, until: promise});
			stage.release = resolve;
			return undefined;
		},
		inflict: async (stage) => {
			await stage.until(() => stage.proxy.asked.filter(isList).length >= 4);
			await stage.server.change();
			stage.release();
			await stage.follower.until(() => stage.follower.calls.length > 0);
			await stage.server.change();
		},
	},
];
