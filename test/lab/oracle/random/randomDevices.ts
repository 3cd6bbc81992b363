import type {DeviceScenario, DeviceScenarioStep, RawObject} from '../../../conformance/device/vector.ts';
import {Draw, timeAt} from './draw.ts';

const driver = 'gpu.example.com';
const pools = ['node-a', 'node-b'] as const;
const devicesOfPool = 2;

/** Draws drivers that taint devices, and claims that tolerate some of the taints. */
export function randomDevices(seed: number): DeviceScenario {
	const draw = new Draw(seed);
	const until = 100 + draw.index(60);
	const isThrottled = draw.oneIn(6);
	const claims = Array.from({length: 2 + draw.index(5)}, (_, index) => claimOf(`c${index}`, draw, until));
	const pods = Array.from({length: 4 + draw.index(5)}, (_, index) => podOf(`p${index}`, claims, draw));
	const slices = pools.map((pool) => sliceOf(pool, 0, draw, until));
	const objects = [...slices, ...claims.map(({raw}) => raw), ...pods.map(({raw}) => raw)];
	if (draw.oneIn(3)) objects.push(ruleOf('r0', 0, draw));
	const late = draw.oneIn(4) ? [objects.splice(draw.index(objects.length), 1)[0]] : [];
	const steps: DeviceScenarioStep[] = late.flatMap((raw) =>
		raw ? [{at: 5 + draw.index(40) + 0.37, apply: raw}] : [],
	);
	for (let index = 1 + draw.index(8); index >= 0; index -= 1) {
		// Separate from the seconds at which taints evict.
		const at = 3 + draw.index(until - 10) + 0.1 + index / 20;
		const step = stepOf(at, objects, draw, until);
		// A process that ends waits for its queued calls, so nothing may happen at the drawn second.
		if (!isThrottled || !('restart' in step)) steps.push({at, ...step});
	}
	return {
		name: `devices-drawn-${seed}`,
		kubeApiQps: 20,
		kubeApiBurst: isThrottled ? 2 : 30,
		deadNodes: draw.oneIn(5) ? ['node-a'] : [],
		objects,
		steps: steps.toSorted((a, b) => a.at - b.at),
		until,
	};
}

type Step = {readonly apply: RawObject} | {readonly delete: RawObject} | {readonly restart: true};

function stepOf(at: number, objects: readonly RawObject[], draw: Draw, until: number): Step {
	const [first] = objects;
	const of = objects[draw.index(objects.length)] ?? first;
	switch (draw.index(9)) {
		case 0:
			return {restart: true};
		case 1:
			return of ? {delete: of} : {restart: true};
		case 2:
			return {apply: ruleOf(`r${draw.index(2)}`, at, draw)};
		case 3: {
			const claim = objects.find(({kind}) => kind === 'ResourceClaim');
			return claim
				? {apply: {...claim, status: {...Object(claim['status']), reservedFor: []}}}
				: {restart: true};
		}
		default:
			return {apply: sliceOf(draw.of(pools), at, draw, until)};
	}
}

function sliceOf(pool: string, at: number, draw: Draw, until: number): RawObject {
	// If two slices of one generation have the same device, the order of a Go map would decide which one counts.
	const [name, generation] = draw.oneIn(8) ? ['next', 3] : ['gpu', draw.oneIn(5) ? 2 : 1];
	return {
		kind: 'ResourceSlice',
		metadata: {name: `${pool}-${name}`},
		spec: {
			driver,
			nodeName: pool,
			pool: {name: pool, generation, resourceSliceCount: 1},
			devices: Array.from({length: devicesOfPool}, (_, index) => ({
				name: `gpu${index}`,
				taints: Array.from({length: Math.max(0, draw.index(4) - 1)}, (_unused, nth) =>
					taintOf(`t${nth}`, at, draw, until),
				),
			})),
		},
	};
}

