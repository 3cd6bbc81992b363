import {once} from 'node:events';
import {text} from 'node:stream/consumers';
import {type Plugin, startPlugin} from '../plugin.ts';

// The plugin's JSON as its users read it: declared here again instead of imported, because it is a contract.

export type JsonRange = {
	readonly earliest: string;
	readonly expected: string;
	readonly latest: string | null;
} | null;

type JsonAfter = {
	readonly outcome: string;
	readonly detail: string;
	readonly placement?: string;
	readonly readyAfter?: {readonly least: number; readonly most: number | null};
} | null;

export type JsonPod = {
	readonly metadata: {readonly namespace: string; readonly name: string; readonly uid: string};
	readonly node: string;
	readonly verdict: string;
	readonly eviction: JsonRange;
	readonly after: JsonAfter;
};

export type JsonWorkload = {
	readonly kind: string;
	readonly name: string;
	readonly readyNow: number | null;
	readonly lowest: {readonly ready: number | null; readonly at: JsonRange};
	readonly reachesZero: boolean | null;
	readonly readyAgain?: {readonly first: JsonRange; readonly all: JsonRange};
	readonly endpoints: readonly {
		readonly service: string;
		readonly readyNow: number;
		readonly lowest: {readonly ready: number; readonly at: JsonRange};
	}[];
};

type Outlook = Pick<JsonPod, 'verdict' | 'eviction' | 'after'>;

export type JsonWhatIf = {
	readonly pods: readonly (Pick<JsonPod, 'metadata' | 'node'> & {
		readonly before: Outlook;
		readonly after: Outlook;
	})[];
	readonly workloads: readonly {readonly before: JsonWorkload | null; readonly after: JsonWorkload | null}[];
	readonly outOfService: readonly {
		readonly node: string;
		readonly deleted: readonly {readonly name: string}[];
		readonly terminating: readonly {readonly name: string}[];
	}[];
};

/** The predictions for pods and workloads at one time. */
export type Prediction = {
	readonly name: string;
	readonly pods: readonly JsonPod[];
	readonly workloads: readonly JsonWorkload[];
};

/** Runs the plugin, and parses its JSON. @throws Error if it fails */
export async function ask<T>(plugin: Plugin, ...args: readonly string[]): Promise<T> {
	const child = startPlugin(plugin, [...args, '-o', 'json']);
	const [[code], output, errors] = await Promise.all([
		once(child, 'close'),
		child.stdout ? text(child.stdout) : '',
		child.stderr ? text(child.stderr) : '',
	]);
	if (code !== 0) throw new Error(`${args.join(' ')}: exit code ${code}, ${errors.trim()}`);
	return JSON.parse(output) as T;
}

/** One side of a what-if: after the changes, or without them. */
export const sideOf = (name: string, whatIf: JsonWhatIf, side: 'before' | 'after'): Prediction => ({
	name,
	pods: whatIf.pods.map((pod) => ({...pod, ...pod[side]})),
	workloads: whatIf.workloads.flatMap((one) => one[side] ?? []),
});
