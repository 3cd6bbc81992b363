import type {ChildProcess} from 'node:child_process';
import {createInterface} from 'node:readline';
import {type Plugin, startPlugin} from './plugin.ts';

/** A range as JSON: `latest` is null where nothing bounds it. */
export type WrittenRange = {
	readonly earliest: string;
	readonly expected: string;
	readonly latest: string | null;
};

/** What is said of a pod that is to be evicted. */
export type Victim = {
	readonly name: string;
	readonly eviction: WrittenRange;
	readonly certain: boolean;
	readonly place: {readonly first: number; readonly last: number};
};

/** One answer of `pressure -w`, and when it came. */
export type Report = {
	readonly seenAt: number;
	readonly metadata: {readonly observedAt: string; readonly problems: readonly unknown[]};
	readonly items: readonly {
		/** When the newest of the node's statistics came. */
		readonly observedAt: string | null;
		readonly evictions: readonly Victim[];
		readonly overLimits: readonly {readonly name: string; readonly eviction: WrittenRange | null}[];
		readonly oomKills: readonly {
			readonly name: string;
			readonly crossing: {readonly type: string; readonly at: WrittenRange | null};
		}[];
		readonly gaps: readonly {readonly reason: string}[];
	}[];
};

/** Runs the plugin, and hands over each thing that it says of a node. */
export function followPressure(
	plugin: Plugin,
	node: string,
	onReport: (report: Report) => void,
): ChildProcess {
	const child = startPlugin(plugin, ['pressure', node, ...asLines]);
	// Ending the run ends it.
	child.on('error', () => undefined);
	linesOf(child).on('line', (line) => {
		if (line.trim() !== '') onReport({...reportOf(line), seenAt: Date.now()});
	});
	return child;
}

/** What the plugin says of a node when a recording is played, as if it had followed it then. */
export async function recordedPressure(plugin: Plugin, node: string, file: string): Promise<Report[]> {
	const child = startPlugin(plugin, ['pressure', node, '-f', file, ...asLines]);
	const reports: Report[] = [];
	for await (const line of linesOf(child)) if (line.trim() !== '') reports.push(reportOf(line));
	return reports;
}

const asLines = ['-w', '-o', 'jsonpath={@}{"\\n"}'];

function linesOf({stdout, stderr}: ChildProcess) {
	stderr?.pipe(process.stderr);
	if (!stdout) throw new Error('the plugin has no output');
	return createInterface({input: stdout});
}

function reportOf(line: string): Report {
	const report = JSON.parse(line) as Omit<Report, 'seenAt'>;
	// It is told at the next full ten seconds of the recording, and once it was seen of a live node.
	return {...report, seenAt: Date.parse(report.items[0]?.observedAt ?? report.metadata.observedAt)};
}
