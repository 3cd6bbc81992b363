import type {EvictionConfig} from '../../src/core/nodepressure/thresholds/evictionSettings.ts';
import {type Duration, type Instant, second} from '../../src/core/time/instant.ts';
import {Random} from '../../src/core/time/random.ts';
import {type Leak, LeakyNode, type Measuring} from './leakyNode.ts';
import type {DrawnWorld} from './playedWorld.ts';

/** What happens to a drawn kubelet besides its pods' growth. */
export const courses = [
	'leaks that cross',
	'writers that stop',
	'pods that end by themselves',
	'soft thresholds and lingering pods',
	'a minimum reclaim',
	'inodes of one or two',
	'storage limits of all kinds',
	'a restart with other thresholds',
	'memory and disk at once',
	'images on a disk of their own',
	'statistics that are measured seldom',
	'garbage that is collected',
	'a kubelet that takes its time',
	'pods that are never evicted',
	'seldom looks',
	'several soft thresholds at once',
] as const;

type Course = (typeof courses)[number];

type Draw = {
	readonly between: (low: number, high: number) => number;
	readonly some: <T>(...of: readonly [T, ...T[]]) => T;
};

/** Draws a kubelet of one kind and the pods on its node. */
export function drawKubelet(course: Course, seed: number): DrawnWorld {
	const random = new Random(seed);
	const draw: Draw = {
		between: (low, high) => low + random.next() * (high - low),
		some: (...of) => of[Math.floor(random.next() * of.length)] ?? of[0],
	};
	const {between, some} = draw;
	const leaks = worlds[course](draw);
	const own = measurings[course]?.(draw) ?? {};
	return {
		leaks,
		config: configs[course](leaks, draw, own),
		measuring: {
			...{noise: some(0, 2, 8), seed, ending: some(1, 2, 3) * second},
			...(random.next() < 0.7 && {volumesEvery: some(60, 75, 110) * second}),
			...own,
		},
		...{passAt: Math.floor(between(0, 10_000)), lookAt: Math.floor(between(0, 10_000))},
		changedAt: 0,
		changes: leaks.flatMap(({growsFrom, growsUntil, endsAt}) =>
			[growsFrom, growsUntil, endsAt].filter((at) => at !== undefined),
		),
		...more[course]?.(draw),
		...(course === 'a restart with other thresholds' && {restart: restartOf(leaks, draw)}),
	};
}

function restartOf(leaks: readonly Leak[], {between}: Draw): NonNullable<DrawnWorld['restart']> {
	const at = Math.round(between(60, 200)) * second;
	return {
		at,
		config: {...common, evictionHard: {'memory.available': memoryAt(leaks, at + between(60, 200) * second)}},
		passAt: at + Math.floor(between(2000, 12_000)),
	};
}

const common: EvictionConfig = {enforceNodeAllocatable: [], evictionPressureTransitionPeriod: '30s'};

/** A pod of any kind that does not grow. */
const bystander = ({between, some}: Draw, name: string): Leak => ({
	...{name, start: Math.round(between(50, 600)), growth: 0},
	...{request: some(0, 100, 400, 1000), priority: some(0, 0, 100)},
});

const bystanders = (draw: Draw, count: number): readonly Leak[] =>
	Array.from({length: count}, (_, index) => bystander(draw, `calm${index}`));

const some2 = ({some}: Draw) => some(1, 1, 2, 3);

const rate = ({between}: Draw) => 0.5 * 40 ** between(0, 1);

const takers = (draw: Draw, of: (name: string) => Partial<Leak>): readonly Leak[] =>
	Array.from({length: some2(draw)}, (_, index) => {
		const name = `taker${index}`;
		return {...bystander(draw, name), ...of(name)};
	});

