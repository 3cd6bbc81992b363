export type Source = 'live' | 'demo' | 'recording' | 'look' | 'file' | 'folder';

/** What one output said at one instant. */
export type Said = {
	/** Seconds after the start of the outage. */
	readonly moment: number;
	/** By the clock of the cluster. */
	readonly at: number;
	readonly source: Source;
	readonly output: string;
	readonly text: string;
};

/** What is to be played. */
export type Played = {
	/** A scenario of the demo, or the path of a recording. */
	readonly outage: string;
	readonly isRecording: boolean;
	/** Seconds after its start. */
	readonly moments: readonly number[];
	readonly sources: readonly Source[];
};

type Item = {
	readonly metadata: {readonly name: string; readonly namespace?: string};
	readonly verdict?: string;
};

/** What there is at a moment. */
export type Calls = Readonly<Record<'pods' | 'nodes' | 'zones', readonly Item[]>>;

/** The lists that the other calls take names from. */
export const lists = {
	pods: ['pods', '-A', '-o', 'json'],
	nodes: ['nodes', '-o', 'json'],
	zones: ['zones', '-o', 'json'],
} as const;

export const podTable = ['pods', '-A', '-o', 'wide'] as const;

/** The other calls of the commands that end by themselves, by the name of their output. */
export function callsFor(
	{pods, nodes, zones}: Calls,
	hasServer: boolean,
): Readonly<Record<string, readonly string[]>> {
	const namespace = pods[0]?.metadata.namespace ?? 'default';
	const explained = [
		...pods
			.filter(({metadata}) => metadata.namespace === namespace)
			.slice(0, 8)
			.map(({metadata}) => `pod/${metadata.name}`),
		...nodes
			.filter(({verdict}) => verdict !== 'Healthy')
			.slice(0, 6)
			.map(({metadata}) => `node/${metadata.name}`),
		...zones.map(({metadata}) => `zone/${metadata.name}`),
	];
	const explain = ['explain', ...explained, '-n', namespace];
	const json = ['-o', 'json'];
	return {
		pods: podTable,
		nodes: ['nodes', '-o', 'wide'],
		zones: ['zones', '-o', 'wide'],
		status: ['status'],
		'status json': ['status', ...json],
		rescue: ['rescue', '-o', 'wide'],
		'rescue json': ['rescue', ...json],
		workloads: ['workloads', '-A', '-o', 'wide'],
		'workloads json': ['workloads', '-A', ...json],
		'what-if': ['what-if', '--how-many-more'],
		explain,
		'explain json': [...explain, ...json],
		...(hasServer && {clusters: ['clusters', '-o', 'wide'], 'clusters json': ['clusters', ...json]}),
	};
}

/** The calls that go on watching. */
export const followed = {
	'pods follower': ['pods', '-A', '-w', '-o', 'json', '--output-watch-events'],
} as const;

export const views = ['overview', 'zones', 'nodes', 'pods', 'workloads'] as const;
