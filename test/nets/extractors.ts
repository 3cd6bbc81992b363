import type {Said} from './calls.ts';
import type {Fact, SaidFact} from './facts.ts';
import {clockRange, jsonRange, offsetRange, type Row, rowsOf, sentencesOf} from './read.ts';

/** Takes facts out of what an output says, as a user would read it. */
type Extractor = (text: string, at: number) => readonly Fact[];

/** What a cell says; nothing where it is empty. */
type Reader = (cell: string, at: number, row: Row) => readonly Omit<Fact, 'of'>[];

const plain =
	(property: string, read: (cell: string) => string | number | undefined = (cell) => cell): Reader =>
	(cell) => {
		const value = read(cell);
		return value === undefined ? [] : [{property, value}];
	};

const matched =
	(
		property: string,
		pattern: RegExp,
		read: (match: RegExpMatchArray) => string | number = ([, group = '']) => group,
	): Reader =>
	(cell) => {
		const match = cell.match(pattern);
		return match ? [{property, value: read(match)}] : [];
	};

const offset =
	(property: string): Reader =>
	(cell, at) => {
		const value = offsetRange(cell, at);
		return value ? [{property, value}] : [];
	};

const onClock =
	(property: string): Reader =>
	(cell, at) => {
		const value = clockRange(cell, at);
		return value ? [{property, value}] : [];
	};

const both =
	(...readers: readonly Reader[]): Reader =>
	(cell, at, row) =>
		readers.flatMap((read) => read(cell, at, row));

/** A table by the heads of its columns. */
const table =
	(named: (row: Row) => string | undefined, columns: Readonly<Record<string, Reader>>): Extractor =>
	(text, at) =>
		rowsOf(text, Object.keys(columns)).flatMap((row) => {
			const of = named(row);
			return of === undefined
				? []
				: Object.entries(columns).flatMap(([head, read]) =>
						row[head] === undefined ? [] : read(row[head], at, row).map((fact) => ({of, ...fact})),
					);
		});

/** Sentences by patterns; `of` may use what was matched. */
const sentences =
	(
		...patterns: readonly (readonly [
			of: string | ((match: RegExpMatchArray) => string),
			property: string,
			pattern: RegExp,
			read?: (match: RegExpMatchArray, at: number) => Fact['value'] | undefined,
		])[]
	): Extractor =>
	(text, at) => {
		const prose = sentencesOf(text);
		return patterns.flatMap(([of, property, pattern, read = ([, group = '']) => group]) =>
			[...prose.matchAll(new RegExp(pattern, 'g'))].flatMap((match) => {
				const value = read(match, at);
				return value === undefined ? [] : [{of: typeof of === 'string' ? of : of(match), property, value}];
			}),
		);
	};

// biome-ignore lint/suspicious/noExplicitAny: documents are read as a script would read them
type Json = any;

const json =
	(read: (item: Json, at: number) => readonly Fact[]): Extractor =>
	(text, at) =>
		read(JSON.parse(text), at);

/** The items of a list, by the paths of their fields. */
const items = (
	named: (item: Json) => string,
	fields: Readonly<Record<string, (item: Json) => Fact['value'] | undefined>>,
) =>
	json(({items: list}) =>
		list.flatMap((item: Json) =>
			Object.entries(fields).flatMap(([property, read]) => {
				const value = read(item);
				return value === undefined ? [] : [{of: named(item), property, value}];
			}),
		),
	);

const all =
	(...extractors: readonly Extractor[]): Extractor =>
	(text, at) =>
		extractors.flatMap((extract) => extract(text, at));

const nothing = /^(-|–|<none>)?$/;
/** Whether an output says that a zone is about to stop its evictions. */
const aboutToStop = (isSaid: boolean): Fact => ({
	of: 'cluster',
	property: 'a zone is about to stop',
	value: String(isSaid),
});

const orNone = (cell: string): string => (nothing.test(cell) ? '<none>' : cell);
const pod = ({namespace, name}: {readonly namespace: string; readonly name: string}) =>
	`pod ${namespace}/${name}`;