const worlds: Readonly<Record<Course, (draw: Draw) => readonly Leak[]>> = {
	// The slower one starts with more.
	'leaks that cross': (draw) => {
		const [one, other] = [rate(draw), rate(draw)];
		const [slow, fast] = [Math.min(one, other), Math.max(one, other)];
		const ahead = (fast - slow) * draw.between(20, 250);
		const [priority, request] = [draw.some(0, 100), draw.some(0, 100)];
		return [
			{name: 'slow', start: Math.round(50 + ahead), growth: slow, request, priority},
			{name: 'fast', start: 50, growth: fast, request, priority},
			...bystanders(draw, draw.some(1, 2, 3)),
		];
	},
	'writers that stop': (draw) => [
		...takers(draw, () => ({
			disk: {start: draw.between(0, 1000), growth: draw.between(2, 40)},
			inodes: {start: draw.between(0, 1000), growth: draw.between(2, 40)},
			growsUntil: Math.round(draw.between(60, 380)) * second,
		})),
		...bystanders(draw, 2).map((one) => ({...one, disk: {start: draw.between(0, 1000), growth: 0}})),
	],
	'pods that end by themselves': (draw) => [
		...takers(draw, () => ({growth: rate(draw)})),
		...bystanders(draw, 3).map((one, index) =>
			index < 2 ? {...one, endsAt: Math.round(draw.between(60, 380)) * second} : one,
		),
	],
	'soft thresholds and lingering pods': (draw) =>
		[...takers(draw, () => ({growth: rate(draw)})), ...bystanders(draw, 2)].map((one) => ({
			...one,
			lingers: draw.some(0, 5, 60) * second,
			grace: draw.some(5, 30, 120),
		})),
	'a minimum reclaim': (draw) => [
		...takers(draw, () => ({growth: rate(draw)})),
		...bystanders(draw, draw.some(3, 4, 5)),
	],
	'inodes of one or two': (draw) => [
		...takers(draw, () => ({
			inodes: {start: draw.between(0, 20_000), growth: draw.between(5, 300)},
			disk: {start: 1, growth: 0},
		})),
		...bystanders(draw, 2).map((one) => ({
			...one,
			inodes: {start: draw.between(0, 30_000), growth: 0},
			disk: {start: 1, growth: 0},
		})),
	],
	'storage limits of all kinds': (draw) => [
		...takers(draw, () => {
			const kind = draw.some('volume', 'layer', 'both');
			const limit = Math.round(draw.between(60, 900));
			return {
				...(kind !== 'layer' && {
					disk: {start: draw.between(0, 40), growth: draw.between(0.3, 6), ...(kind === 'volume' && {limit})},
				}),
				...(kind !== 'volume' && {layer: {start: draw.between(0, 20), growth: draw.between(0.3, 6), limit}}),
			};
		}),
		...bystanders(draw, 2).map((one) => ({...one, disk: {start: 50, growth: 0, limit: 100}})),
	],
	'a restart with other thresholds': (draw) => [
		...takers(draw, () => ({growth: rate(draw)})),
		...bystanders(draw, 3),
	],
	'memory and disk at once': (draw) => [
		...takers(draw, () => ({
			growth: rate(draw),
			disk: {start: draw.between(0, 1000), growth: draw.between(0, 40)},
		})),
		...bystanders(draw, 3).map((one) => ({...one, disk: {start: draw.between(0, 1000), growth: 0}})),
	],
	'images on a disk of their own': (draw) => writers(draw),
	'statistics that are measured seldom': (draw) => writers(draw),
	'garbage that is collected': (draw) => writers(draw),
	'a kubelet that takes its time': (draw) =>
		[...takers(draw, () => ({growth: rate(draw)})), ...bystanders(draw, 4)].map((one) => ({
			...one,
			...(draw.between(0, 1) < 0.3 && {lingers: draw.some(1, 20) * second}),
		})),
	'pods that are never evicted': (draw) =>
		[...takers(draw, () => ({growth: rate(draw)})), ...bystanders(draw, 4)].map((one) => ({
			...one,
			...draw.some<Partial<Leak>>(
				{},
				{},
				{},
				{priority: 2_000_000_000},
				{configSource: 'file'},
				{isUnmeasured: true},
			),
		})),
	'seldom looks': (draw) => [...takers(draw, () => ({growth: rate(draw)})), ...bystanders(draw, 3)],
	'several soft thresholds at once': (draw) =>
		[
			...takers(draw, () => ({
				growth: draw.some(0, rate(draw)),
				disk: {start: draw.between(0, 1000), growth: draw.some(0, draw.between(0, 40))},
				processes: {start: draw.between(0, 100), growth: draw.some(0, draw.between(1, 20))},
			})),
			...bystanders(draw, 3).map((one) => ({
				...one,
				disk: {start: draw.between(0, 3000), growth: 0},
				processes: {start: draw.between(0, 300), growth: 0},
			})),
		].map((one) => ({...one, lingers: draw.some(0, 5, 60) * second, grace: draw.some(5, 30, 120)})),
};

