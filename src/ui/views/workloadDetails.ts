import {workloadKeyOf} from '../../core/model/workloads/workload.ts';
import {blank, type Line, line, paragraph, span, textLine} from '../theme/line.ts';
import {inCell} from './cells.ts';
import type {CellContext} from './table.ts';

/** As wide as the column IN of the pods. */
const inWidth = 13;

const mostPods = 100;

/** What is said of a workload, and which of its pods are in trouble, in the order of the pods. */
export function workloadDetails(
	key: string,
	sentences: readonly string[],
	{forecast, now, glyphs}: CellContext,
	width: number,
): readonly Line[] {
	const {names, pods} = forecast.digest;
	const own = pods.troubled.filter((pod) => workloadKeyOf(pod) === key);
	const rows = own.slice(0, mostPods).map((pod) => {
		const {text, tone} = inCell(pod, now, glyphs);
		const node = names.shortNode(pod.node);
		return line(span(` ${text.padEnd(inWidth)}  `, tone), span(pod.name), span(`  ${node}`, 'dim'));
	});
	const more = own.length - rows.length;
	return [
		...sentences.flatMap((text) => [...paragraph(text, width), blank]),
		...(rows.length > 0 ? [textLine(' ITS PODS IN TROUBLE', 'heading')] : []),
		...rows,
		...(more > 0 ? [textLine(` and ${more} more`, 'dim')] : []),
	];
}
