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
	readonly metadata: {readonly problems: readonly unknown[]};
	readonly items: readonly {
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
	const child = startPlugin(plugin, ['pressure', node, '-w', '-o', 'jsonpath={@}{"\\n"}']);
	// Ending the run ends it.
	child.on('error', () => undefined);
	child.stderr?.pipe(process.stderr);
	if (!child.stdout) throw new Error('the plugin has no output');
	createInterface({input: child.stdout}).on('line', (line) => {
		if (line.trim() === '') return;
		onReport({...(JSON.parse(line) as Omit<Report, 'seenAt'>), seenAt: Date.now()});
	});
	return child;
}
