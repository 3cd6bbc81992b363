import type {ChildProcess} from 'node:child_process';
import {createInterface} from 'node:readline';
import {type Plugin, startPlugin} from './plugin.ts';

/** A range as JSON: `latest` is null without an upper bound. */
export type WrittenRange = {
	readonly earliest: string;
	readonly expected: string;
	readonly latest: string | null;
};

/** The prediction for a pod that will be evicted. */
type Victim = {
	readonly name: string;
	readonly eviction: WrittenRange;
	readonly certain: boolean;
	readonly place: {readonly first: number; readonly last: number};
};

/** A report of `pressure -w`, and when it arrived. */
export type Report = {
	readonly seenAt: number;
	readonly metadata: {readonly observedAt: string; readonly problems: readonly unknown[]};
	readonly items: readonly {
		/** When the node's latest statistics arrived. */
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

/** Runs the plugin, and passes on each report about a node. */
export function followPressure(
	plugin: Plugin,
	node: string,
	onReport: (report: Report) => void,
): ChildProcess {
	const child = startPlugin(plugin, ['pressure', node, ...asLines]);
	// It is killed at the end of the run.
	child.on('error', () => undefined);
	linesOf(child).on('line', (line) => {
		if (line.trim() !== '') onReport({...reportOf(line), seenAt: Date.now()});
	});
	return child;
}

/** The plugin's reports about a node from a recording, as if it had watched the node then. */
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

/** A report as it is printed on a line. */
export function reportOf(line: string): Report {
	const report = JSON.parse(line) as Omit<Report, 'seenAt'>;
	// A report is printed at the next full ten seconds of the recording, but for a live node immediately.
	return {...report, seenAt: Date.parse(report.items[0]?.observedAt ?? report.metadata.observedAt)};
}
