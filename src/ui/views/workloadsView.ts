import {nameOf} from '../../core/model/objectName.ts';
import {podKey} from '../../core/model/pod.ts';
import {hidesEvictions} from '../../core/model/problem.ts';
import {workloadKey, workloadKeyOf} from '../../core/model/workloads/workload.ts';
import type {WorkloadImpact} from '../../impact/workloadImpact.ts';
import {pods as podKind} from '../../print/tables/podKind.ts';
import {noneWords} from '../../print/whyNotYet.ts';
import {byDanger, isLosing, workloadColumns, workloadSummary} from '../../print/workloads.ts';
import {subjectOfWorkload} from '../scene/questions.ts';
import {blank, type Line, line, paragraph, span, textLine} from '../theme/line.ts';
import {arranged, type DashboardTable, type DrawContext, spanOf} from './table.ts';

/** As wide as the column IN of the pods. */
const inWidth = 13;
const mostPods = 100;

const podColumns = arranged(podKind.columns, ['IN', 'NODE']);

/** The workloads that lose pods, those that are at zero or reach it first. */
export const workloads: DashboardTable<WorkloadImpact> = {
	view: 'workloads',
	rows: ({scene}) => byDanger((scene.impacts?.all ?? []).filter(isLosing)),
	columns: arranged(workloadColumns, [
		'NAME',
		'READY',
		'LOWEST',
		'IN',
		'EVICTING',
		'BUDGET',
		'THEN',
		'ENDPOINTS',
	]),
	keyOf: workloadKey,
	nameOf,
	textOf: workloadKey,
	namespaceOf: ({namespace}) => namespace,
	targetOf: subjectOfWorkload,
	details: workloadDetails,
	empty: ({scene, forecast}) => {
		if (scene.reading) return 'Pods are still being read.';
		if (forecast.problems.some(hidesEvictions)) return `${noneWords(forecast.problems)}.`;
		return 'No workload loses a pod.';
	},
};

/** What becomes of a workload, and which of its pods are in trouble, in the order of the pods. */
function workloadDetails(key: string, context: DrawContext, width: number): readonly Line[] {
	const {scene, forecast, now, timeZone} = context;
	const impact = scene.impacts?.all.find((one) => workloadKey(one) === key);
	const lost = new Set(impact?.losses.map(({pod}) => `${impact.namespace}/${pod}`));
	const pods = forecast.digest.pods.troubled.filter(
		(pod) => workloadKeyOf(pod) === key || lost.has(podKey(pod)),
	);
	const summary = impact
		? workloadSummary(impact, pods, now, {timeZone}).replaceAll('\n', ' ')
		: 'It is gone. Press esc.';
	const rows = pods.slice(0, mostPods).map((pod) => {
		const [when, node] = podColumns.map((column) => spanOf(column, pod, context, inWidth));
		return line(
			span(` ${when?.text.padEnd(inWidth)}  `, when?.tone),
			span(pod.name),
			span(`  ${node?.text}`, 'dim'),
		);
	});
	const more = pods.length - rows.length;
	return [
		...paragraph(summary, width),
		blank,
		...(rows.length > 0 ? [textLine(' ITS PODS IN TROUBLE', 'heading')] : []),
		...rows,
		...(more > 0 ? [textLine(` and ${more} more`, 'dim')] : []),
	];
}
