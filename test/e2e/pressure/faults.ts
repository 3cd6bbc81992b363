import type {Summary} from '../../../src/core/nodepressure/summary.ts';
import {encodeSummary} from '../../support/fakeKubelet.ts';
import type {Check} from '../judge.ts';
import {ask} from '../readOnly/asking.ts';

/** An invalid answer of a kubelet. */
export type Fault = {
	readonly name: string;
	/** The answer's text, derived from the true summary; a number is an error status, and undefined means no answer. */
	readonly answer: (summary: Summary) => string | number | undefined;
	/** One of these must be reported: the reason of a gap, or of a problem. */
	readonly reasons: readonly string[];
	/** What else must hold for the node's JSON. */
	readonly holds?: (item: Item) => boolean;
};

type Item = {
	readonly gaps: readonly {readonly reason: string}[];
	readonly evictions: readonly {readonly name: string}[];
	readonly signals: readonly {
		readonly signal: string;
		readonly available: number | null;
		readonly thresholds: readonly {readonly crossing: {readonly type: string}}[];
	}[];
};
type Report = {
	readonly metadata: {readonly problems: readonly {readonly reason: string}[]};
	readonly items: readonly Item[];
};

const tenMinutes = 600_000;

const aged = (summary: Summary, by: number): Summary => ({
	node: {memory: {...summary.node.memory, time: (summary.node.memory?.time ?? 0) - by}},
	pods: summary.pods,
});

const withMemory = (summary: Summary, fields: string): string =>
	encodeSummary(summary).replace(/"memory":\{[^}]*\}/, `"memory":{${fields}}`);

const faults: readonly Fault[] = [
	{name: 'nothing but braces', answer: () => '{}', reasons: ['SignalNotObserved']},
	{
		name: 'a node without the amount that is left',
		answer: (summary) => withMemory(summary, '"workingSetBytes":1000'),
		reasons: ['SignalNotObserved'],
	},
	{
		name: 'pods without statistics',
		answer: ({node}) => encodeSummary({node, pods: []}),
		reasons: ['PodsWithoutStatistics'],
	},
	{
		name: 'fields of other types, and nulls',
		answer: () => '{"node":{"memory":[],"fs":"x","runtime":null,"rlimit":7},"pods":[null,{"podRef":null}]}',
		reasons: ['SignalNotObserved'],
	},
	{name: 'no JSON', answer: () => 'cAdvisor is starting', reasons: ['SummaryUnreadable']},
	{
		name: 'half of it',
		answer: (summary) => encodeSummary(summary).slice(0, 100),
		reasons: ['SummaryUnreadable'],
	},
	{name: 'an error 500', answer: () => 500, reasons: ['SummaryUnreadable']},
	{name: 'a 404', answer: () => 404, reasons: ['SummaryMissing']},
	{name: 'no answer at all', answer: () => undefined, reasons: ['SummaryUnreadable']},
	{
		name: 'statistics of ten minutes ago',
		answer: (summary) => encodeSummary(aged(summary, tenMinutes)),
		reasons: ['StaleStatistics'],
	},
	{
		name: 'amounts beyond any number',
		answer: (summary) =>
			withMemory(summary, `"availableBytes":1${'0'.repeat(40)},"workingSetBytes":18446744073709551616`),
		reasons: ['SignalNotObserved'],
	},
	{
		name: 'an amount below zero, which has wrapped around',
		answer: (summary) =>
			withMemory(summary, `"availableBytes":${2n ** 64n - 104857600n},"workingSetBytes":8589934592`),
		reasons: ['FewStatistics'],
		holds: ({signals, evictions}) => {
			const memory = signals.find(({signal}) => signal === 'memory.available');
			return (
				memory?.available === -104857600 &&
				memory.thresholds[0]?.crossing.type === 'met' &&
				evictions.length > 0
			);
		},
	},
];

/** Forecasts a node whose kubelet answers with each fault in turn: it must report a gap or a problem, and not fail. */
export async function checkFaults(
	plugin: string,
	user: Parameters<typeof ask>[1],
	node: string,
	setFault: (fault: Fault) => void,
): Promise<readonly Check[]> {
	const checks: Check[] = [];
	for (const fault of faults) {
		setFault(fault);
		const {code, output, errors} = await ask(plugin, user, ['pressure', node, '-o', 'json']);
		const failures: string[] = [];
		if (code !== 0) failures.push(`exit code ${code}: ${errors}`);
		if (/\n\s+at /.test(errors)) failures.push(`a stack: ${errors}`);
		try {
			const {items, metadata} = JSON.parse(output) as Report;
			const [item] = items;
			const reasons = [...metadata.problems, ...(item?.gaps ?? [])].map(({reason}) => reason);
			if (!fault.reasons.some((reason) => reasons.includes(reason)))
				failures.push(`want ${fault.reasons.join(' or ')}, got ${reasons.join(', ')}`);
			if (fault.holds && !(item && fault.holds(item))) failures.push(JSON.stringify(item).slice(0, 600));
		} catch (error) {
			failures.push(`no JSON: ${String(error)}: ${output.slice(0, 200)}`);
		}
		checks.push({name: `a kubelet that answers ${fault.name}: no exception, and it is said`, failures});
	}
	return checks;
}