/** The verdicts in the words of counts. */
const counted: Readonly<Record<string, string>> = {
	Scheduled: 'will be evicted',
	Expected: 'will be evicted',
	Overdue: 'will be evicted',
	Unsure: 'might be evicted',
	Held: 'held',
	Terminating: 'terminating',
	Stays: 'stay',
};
const counts = ['will be evicted', 'might be evicted', 'held', 'terminating', 'stay'];

function countFacts(verdicts: readonly (readonly [verdict: string, count: number])[]): readonly Fact[] {
	return counts.map((count) => ({
		of: 'cluster',
		property: /^(will|might)/.test(count) ? `pods that ${count}` : `pods: ${count}`,
		value: verdicts.reduce((sum, [verdict, of]) => sum + (counted[verdict] === count ? of : 0), 0),
	}));
}

const sign = (verdict: string): string | undefined =>
	({Scheduled: '●', Overdue: '●', Expected: '◐', Unsure: '○', Held: '■', Stays: '·', Terminating: '×'})[
		verdict
	];
const certainty = both(plain('verdict'), plain('sign', sign));

/** What follows a deletion, by the first words of each output. */
const outcomes: readonly (readonly [RegExp, string])[] = [
	[/^(replaced|Replaced)/, 'Replaced'],
	[/^(blocks|blocked|Blocked)/, 'Blocked'],
	[/^(lost|Lost)/, 'Lost'],
	[/^(pending|Pending|no node)/, 'Pending'],
	[/^(restarted|Restarted)/, 'Restarted'],
	[/^StuckTerminating/, 'StuckTerminating'],
];
const outcome = (cell: string): string | undefined => outcomes.find(([pattern]) => pattern.test(cell))?.[1];
const owner = (cell: string): string => orNone(cell).replace(/^[A-Z]/, (letter) => letter.toLowerCase());

const podColumns = {
	VERDICT: certainty,
	IN: offset('eviction'),
	AT: onClock('eviction'),
	NODE: plain('node'),
	ZONE: plain('zone', orNone),
	OWNER: plain('owner', owner),
	THEN: plain('what follows', outcome),
} as const;

const rowOfPod = ({NAMESPACE, NAME}: Row) => (NAMESPACE && NAME ? `pod ${NAMESPACE}/${NAME}` : undefined);

/** Counts that follow from the rows of a list, which leaves out pods of DaemonSets that stay. */
const countRows: Extractor = (text) =>
	countFacts(rowsOf(text, ['NAMESPACE', 'NAME', 'VERDICT']).map(({VERDICT = ''}) => [VERDICT, 1])).filter(
		({property}) => property !== 'pods: stay',
	);

const certain = ['Scheduled', 'Expected', 'Overdue'];

/** The first and the last eviction that is sure to come, by a list of pods. */
function ends(pods: readonly Json[]): readonly Fact[] {
	const ranges = pods
		.filter(({verdict}) => certain.includes(verdict))
		.map(({eviction}) => jsonRange(eviction));
	const sure = ranges.filter((range) => range !== undefined);
	if (sure.length === 0) return [];
	const earliest = sure.map(([first]) => first);
	const latest = sure.map(([, last]) => last ?? Number.POSITIVE_INFINITY);
	const orOpen = (instant: number) => (instant === Number.POSITIVE_INFINITY ? null : instant);
	return [
		{
			of: 'cluster',
			property: 'first eviction',
			value: [Math.min(...earliest), orOpen(Math.min(...latest))],
			isBound: true,
		},
		{
			of: 'cluster',
			property: 'last eviction',
			value: [Math.max(...earliest), orOpen(Math.max(...latest))],
			isBound: true,
		},
	];
}

/** The first taint of a node, by its pods that do not tolerate it at all. */
const taintOfIntolerant = (pods: readonly Json[]): readonly Fact[] =>
	pods.flatMap(({node, verdict, cause, eviction}) =>
		['Expected', 'Unsure'].includes(verdict) &&
		cause?.kind === 'Taint' &&
		!cause.tolerationSeconds &&
		eviction
			? [{of: `node ${node}`, property: 'taint from', value: from(jsonRange(eviction))}]
			: [],
	);

