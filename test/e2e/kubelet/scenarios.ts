import {totalmem} from 'node:os';
import type {KubeletSettings, Summary} from './node.ts';
import type {Load} from './pods.ts';

/** A scenario on the real node. */
export type Scenario = {
	readonly name: string;
	/** The kubelet's settings, derived from its earlier measurements. */
	readonly settings: (summary: Summary) => KubeletSettings;
	readonly pods: readonly Load[];
	/** A static pod. */
	readonly staticPod?: Load;
	/** The number of evictions after which it ends; one by default. */
	readonly evictions?: number;
	/** How long it goes on after the last eviction, in seconds. */
	readonly after?: number;
	/** The time limit for all evictions, in seconds. */
	readonly patience: number;
	/** Whether one pod grows steadily for so long that its eviction can be predicted a minute ahead. */
	readonly isSteady?: true;
	/** Whether images have their own disk. */
	readonly hasImageDisk?: true;
	/** Whether all pods run before the plugin starts: then predictions do not depend on starting pods. */
	readonly isCalmStart?: true;
};

const mebibyte = 2 ** 20;
const mebibytes = (bytes: number) => `${Math.floor(bytes / mebibyte)}Mi`;
const request = (memory: string) => ({requests: {memory}});

/** A threshold this many mebibytes below the available memory. */
const memory = (left: number) => (summary: Summary) => ({
	evictionHard: {'memory.available': mebibytes(summary.node.memory.availableBytes - left * mebibyte)},
});

const softMemory = (left: number, gracePeriod: string, maxPodGracePeriod: number) => (summary: Summary) => ({
	evictionHard: {'memory.available': '100Mi'},
	evictionSoft: memory(left)(summary).evictionHard,
	evictionSoftGracePeriod: {'memory.available': gracePeriod},
	evictionMaxPodGracePeriod: maxPodGracePeriod,
});

const hard = (signal: string, value: (summary: Summary) => string) => (summary: Summary) => ({
	evictionHard: {'memory.available': '100Mi', [signal]: value(summary)},
});

const disk = (left: number) =>
	hard('nodefs.available', ({node}) => mebibytes(node.fs.availableBytes - left * mebibyte));

/** The pods' allocatable memory, in mebibytes; memory of other programs does not count. */
const allocatable = (left: number) => () => ({
	evictionHard: {'memory.available': '200Mi'},
	enforceNodeAllocatable: ['pods'],
	systemReserved: {memory: mebibytes(totalmem() - left * mebibyte)},
});