const taintOf = (name: string, at: number, draw: Draw, until: number) => ({
	key: `example.com/${name}`,
	value: draw.of(['', 'bad']),
	effect: draw.of(['NoExecute', 'NoExecute', 'NoExecute', 'NoSchedule', 'None']),
	timeAdded: timeAt(draw.oneIn(6) ? at + draw.index(until - at) : at - draw.index(30)),
});

const ruleOf = (name: string, at: number, draw: Draw): RawObject => ({
	kind: 'DeviceTaintRule',
	metadata: {name, uid: `${name}-${Math.floor(at)}`},
	spec: {
		...(draw.oneIn(8)
			? {}
			: {
					deviceSelector: {
						...(draw.oneIn(2) && {driver}),
						...(draw.oneIn(2) && {pool: draw.of(pools)}),
						...(draw.oneIn(2) && {device: `gpu${draw.index(devicesOfPool)}`}),
					},
				}),
		taint: taintOf('rule', at, draw, at + 30),
	},
});

type DrawnClaim = {
	readonly name: string;
	readonly raw: RawObject;
	readonly owner: string;
	readonly users: readonly string[];
};

function claimOf(name: string, draw: Draw, until: number): DrawnClaim {
	const users = Array.from({length: 1 + draw.index(3)}, () => `p${draw.index(5)}`);
	const owner = draw.oneIn(2) ? (users[0] ?? 'p0') : '';
	const reservedFor = [...new Set(users)].map((user) => ({
		resource: 'pods',
		name: user,
		uid: draw.oneIn(10) ? `${user}-old` : `${user}-uid`,
	}));
	const results = Array.from({length: 1 + draw.index(2)}, () => ({
		...{request: 'r', driver, pool: draw.of(pools), device: `gpu${draw.index(devicesOfPool)}`},
		tolerations: Array.from({length: draw.index(3)}, () => tolerationOf(draw, until)),
	}));
	const raw: RawObject = {
		kind: 'ResourceClaim',
		metadata: {
			...{namespace: 'default', name, uid: `${name}-uid`},
			...(owner !== '' && {
				ownerReferences: [
					{apiVersion: 'v1', kind: 'Pod', name: owner, uid: `${owner}-uid`, controller: true},
				],
			}),
		},
		spec: {},
		status: {...(!draw.oneIn(8) && {allocation: {devices: {results}}}), reservedFor},
	};
	return {name, raw, owner, users};
}

function tolerationOf(draw: Draw, until: number) {
	const seconds = draw.of([undefined, -5, 0, 9_223_372_037, 1, 1, 1, 1, 1, 1, 1, 1, 1]);
	return {
		...(draw.oneIn(2) ? {} : {key: `example.com/${draw.of(['t0', 't1', 'rule'])}`}),
		operator: draw.of(['Exists', 'Exists', 'Equal', '']),
		...(draw.oneIn(3) && {value: 'bad'}),
		...(draw.oneIn(6) ? {} : {effect: draw.of(['NoExecute', 'NoExecute', 'NoExecute', 'NoSchedule'])}),
		...(seconds !== undefined && {tolerationSeconds: seconds === 1 ? draw.index(until) : seconds}),
	};
}

function podOf(name: string, claims: readonly DrawnClaim[], draw: Draw): {readonly raw: RawObject} {
	const used = claims.filter(({users}) => users.includes(name) || draw.oneIn(8));
	return {
		raw: {
			kind: 'Pod',
			metadata: {namespace: 'default', name, uid: `${name}-uid`},
			spec: {
				...(draw.oneIn(12) ? {} : {nodeName: draw.of(pools)}),
				resourceClaims: used.map((claim, index) =>
					claim.owner === ''
						? {name: `r${index}`, resourceClaimName: claim.name}
						: {name: `r${index}`, resourceClaimTemplateName: 'template'},
				),
			},
			status: {
				phase: draw.of(['Running', 'Running', 'Running', 'Succeeded']),
				resourceClaimStatuses: used.flatMap((claim, index) =>
					claim.owner === '' ? [] : [{name: `r${index}`, resourceClaimName: claim.name}],
				),
			},
		},
	};
}
