import {devicePod} from './devices.ts';
import {
	type Check,
	deletions,
	type Evidence,
	judgeAll,
	judgeOutcome,
	judgeStay,
	nodeSteps,
	type Outcome,
} from './judge.ts';
import {outcomeTable, widths} from './report.ts';
import {doomedPods, steadfastPod} from './workload.ts';

/** The evidence from single commands and from a watch. */
type AllEvidence = {readonly asked: Evidence; readonly watched: Evidence};

/** All checks of the forecasts and of what happened. */
export function checkAll({asked, watched}: AllEvidence): Check[] {
	return [
		{name: 'the cluster deletes the pods that it should', failures: unexpected(asked)},
		...nodeSteps(asked, 'unknown').map(judgeOutcome),
		...nodeSteps(asked, 'noExecute').map(judgeOutcome),
		...deletions(asked).map(judgeOutcome),
		...asked.outages.flatMap(({nodes}) => nodes.map((node) => judgeStay(steadfastPod(node), asked))),
		...judgeAll(asked),
		...deletions(watched).map((deletion) =>
			judgeOutcome({...deletion, subject: `${deletion.subject} by -w`}),
		),
	];
}

/** A readable summary of what happened and of the forecasts. */
export function describe({asked, watched}: AllEvidence): string {
	const tables: [string, Outcome[]][] = [
		['NODE UNKNOWN', nodeSteps(asked, 'unknown')],
		['NODE TAINTED', nodeSteps(asked, 'noExecute')],
		['POD DELETED', deletions(asked)],
		['POD DELETED, BY -w', deletions(watched)],
	];
	return tables
		.map(([title, outcomes]) => `${outcomeTable(title, outcomes, asked.outages)}\n\n${widths(outcomes)}\n`)
		.join('\n');
}

/** If the cluster did not do what the scenario requires, the forecasts cannot be judged. */
function unexpected(evidence: Evidence): string[] {
	const deleted = new Set(deletions(evidence).map(({subject}) => subject));
	const doomed = new Set([...evidence.outages.flatMap(doomedPods), devicePod]);
	return [
		...[...doomed].filter((pod) => !deleted.has(pod)).map((pod) => `${pod} is still there`),
		...[...deleted].filter((pod) => !doomed.has(pod)).map((pod) => `${pod} is deleted`),
	];
}