/** Pods that write to layers and volumes; one or two also take memory. */
const writers = (draw: Draw): readonly Leak[] => [
	...takers(draw, () => ({
		growth: draw.some(0, 0, rate(draw)),
		disk: {start: draw.between(0, 1000), growth: draw.some(0, draw.between(1, 40))},
		layer: {start: draw.between(0, 1000), growth: draw.some(0, draw.between(1, 40))},
	})),
	...bystanders(draw, 3).map((one) => ({
		...one,
		disk: {start: draw.between(0, 1000), growth: 0},
		layer: {start: draw.between(0, 1000), growth: 0},
	})),
];

/** Measuring settings that a course changes. */
const measurings: Readonly<Partial<Record<Course, (draw: Draw) => Measuring>>> = {
	'images on a disk of their own': ({some}) => ({
		...{images: some('withLayers', 'alone'), isRandom: true},
		...some<Measuring>({}, {imagesEvery: 10_100}, {garbage: 500}),
	}),
	// A pass of a real kubelet measures memory and its own disk anew, unless something prevents it.
	'statistics that are measured seldom': ({between, some}) => ({
		...some<Measuring>({}, {images: 'withLayers'}),
		disksEvery: Math.round(between(35, 90)) * second,
		memoryEvery: some(1, 1, Math.round(between(35_000, 90_000))),
	}),
	'garbage that is collected': ({between, some}) => ({
		...some<Measuring>({}, {images: 'withLayers'}),
		garbage: Math.round(between(50, 3000)),
	}),
	'a kubelet that takes its time': ({some}) => ({cleanup: some(0, 4, 25) * second, isRandom: true, noise: 0}),
	'pods that are never evicted': ({between, some}) => ({
		isRandom: true,
		...some<Measuring>({}, {allocatable: Math.round(between(6000, 7500))}),
	}),
	'several soft thresholds at once': ({some}) => ({isRandom: true, cleanup: some(0, 5) * second}),
};

/** Other settings that a course changes. */
const more: Readonly<Partial<Record<Course, (draw: Draw) => Partial<DrawnWorld>>>> = {
	'a kubelet that takes its time': ({some}) => ({hasEvents: some(true, false)}),
	'pods that are never evicted': ({some}) => ({hasEvents: some(true, false)}),
	'seldom looks': ({between, some}) => ({
		lookEvery: Math.round(between(15, 70)) * second,
		hasEvents: some(true, false),
	}),
	'several soft thresholds at once': ({some}) => ({hasEvents: some(true, false)}),
};

/** The statistics at an instant if no pod is evicted. A threshold at this value is crossed then. */
const statsAt = (leaks: readonly Leak[], at: Instant) => new LeakyNode(leaks).summary(at).node;

const memoryAt = (leaks: readonly Leak[], at: Instant): string =>
	`${(statsAt(leaks, at).memory?.availableBytes ?? 0n) / 2n ** 20n}Mi`;

const crossedAt = ({between}: Draw): Duration => Math.round(between(80, 380)) * second;

const ofMemory = (leaks: readonly Leak[], draw: Draw): EvictionConfig => ({
	...common,
	evictionHard: {'memory.available': memoryAt(leaks, crossedAt(draw))},
});

const inodesAt = (leaks: readonly Leak[], at: Instant): string => `${statsAt(leaks, at).fs?.inodesFree}`;
const diskAt = (leaks: readonly Leak[], at: Instant): string =>
	`${(statsAt(leaks, at).fs?.availableBytes ?? 0n) / 2n ** 20n}Mi`;