const from = (range: ReturnType<typeof jsonRange>): readonly [number, number] => [
	range?.[0] ?? 0,
	range?.[0] ?? 0,
];

const podsJson = all(
	items(({metadata}) => pod(metadata), {
		verdict: ({verdict}) => verdict,
		sign: ({verdict}) => sign(verdict),
		eviction: ({eviction}) => jsonRange(eviction),
		node: ({node}) => node,
		zone: ({zone}) => orNone(zone),
		owner: ({owner: of}) => (of ? owner(`${of.kind}/${of.name}`) : '<none>'),
		'what follows': ({after, verdict}) =>
			verdict === 'Stays' ? undefined : after?.placement === 'None' ? 'Pending' : after?.outcome,
	}),
	json(({items: list}) => [
		...countFacts(list.map(({verdict}: Json) => [verdict, 1])),
		...ends(list),
		...taintOfIntolerant(list),
	]),
);

/** The end of a follower's stream, as the list that a reader has in mind. */
const podsFollowed: Extractor = (text, at) => {
	const known = new Map<string, Json>();
	for (const line of text.split('\n').filter((each) => each.startsWith('{'))) {
		const {type, object} = JSON.parse(line);
		if (object?.kind !== 'PodForecast') continue;
		if (type === 'DELETED') known.delete(object.metadata.uid);
		else known.set(object.metadata.uid, object);
	}
	return podsJson(JSON.stringify({items: [...known.values()]}), at);
};

/** A stream without kinds of changes: the latest of each pod. */
const podsStreamed: Extractor = (text, at) => {
	const latest = new Map(
		text
			.split('\n')
			.filter((line) => line !== '')
			.map((line) => JSON.parse(line))
			.map((object) => [object.metadata.uid, object] as const),
	);
	return podsJson(JSON.stringify({items: [...latest.values()]}), at).filter(({of}) => of.startsWith('pod '));
};

const states: Readonly<Record<string, string>> = {Partial: 'PartialDisruption', Full: 'FullDisruption'};
const fullState = (state: string): string => states[state] ?? state;

/** What the next state is, if nodes fail or return: as `1: FullDisruption`. */
const nextStates = (down: RegExp, back: RegExp): Reader =>
	both(
		matched('state if more fail', down, ([, count, state = '']) => `${count}: ${fullState(state)}`),
		matched('state if some return', back, ([, count, state = '']) => `${count}: ${fullState(state)}`),
	);

/** Whether evictions are stopped; a time of the next taint says that they are not. */
const stopped = (property: string): Reader =>
	plain(property, (cell) => (nothing.test(cell) ? undefined : String(/^stopp/.test(cell))));
const rate: Reader = both(
	stopped('stopped'),
	plain('rate', (cell) => cell.replace(/^stopp.*/, '0').replace(/\/s\??/, '')),
);
const nextTaint: Reader = (cell, at) => {
	if (cell === 'never') return [{property: 'stopped', value: 'true'}];
	const value = offsetRange(cell, at);
	return value
		? [
				{property: 'stopped', value: 'false'},
				{property: 'next taint', value},
			]
		: [];
};

const names = (cell: string): string => (nothing.test(cell) ? '' : cell.split(',').toSorted().join());

