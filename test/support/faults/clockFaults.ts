import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {settingsFor} from '../../../src/core/model/versionProfile.ts';
import {type Duration, minute, second} from '../../../src/core/time/instant.ts';
import {Forecaster} from '../../../src/forecast/forecaster.ts';
import {feed} from '../feed.ts';
import type {FaultScenario} from './faultScenario.ts';
import {type Asked, refusal} from './meddler.ts';
import type {Stage} from './stage.ts';

/** Date headers have whole seconds. */
const precision = 1.6 * second;
/** In a running cluster, something changes more often. */
const longestPause = 10 * second;

const hasServersTime = ({cluster, server, arrivals, follower}: Stage): readonly string[] => {
	const off = cluster.now() - server.now();
	const last = server.now() - (arrivals.at(-1) ?? 0);
	const isReported = follower.problems.some(({reason}) => reason === 'ClockSkew');
	return [
		...(Math.abs(off) > precision ? [`the client's time is off by ${off} ms`] : []),
		...(last > longestPause || last < -precision ? [`the last change came ${last} ms ago`] : []),
		...(isReported ? [] : ['that a clock is wrong is not told']),
	];
};

const skewed = (error: Duration, name: string): FaultScenario => ({
	name,
	before: async (stage) => {
		stage.clockError = error;
		return undefined;
	},
	inflict: async ({gate, server}) => {
		await server.change();
		gate.cut();
	},
	check: hasServersTime,
});

const isLeases = ({resource}: Asked) => resource === 'leases';

type RawLease = {metadata?: {name?: string; namespace?: string}; spec?: {renewTime?: string}};

/** A lease whose renewal is by a wrong clock: the clocks of even nodes are ahead, the others behind. */
function withWrongClock(lease: RawLease): RawLease {
	const {name = '', namespace} = lease.metadata ?? {};
	const renewTime = lease.spec?.renewTime;
	if (namespace !== 'kube-node-lease' || renewTime === undefined) return lease;
	const error = Number(/\d$/.exec(name)?.[0] ?? 0) % 2 === 0 ? 5 * minute : -5 * minute;
	const moved = new Date(Date.parse(renewTime) + error).toISOString().replace('Z', '000Z');
	return {...lease, spec: {...lease.spec, renewTime: moved}};
}

function withWrongClocks(line: string): readonly string[] {
	const event = JSON.parse(line) as {type: string; object: RawLease};
	return [JSON.stringify({...event, object: withWrongClock(event.object)})];
}

/** The nodes that look unreachable to a client that received everything the follower received. */
function silentNodes({follower, arrivals, cluster}: Stage): readonly string[] {
	const forecaster = new Forecaster(settingsFor('v1.36.3'));
	for (const [index, observations] of follower.calls.entries()) {
		feed(forecaster, observations, arrivals[index] ?? 0);
	}
	const {nodes} = forecaster.forecast(cluster.now());
	return nodes.filter(({verdict}) => verdict !== 'Healthy').map(({name, verdict}) => `${name} is ${verdict}`);
}

/** Faults of clocks, and of credentials that depend on them. */
export const clockFaults: readonly FaultScenario[] = [
	skewed(5 * minute, "the client's clock is five minutes ahead of the server's"),
	skewed(-5 * minute, "the client's clock is five minutes behind the server's"),
	{
		name: "kubelets' clocks are five minutes wrong, both ways",
		before: async ({proxy}) => {
			proxy.meddle({
				matches: isLeases,
				list: (list) => ({
					...list,
					items: (list.items ?? []).map((item) => withWrongClock(item as RawLease)),
				}),
				event: withWrongClocks,
			});
			return undefined;
		},
		inflict: ({server}) => server.change(),
		check: silentNodes,
	},
	{
		// The clock for waits stops meanwhile, and the server has dropped the connections.
		name: 'the machine sleeps for twenty minutes',
		isMute: true,
		inflict: async (stage) => {
			stage.gate.freeze();
			stage.clockError -= 20 * minute;
			await stage.server.change();
		},
		check: hasServersTime,
	},
	{
		name: 'a token expires, and is renewed a while later',
		isTls: true,
		before: async ({gate}, folder) => {
			const file = join(folder, 'token');
			writeFileSync(file, 'first-token');
			const kubeconfig = join(folder, 'config');
			writeFileSync(
				kubeconfig,
				JSON.stringify({
					users: [{name: 'u', user: {tokenFile: file}}],
					contexts: [{name: 'c', context: {user: 'u'}}],
				}),
			);
			const server = `https://127.0.0.1:${gate.port}`;
			return {kubeconfig, context: 'c', server, insecureSkipTlsVerify: true};
		},
		inflict: async (stage, folder) => {
			const isOld = ({headers}: Asked) => hasOther(headers.authorization, 'second-token');
			stage.proxy.meddle({matches: isOld, answer: unauthorized});
			stage.gate.cut();
			await stage.untilProblem('Unauthorized');
			writeFileSync(join(folder, 'token'), 'second-token');
			await stage.server.change();
		},
		check: ({proxy}) =>
			proxy.asked.some(({headers}) => headers.authorization === 'Bearer second-token')
				? []
				: ['nobody used the new token'],
	},
];

/** Whether another token is sent; requests without a token are not tested. */
const hasOther = (sent: string | undefined, token: string) =>
	sent !== undefined && sent !== `Bearer ${token}`;
const unauthorized = () => refusal(401, 'Unauthorized');
