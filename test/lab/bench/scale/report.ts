import type {FullCost} from './compare.ts';
import {allToBare, rowNames, type SizeResult} from './measure.ts';

/** The costs at one size, as Markdown. */
export function reportOf(result: SizeResult): string {
	const {size, well, dead} = result;
	const {nodes, podsPerNode} = size;
	return [
		`## ${count(nodes)} nodes and ${count(nodes * podsPerNode)} pods`,
		`A third of the nodes dead:\n\n${table(dead)}`,
		...(well ? [`All nodes well:\n\n${table(well.costs)}`, watchingOf(well)] : []),
		goalsOf(result).join('\n'),
	].join('\n\n');
}

const watchingOf = ({watching}: NonNullable<SizeResult['well']>): string =>
	`Watching with \`-w\`, ${watching.renewalsPerSecond} renewals/s: ${watching.percent.toFixed(1)} % of a core, ${megabytes(watching.peakMegabytes)}.`;

/** The growth of all costs, as Markdown. */
export function growthOf(results: readonly SizeResult[]): string {
	const rows = results.map(({size, well, dead}) => {
		const [bareDead, bareWell] = [dead[0], well?.costs[0]];
		const cells = (row: FullCost | undefined, bare: FullCost | undefined) =>
			row && bare
				? `${seconds(row.wallSeconds)} (${times(row, bare)}), ${seconds(row.cpuSeconds)}, ${megabytes(row.peakMegabytes)}, ${row.served.requests}`
				: '';
		return [
			`${count(size.nodes)} / ${count(size.nodes * size.podsPerNode)}`,
			cells(find(dead, rowNames.default), bareDead),
			cells(find(dead, rowNames.all), bareDead),
			cells(find(well?.costs ?? [], rowNames.default), bareWell),
			well ? `${well.watching.percent.toFixed(1)} %, ${megabytes(well.watching.peakMegabytes)}` : '',
		];
	});
	const head = ['nodes / pods', 'a third dead', 'the same with `--all`', 'all well', 'watching with `-w`'];
	const legend = 'Wall time (to the bare transfer), own CPU, peak memory, lists:';
	return `## How it grows\n\n${legend}\n\n${lines([head, head.map(() => '---'), ...rows])}`;
}

function table(costs: readonly FullCost[]): string {
	const [bare] = costs;
	const head = ['', 'wall', 'to the first', 'own CPU', 'peak memory', 'lists', 'sent', "API server's CPU"];
	const rows = costs.map((cost) => [
		cost.name,
		seconds(cost.wallSeconds),
		bare ? times(cost, bare) : '',
		seconds(cost.cpuSeconds),
		megabytes(cost.peakMegabytes),
		count(cost.served.requests),
		`${cost.served.megabytes.toFixed(1)} MB`,
		seconds(cost.served.cpuSeconds),
	]);
	return lines([head, head.map(() => '---'), ...rows]);
}

/** The goals and the results. */
function goalsOf(result: SizeResult): readonly string[] {
	const {well, dead} = result;
	const [bare, all, some, kubectl, nodes, zones] = [
		dead[0],
		...[rowNames.all, rowNames.default, rowNames.kubectlPods, rowNames.nodes, rowNames.zonesFrame].map(
			(name) => find(dead, name),
		),
	];
	const shown =
		nodes && zones
			? [
					judged(
						'zones and nodes on the screen, to their bare transfer',
						zones.wallSeconds / nodes.wallSeconds,
						2,
					),
				]
			: [];
	if (!bare || !all) return shown;
	return [
		...shown,
		judged('`--all` to the bare transfer', allToBare(result), 1.3),
		...(kubectl
			? [judged('`--all` to `kubectl get pods -A`', all.wallSeconds / kubectl.wallSeconds, 0.2)]
			: []),
		judged('`--all`, MB', all.peakMegabytes, 400),
		...(some
			? [
					judged('without `--all`, to the bare transfer', some.wallSeconds / bare.wallSeconds, 0.65),
					judged('without `--all`, MB', some.peakMegabytes, 200),
				]
			: []),
		...(well ? goalsOfWell(well) : []),
	];
}

function goalsOfWell({costs, watching}: NonNullable<SizeResult['well']>): readonly string[] {
	const [bare, some] = [costs[0], find(costs, rowNames.default)];
	if (!bare || !some) return [];
	return [
		judged('all well, to the bare transfer', some.wallSeconds / bare.wallSeconds, 1.3),
		judged('all well, MB', some.peakMegabytes, 200),
		judged('watching, % of a core', watching.percent, 5),
	];
}

const judged = (what: string, is: number, goal: number): string =>
	`- ${what}: ${is < 10 ? is.toFixed(2) : is.toFixed(0)}, aimed at ${goal}${is <= goal ? '' : ' (**missed**)'}`;

const find = (costs: readonly FullCost[], name: string) => costs.find((cost) => cost.name === name);
const lines = (rows: readonly (readonly string[])[]) =>
	rows.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
const times = (cost: FullCost, to: FullCost) => (cost.wallSeconds / to.wallSeconds).toFixed(2);
const seconds = (value: number) => `${value.toFixed(2)} s`;
const megabytes = (value: number) => `${value.toFixed(0)} MB`;
const count = (value: number) => value.toLocaleString('en');