export const scenarios: readonly Scenario[] = [
	{
		name: 'steady leak',
		settings: allocatable(1500),
		pods: [
			{name: 'leak', load: 'mem=50 leak=8', ...request('50Mi')},
			{name: 'over', load: 'mem=150', ...request('50Mi')},
			{name: 'under', load: 'mem=100', ...request('300Mi')},
		],
		after: 15,
		patience: 300,
		isSteady: true,
		isCalmStart: true,
	},
	{
		name: 'allocatable memory',
		settings: allocatable(1500),
		pods: [
			{name: 'leak', load: 'mem=50 leak=10 after=15', ...request('50Mi')},
			{name: 'over', load: 'mem=150', ...request('50Mi')},
			{name: 'under', load: 'mem=100', ...request('300Mi')},
		],
		patience: 240,
		isSteady: true,
	},
	{
		name: 'disk',
		settings: disk(900),
		pods: [
			{name: 'writer', load: 'file=/data/x size=10 rate=6 after=15'},
			{name: 'layer', load: 'file=/tmp/x size=150'},
			{name: 'important', load: 'file=/data/x size=200', priority: 'high'},
			{name: 'small', load: 'file=/data/x size=20'},
		],
		patience: 300,
		isSteady: true,
	},
	{
		name: 'inodes',
		settings: hard('nodefs.inodesFree', ({node}) => `${node.fs.inodesFree - 3000}`),
		pods: [
			{name: 'writer', load: 'file=/data/x size=1 inodes=30 after=15'},
			{name: 'calm', load: 'file=/data/x size=100'},
		],
		patience: 240,
		isSteady: true,
	},
	{
		name: 'processes',
		settings: hard('pid.available', ({node: {rlimit}}) => `${rlimit.maxpid - rlimit.curproc - 1500}`),
		pods: [
			{name: 'forker', load: 'procs=10 spawn=8 after=15'},
			{name: 'calm', load: 'procs=100'},
			{name: 'important', load: 'procs=200', priority: 'high'},
		],
		patience: 300,
		isSteady: true,
	},
	{
		name: 'memory',
		settings: memory(1200),
		pods: [
			{name: 'leak', load: 'mem=50 leak=5 after=20', ...request('50Mi')},
			{name: 'over', load: 'mem=150', ...request('50Mi')},
			{name: 'under', load: 'mem=100', ...request('300Mi')},
			{name: 'important', load: 'mem=300', priority: 'high', ...request('50Mi')},
			{name: 'exact', load: 'mem=100', ...request('200Mi'), limits: {memory: '200Mi'}},
		],
		patience: 300,
	},
	{
		name: 'memory, soft',
		settings: softMemory(700, '30s', 10),
		pods: [
			{name: 'leak', load: 'mem=50 leak=4 after=15', ...request('50Mi')},
			{name: 'over', load: 'mem=150', ...request('50Mi')},
			{name: 'under', load: 'mem=100', ...request('300Mi')},
		],
		patience: 300,
	},
	{
		name: 'memory, several victims',
		settings: (summary) => ({
			...memory(1100)(summary),
			evictionMinimumReclaim: {'memory.available': '150Mi'},
		}),
		pods: [
			{name: 'guest', load: 'mem=50 leak=8 after=30', priority: 'high', ...request('500Mi')},
			{name: 'a', load: 'mem=150', ...request('50Mi')},
			{name: 'b', load: 'mem=100', ...request('50Mi')},
			{name: 'c', load: 'mem=250', priority: 'middle', ...request('50Mi')},
			{name: 'd', load: 'mem=100', ...request('200Mi')},
			{name: 'e', load: 'mem=80'},
		],
		evictions: 5,
		after: 15,
		patience: 300,
	},
	{
		// A pod that exits with 0 becomes Succeeded when it is evicted, without a reason.
		name: 'memory, clean exits',
		settings: memory(1000),
		pods: [
			{name: 'leak', load: 'mem=50 leak=6 after=20 exit=0', ...request('50Mi')},
			{name: 'second', load: 'mem=100 leak=3 after=40 exit=0', ...request('50Mi')},
			{name: 'under', load: 'mem=100', ...request('300Mi')},
		],
		evictions: 2,
		patience: 400,
	},
	{
		name: 'disk, overtaken',
		settings: disk(700),
		pods: [
			{name: 'writer', load: 'file=/data/x size=10 rate=6 after=15'},
			{name: 'large', load: 'file=/data/x size=250 rate=1 after=15'},
		],
		patience: 300,
	},
	{
		name: 'memory, noisy neighbour',
		settings: memory(1200),
		pods: [
			{name: 'leak', load: 'mem=50 leak=5 after=20', ...request('50Mi')},
			{name: 'over', load: 'mem=150', ...request('50Mi')},
			{name: 'noise', load: 'mem=50 wave=150 every=7', priority: 'high', ...request('300Mi')},
		],
		patience: 300,
	},
	{
		name: 'memory, static pod',
		settings: memory(1000),
		pods: [
			{name: 'a', load: 'mem=200', ...request('50Mi')},
			{name: 'b', load: 'mem=100', ...request('200Mi')},
		],
		staticPod: {name: 'static', load: 'mem=50 leak=8 after=30 upto=1500', ...request('10Mi')},
		evictions: 2,
		patience: 300,
	},
	{
		name: 'memory, slow end',
		settings: softMemory(900, '20s', 15),
		pods: [
			{name: 'leak', load: 'mem=50 leak=8 after=20 linger=60', ...request('50Mi')},
			{name: 'over', load: 'mem=150', ...request('50Mi')},
			{name: 'next', load: 'mem=120', ...request('50Mi')},
		],
		after: 60,
		patience: 300,
	},
	{
		name: 'storage limits',
		settings: () => ({evictionHard: {'memory.available': '100Mi'}}),
		pods: [
			{name: 'volume', load: 'file=/data/x size=5 rate=2 after=10', sizeLimit: '100Mi'},
			{name: 'layer', load: 'file=/tmp/x size=5 rate=2 after=30', limits: {'ephemeral-storage': '100Mi'}},
			{name: 'within', load: 'file=/data/x size=50', sizeLimit: '100Mi'},
		],
		evictions: 2,
		patience: 240,
	},
	{
		name: 'memory, told by the kernel',
		settings: (summary) => ({...memory(1200)(summary), kernelMemcgNotification: true}),
		pods: [
			{name: 'leak', load: 'mem=50 leak=12 after=25', ...request('50Mi')},
			{name: 'over', load: 'mem=150', ...request('50Mi')},
			{name: 'under', load: 'mem=100', ...request('300Mi')},
		],
		patience: 300,
	},
	{
		name: 'out of memory',
		settings: memory(4000),
		pods: [
			{name: 'boom', load: 'mem=50 leak=3 after=15', ...request('50Mi'), limits: {memory: '300Mi'}},
			{name: 'over', load: 'mem=150', ...request('50Mi')},
		],
		evictions: 0,
		after: 130,
		patience: 0,
	},
	{
		name: 'image disk',
		settings: hard('imagefs.available', ({node}) => mebibytes(node.fs.availableBytes - 700 * mebibyte)),
		pods: [
			{name: 'layer', load: 'file=/tmp/x size=10 rate=6 after=15'},
			{name: 'volume', load: 'file=/data/x size=150'},
		],
		patience: 300,
		hasImageDisk: true,
	},
];