const zoneColumns = {
	STATE: matched('state', /^(\w+)/),
	READY: matched('ready', /^(\d+\/\d+)/),
	RATE: rate,
	'NEXT-TAINT': nextTaint,
	WAITING: both(
		plain('waiting', (cell) => (/ more\.\.\.$/.test(cell) ? undefined : names(cell))),
		plain('nodes that wait', countOfNames),
	),
	'NEXT-STATE': both(
		nextStates(/(\d+) down: [^(]*\((\w+)\)/, /(\d+) back: [^(]*\((\w+)\)/),
		matched('state to come', /^(?:most likely |perhaps )?(?:in [^:]+|now[^:]*): [^(]*\((\w+)\)/),
	),
	'IF IT LOSES MORE NODES': nextStates(/^(\d+) more: [^(]*\((\w+)\)/, /(?!)/),
} as const;

/** How many names a list has, of which the first ones may be told: as `a,b,c + 4 more...`. */
function countOfNames(cell: string): number {
	if (nothing.test(cell)) return 0;
	const [listed = '', more = '0'] = cell.split(/ \+ (?=\d+ more\.\.\.$)/);
	return listed.split(',').length + Number.parseInt(more, 10);
}

const rowOfZone = ({ZONE}: Row) => (ZONE && /^[\w./-]+$/.test(ZONE) ? `zone ${ZONE}` : undefined);

const zonesJson = items(({zone}) => `zone ${zone}`, {
	state: ({state}) => state,
	ready: ({size, notReady}) => `${size - notReady}/${size}`,
	rate: ({rate: of}) => String(of),
	stopped: ({rate: of}) => String(of === 0),
	'next taint': ({nextTaints: [first]}) => jsonRange(first),
	waiting: ({queue}) => queue.toSorted().join(),
	'nodes that wait': ({queue}) => queue.length,
	'state to come': ({coming: {steps}}) => steps[0]?.state,
	'state if more fail': ({toNextState}) => stepTo(toNextState, 'nodesDown'),
	'state if some return': ({toNextState}) => stepTo(toNextState, 'nodesBack'),
});

function stepTo(steps: readonly Json[], by: string): string | undefined {
	const step = steps.find((each) => each[by] !== undefined);
	return step && `${step[by]}: ${step.state}`;
}

const nodeColumns = {
	VERDICT: plain('verdict', (cell) => cell.replace(/^[●◐○■·×] /, '')),
	READY: plain('ready'),
	ZONE: plain('zone'),
	'UNKNOWN-IN': offset('unknown'),
	'UNKNOWN-AT': onClock('unknown'),
	'UNKNOWN IN': offset('unknown'),
	'TAINT-IN': offset('taint'),
	'TAINT-AT': onClock('taint'),
	'TAINT IN': offset('taint'),
	EVICTING: plain('pods that will be evicted', (cell) => (nothing.test(cell) ? undefined : cell)),
} as const;

const nodesJson = all(
	items(({metadata: {name}}) => `node ${name}`, {
		verdict: ({verdict}) => verdict,
		ready: ({ready}) => ready,
		zone: ({zone}) => zone,
		unknown: ({unknown}) => jsonRange(unknown),
		taint: ({noExecute}) => jsonRange(noExecute),
		'taint from': ({noExecute}) => (noExecute ? from(jsonRange(noExecute)) : undefined),
	}),
	json(({items: list}) =>
		inTrouble(list.filter(({verdict}: Json) => verdict !== 'Healthy').length, list.length),
	),
);

const inTrouble = (nodes: number | string, of: number | string): readonly Fact[] => [
	{of: 'cluster', property: 'nodes in trouble', value: `${nodes} of ${of}`},
];

const workload = (reference: string): string => `workload ${reference.toLowerCase()}`;
const workloadColumns = {
	NAME: plain('reference', (cell) => cell.replace(/\/.*/, '')),
	READY: plain('ready'),
	LOWEST: plain('lowest'),
	IN: both(
		offset('lowest from'),
		plain('at zero', (cell) => (cell === 'at zero' ? 'true' : undefined)),
	),
	AT: onClock('lowest from'),
	EVICTING: plain('pods that will be evicted', (cell) => (nothing.test(cell) ? '0' : cell)),
} as const;

const workloadFields = {
	ready: ({readyNow, desired}: Json) => `${readyNow ?? '?'}/${desired ?? '?'}`,
	lowest: ({lowest}: Json) => (lowest ? (lowest.ready ?? '<unknown>') : undefined),
	'lowest from': ({lowest}: Json) => jsonRange(lowest?.at),
	'at zero': ({lowest}: Json) => (lowest?.ready === 0 && !lowest.at ? 'true' : undefined),
} as const;
const workloadOf = ({namespace, kind, name}: Json) => workload(`${namespace}/${kind}/${name}`);

const range = (match: RegExpMatchArray, at: number) => offsetRange(match.at(-1) ?? '', at);
const number = ([, count]: RegExpMatchArray) => Number(count);
const span = String.raw`((?:at )?\d[\dhms.:]*(?:[-–]\d[\dhms.:]*)?(?: or later|\+)?|now(?: or later)?)`;
const at = (text: string) => new RegExp(text.replace('SPAN', span));

const statusSentences = sentences(
	['cluster', 'pods that will be evicted', /Pods:[^.]*?(\d+) will be evicted/, number],
	['cluster', 'pods that might be evicted', /Pods:[^.]*?(\d+) might be evicted/, number],
	['cluster', 'pods: terminating', /Pods:[^.]*?(\d+) Terminating/, number],
	['cluster', 'pods: stay', /Pods:[^.]*?(\d+) stays? on/, number],
	['cluster', 'nodes in trouble', /(\d+) of (\d+) in trouble/, ([, nodes, of]) => `${nodes} of ${of}`],
	['cluster', 'first eviction', at('Next:.*?, in SPAN'), range],
	['cluster', 'last eviction', at('the last eviction comes in SPAN'), range],
	['zone *', 'stopped', /Held: no pod: evictions are (not) stopped in any zone/, () => 'false'],
	[([, zone]) => `zone ${zone}`, 'state', /zone (\S+) is (?:in )?(\w+), with/, ([, , state = '']) => state],
	[
		([, zone]) => `zone ${zone}`,
		'state to come',
		/evictions in zone (\S+) stop \((\w+)\) in/,
		([, , state = '']) => state,
	],
	[
		([, , , kind, name]) => workload(`${kind}/${name}`),
		'reference',
		/((Reach zero|Below budget): )([\w-]+\/(\w+))\/([\w.-]+)/,
		([, , , kind = '']) => kind.replace(/.*\//, ''),
	],
	[
		([, node]) => `node ${node}`,
		'unknown',
		/(\S+) last renewed its lease [^.]*?it turns Unknown between (\S+) and (\S+)/,
		([, , one, two], now) => clockRange(`${one}/${two}`, now),
	],
);

const headline = sentences(
	['cluster', 'nodes in trouble', /(\d+) of (\d+) nodes in trouble/, ([, nodes, of]) => `${nodes} of ${of}`],
	['cluster', 'pods that will be evicted', /(\d+) pods? will (?:still )?be evicted[:,]? /, number],
	['cluster', 'pods that might be evicted', /(\d+) more might be/, number],
	['cluster', 'first eviction', at('the first in SPAN'), range],
	['zone *', 'stopped', /(all evictions) are stopped/, () => 'true'],
);

/** Facts of a zone in the state of a dashboard. */
const zoneView = all(
	table(rowOfZone, {
		STATE: matched('state', /^(Normal|Partial\w*|Full\w*)/, ([, state = '']) => fullState(state)),
		READY: matched('ready', /^(\d+\/\d+)/),
		RATE: rate,
		'NEXT TAINT': (cell, now, row) => nextTaint(cell.replace(/^[▁-█] /, ''), now, row),
		WAITING: plain('nodes that wait', (cell) =>
			nothing.test(cell) ? 0 : (/^(\d+) nodes?/.exec(cell)?.[1] ?? undefined),
		),
		'NEXT STATE': nextStates(/^(\d+) down → (\w+)/, /(\d+) back → (\w+)/),
	}),
	headline,
);

const podView = table(
	({NAME}) => (NAME?.includes('/') && !NAME.includes(' pods)') ? `pod ${NAME}` : undefined),
	{
		IN: both(matched('sign', /^([●◐○■·×])/), (cell, now) =>
			offset('eviction')(cell.replace(/^[●◐○■·×] /, ''), now, {}),
		),
		NODE: plain('node'),
		ZONE: plain('zone'),
		OWNER: plain('owner', owner),
		THEN: plain('what follows', outcome),
	},
);

const metric = (name: string): RegExp => new RegExp(String.raw`^evictwatch_${name}\{([^}]*)\} (\S+)`, 'gm');
const label = (labels: string, name: string): string =>
	new RegExp(`${name}="([^"]*)"`).exec(labels)?.[1] ?? '';
const metrics =
	(
		read: Readonly<Record<string, (labels: string, value: string, now: number) => Fact | undefined>>,
	): Extractor =>
	(text, now) =>
		Object.entries(read).flatMap(([name, fact]) =>
			[...text.matchAll(metric(name))].flatMap(
				([, labels = '', value = '']) => fact(labels, value, now) ?? [],
			),
		);

const metricsOfZone =
	(property: string, read: (value: string) => string | number = (value) => value) =>
	(labels: string, value: string) =>
		({of: `zone ${label(labels, 'zone')}`, property, value: read(value)}) as const;

/** What each output says, by the beginning of its name. */
const extractors: Readonly<Record<string, Extractor>> = {
	pods: all(table(rowOfPod, podColumns), countRows),
	'pods json': podsJson,
	'pods follower': podsFollowed,
	'pods stream': podsStreamed,
	nodes: table(({NAME}) => NAME && `node ${NAME}`, nodeColumns),
	'nodes json': nodesJson,
	zones: all(table(rowOfZone, zoneColumns), (text) => [
		aboutToStop(/(?:in \S+|now)(?: or later)?: evictions stop \(PartialDisruption\)/.test(text)),
	]),
	'zones json': all(
		zonesJson,
		json(({items: list}) => [
			aboutToStop(
				list.some(
					({rate: of, coming: {steps}}: Json) => of > 0 && steps.some((step: Json) => step.rate === 0),
				),
			),
		]),
	),
	'what-if': table(rowOfZone, zoneColumns),
	status: all(statusSentences, (text) => [
		aboutToStop(
			/evictions in zone \S+ (may )?stop\b/.test(sentencesOf(text).replace(/One more node:.*/, '')),
		),
	]),
	'status json': json(({pods, next, reachZero, belowBudget}) => [
		...countFacts(Object.entries(pods)),
		...(next
			? [
					{of: 'cluster', property: 'first eviction', value: jsonRange(next.eviction) ?? ''},
					{of: pod(next), property: 'eviction', value: jsonRange(next.eviction) ?? ''},
				]
			: []),
		...items(workloadOf, workloadFields)(JSON.stringify({items: [...reachZero, ...belowBudget]}), 0),
	]),
	rescue: table(rowOfPod, {
		VERDICT: certainty,
		IN: offset('eviction'),
		NODE: plain('node'),
		'NODE MUST RECOVER BY': onClock('node must recover by'),
	}),
	'rescue json': json(({pods}) =>
		pods.flatMap(({metadata, node, eviction, remedies}: Json) => [
			{of: pod(metadata), property: 'node', value: node},
			...(eviction ? [{of: pod(metadata), property: 'eviction', value: jsonRange(eviction)}] : []),
			...remedies.flatMap(({kind, effect, until}: Json) =>
				kind === 'NodeBack' && effect === 'Saves' && until
					? [
							{
								of: pod(metadata),
								property: 'node must recover by',
								value: jsonRange({earliest: until, latest: until}),
							},
						]
					: [],
			),
		]),
	),
	workloads: table(
		({NAMESPACE, NAME}) => (NAMESPACE && NAME ? workload(`${NAMESPACE}/${NAME}`) : undefined),
		workloadColumns,
	),
	'workloads json': items(workloadOf, workloadFields),
	explain: sentences(
		[
			([, name, namespace]) => `pod ${namespace}/${name}`,
			'verdict',
			/pod\/(\S+) in namespace (\S+): ([A-Z]\w+)/,
			([, , , verdict = '']) => verdict,
		],
		[
			([, name, namespace]) => `pod ${namespace}/${name}`,
			'eviction',
			/pod\/(\S+) in namespace (\S+): [A-Z]\w+, \S+ (?:or later )?\(in ([^)]*\)(?: or later)?)/,
			([, , , text = ''], now) => offsetRange(text.replace(')', ''), now),
		],
		[([, name]) => `node ${name}`, 'verdict', /node\/(\S+): ([A-Z]\w+)/, ([, , verdict = '']) => verdict],
		[
			([, name]) => `node ${name}`,
			'taint',
			/node\/(\S+): [A-Z]\w+, \S+ (?:or later )?\(in ([^)]*\)(?: or later)?)/,
			([, , text = ''], now) => offsetRange(text.replace(')', ''), now),
		],
		[([, name]) => `zone ${name}`, 'state', /zone\/(\S+): ([A-Z]\w+)/, ([, , state = '']) => state],
		[
			([, name]) => `zone ${name}`,
			'stopped',
			/Zone (\S+) is [^:]*:[^.]*?no further node gets a taint/,
			() => 'true',
		],
		[
			([, name]) => `zone ${name}`,
			'stopped',
			/Zone (\S+) is [^:]*:[^.]*?one node tainted every/,
			() => 'false',
		],
	),
	'explain json': json(({items: list}) =>
		list.flatMap(({target, verdict, eviction}: Json) => {
			const of = target.kind === 'pod' ? pod(target) : `${target.kind} ${target.name}`;
			const property = {pod: 'eviction', node: 'taint'}[String(target.kind)];
			const value = jsonRange(eviction);
			return [
				{of, property: target.kind === 'zone' ? 'state' : 'verdict', value: verdict},
				...(property && value ? [{of, property, value}] : []),
			];
		}),
	),
	clusters: table(({CONTEXT}) => CONTEXT && 'cluster', {
		FIRST: offset('first eviction'),
		LAST: offset('last eviction'),
		'TO-ZERO': plain('workloads at zero'),
		READY: plain('nodes ready'),
	}),
	'clusters json': json(({items: [{evictions}]}) => [
		...(evictions
			? [
					{of: 'cluster', property: 'pods that will be evicted', value: evictions.all},
					{of: 'cluster', property: 'pods that might be evicted', value: evictions.unsure},
					...(evictions.first
						? [{of: 'cluster', property: 'first eviction', value: jsonRange(evictions.first) ?? ''}]
						: []),
					...(evictions.last
						? [{of: 'cluster', property: 'last eviction', value: jsonRange(evictions.last) ?? ''}]
						: []),
				]
			: []),
	]),
	'dashboard overview': all(zoneView, podView, (text) => [
		aboutToStop(
			/evictions (in \S+ )?(may )?stop\b|stops? (its )?evictions/.test(
				text.split('\n').slice(1, 3).join(' '),
			),
		),
	]),
	'dashboard zones': zoneView,
	'dashboard nodes': table(
		({NAME}) => (NAME && /^[\w.-]+$/.test(NAME) ? `node ${NAME}` : undefined),
		nodeColumns,
	),
	'dashboard pods': podView,
	'dashboard workloads': table(({NAME}) => (NAME?.includes('/') ? workload(NAME) : undefined), {
		NAME: plain('reference', (cell) => cell.split('/')[1]),
		READY: plain('ready'),
		LOWEST: plain('lowest'),
		EVICTING: plain('pods that will be evicted', (cell) => (nothing.test(cell) ? '0' : cell)),
	}),
	metrics: all(
		metrics({
			zone_eviction_rate: metricsOfZone('rate'),
			zone_stopped: metricsOfZone('stopped', (value) => String(value === '1')),
			zone_queued_nodes: metricsOfZone('nodes that wait', Number),
			zone_state: (labels, value) =>
				value === '1'
					? {of: `zone ${label(labels, 'zone')}`, property: 'state', value: label(labels, 'state')}
					: undefined,
		}),
		(text) =>
			countFacts(
				[...text.matchAll(metric('pods'))].map(([, labels = '', value]) => [
					label(labels, 'verdict'),
					Number(value),
				]),
			),
	),
};

export function factsOf({output, text, at: now, source}: Said): readonly SaidFact[] {
	const extract = extractors[output];
	if (!extract) throw new Error(`nothing reads ${output}`);
	if (text === '') return [];
	return extract(text, now).map((fact) => ({...fact, output, source, at: now}));
}