/** Thresholds of the disks that fill up. */
const ofDisks = (leaks: readonly Leak[], draw: Draw, {images}: Measuring): EvictionConfig => {
	const {fs, imageFs} = new LeakyNode(leaks, images ? {images} : {}).summary(crossedAt(draw)).node;
	const [ofNode, ofImages] = [fs, imageFs].map((one) => `${(one?.availableBytes ?? 0n) / 2n ** 20n}Mi`);
	return {...common, evictionHard: {'nodefs.available': `${ofNode}`, 'imagefs.available': `${ofImages}`}};
};

const configs: Readonly<
	Record<Course, (leaks: readonly Leak[], draw: Draw, own: Measuring) => EvictionConfig>
> = {
	'leaks that cross': ofMemory,
	'writers that stop': (leaks, draw) => ({
		...common,
		evictionHard: draw.some<Record<string, string>>(
			{'nodefs.available': diskAt(leaks, crossedAt(draw))},
			{'nodefs.inodesFree': inodesAt(leaks, crossedAt(draw))},
		),
	}),
	'pods that end by themselves': ofMemory,
	'soft thresholds and lingering pods': (leaks, draw) => {
		const softAt = crossedAt(draw) / 2;
		return {
			...common,
			evictionHard: {'memory.available': memoryAt(leaks, softAt + draw.between(30, 200) * second)},
			evictionSoft: {'memory.available': memoryAt(leaks, softAt)},
			evictionSoftGracePeriod: {'memory.available': draw.some('15s', '30s', '1m30s')},
			evictionMaxPodGracePeriod: draw.some(0, 5, 10, 30),
		};
	},
	'a minimum reclaim': (leaks, draw) => ({
		...ofMemory(leaks, draw),
		evictionMinimumReclaim: {'memory.available': `${Math.round(draw.between(50, 1500))}Mi`},
	}),
	'inodes of one or two': (leaks, draw) => ({
		...common,
		evictionHard: {'nodefs.inodesFree': inodesAt(leaks, crossedAt(draw))},
	}),
	'storage limits of all kinds': () => ({...common, evictionHard: {'memory.available': '100Mi'}}),
	'a restart with other thresholds': ofMemory,
	'memory and disk at once': (leaks, draw) => ({
		...common,
		evictionHard: {
			'memory.available': memoryAt(leaks, crossedAt(draw)),
			'nodefs.available': diskAt(leaks, crossedAt(draw)),
		},
	}),
	'images on a disk of their own': ofDisks,
	'statistics that are measured seldom': ofDisks,
	'garbage that is collected': ofDisks,
	'a kubelet that takes its time': (leaks, draw) => ({
		...ofMemory(leaks, draw),
		...draw.some<EvictionConfig>({}, {evictionMinimumReclaim: {'memory.available': '400Mi'}}),
	}),
	'pods that are never evicted': (leaks, draw) => ({
		...ofMemory(leaks, draw),
		...draw.some<EvictionConfig>({}, {enforceNodeAllocatable: ['pods']}),
	}),
	'seldom looks': (leaks, draw) =>
		draw.some(ofMemory, configs['soft thresholds and lingering pods'], configs['a minimum reclaim'])(
			leaks,
			draw,
			{},
		),
	'several soft thresholds at once': (leaks, draw) => {
		const {some, between} = draw;
		const softAt = () => crossedAt(draw) / 2;
		const [memory, disk, processes] = [softAt(), softAt(), softAt()];
		const pidsAt = (at: Instant) => {
			const {maxpid = 0n, curproc = 0n} = statsAt(leaks, at).rlimit ?? {};
			return `${maxpid - curproc}`;
		};
		return {
			...common,
			evictionHard: {'memory.available': memoryAt(leaks, memory + between(30, 200) * second)},
			evictionSoft: {
				'memory.available': memoryAt(leaks, memory),
				'nodefs.available': diskAt(leaks, disk),
				'pid.available': pidsAt(processes),
			},
			evictionSoftGracePeriod: {
				'memory.available': some('15s', '1m30s'),
				'nodefs.available': some('15s', '30s', '1m'),
				'pid.available': some('5s', '40s'),
			},
			evictionMaxPodGracePeriod: some(0, 10, 30),
			...some<EvictionConfig>(
				{},
				{evictionMinimumReclaim: {'memory.available': '300Mi', 'nodefs.available': '1Gi'}},
			),
		};
	},
};
