import {inTimeZone} from '../../dates/format.ts';
import type {Target} from '../../forecast/explain/explanation.ts';
import type {NodeForecast} from '../../forecast/nodeForecast.ts';
import {count} from '../../forecast/words.ts';
import type {ZoneForecast} from '../../forecast/zoneForecast.ts';
import type {Tone} from '../../print/tables/kind.ts';
import {nodeSigns} from '../../print/tables/nodeKind.ts';
import {causeCell, type PodRow} from '../../print/tables/podKind.ts';
import {ofTarget} from '../scene/questions.ts';
import {specOf} from '../state/keyTable.ts';
import {blank, hanging, type Line, line, paragraph, span, textLine} from '../theme/line.ts';
import {clipMiddle, widthOf, wrapText} from '../theme/text.ts';
import {fullName, sequenceOf, sequenceWords} from '../views/podsView.ts';
import {signTone} from '../views/table.ts';
import type {View} from './view.ts';

/** The available reasoning of a row: its name, its verdict, and the steps. */
type Reasons = Readonly<{
	name: string;
	verdict: string;
	tone: Tone;
	steps: readonly string[];
	/** What follows. */
	after?: string;
}>;

const allOf = ({steps, after}: Reasons) => (after === undefined ? steps : [...steps, after]);

/** The reasoning of the row under the cursor, as far as the forecast has it. */
export function reasonLines(view: View, width: number): readonly Line[] {
	const reasons = reasonsOf(view);
	if (!reasons) return [];
	const {name, verdict, tone} = reasons;
	return [
		...wrapText(name, width).map((text) => textLine(text, 'title')),
		...wrapText(verdict, width).map((text) => textLine(text, tone)),
		blank,
		...allOf(reasons).flatMap((step) => stepLines(step, view, width)),
	];
}

function stepLines(step: string, {glyphs, now, timeZone, scene}: View, width: number): readonly Line[] {
	const text = scene.forecast ? scene.forecast.digest.names.shorten(step) : step;
	return hanging(span(`${glyphs.stays} `, 'key'), inTimeZone(text, now, timeZone), width);
}

/** The lines below a long table for the reasoning of a row, and a height from which a table has them. */
const [least, tall] = [2, 9];

/** How many rows a table of this height shows, below its header. */
export function rowsIn(view: View, height: number): number {
	const rows = height - 1;
	const isLong = (view.shown?.rows.length ?? 0) > rows - least;
	return isLong && height >= tall && (reasonsOf(view)?.steps.length ?? 0) > 0 ? rows - least : rows;
}

/** The reasoning of the row under the cursor, below its table: the last steps, which say why not yet, if there is no room for all. */
export function reasonsBelow(view: View, height: number): readonly Line[] {
	const reasons = reasonsOf(view);
	if (!reasons || reasons.steps.length === 0 || height < least) return [];
	const {name, verdict, tone, steps} = reasons;
	const {columns} = view.size;
	const width = columns - 4;
	const cause = verdict === '' ? '' : `  ${verdict}`;
	const whole = clipMiddle(name, columns - 3 - widthOf(cause), view.glyphs.cut);
	const title = line(span('  '), span(whole, 'title'), span(cause, tone));
	const linesOf = (some: readonly string[]) =>
		some.flatMap((step) => stepLines(step, view, width)).map(({spans}) => line(span('  '), ...spans));
	const above = height > least ? [blank, title] : [title];
	const all = linesOf(allOf(reasons));
	const room = height - above.length;
	if (all.length <= room) return [...above, ...all];
	const from = steps.findIndex((_, index) => linesOf(steps.slice(index)).length <= room);
	const body = linesOf(steps.slice(from));
	const cut = body.length > room ? [span(view.glyphs.cut, 'dim')] : [];
	return [...above, ...body.slice(0, room - 1), line(...(body[room - 1]?.spans ?? []), ...cut)];
}

function reasonsOf(view: View): Reasons | undefined {
	const {shown, state, scene} = view;
	const row: unknown = shown?.rows[shown.index];
	if (!shown || row === undefined || !scene.forecast || state.helpTop !== undefined) return undefined;
	switch (shown.table.view) {
		case 'overview':
		case 'pods':
			return ofPod(row as PodRow, view);
		case 'nodes':
			return ofNode(row as NodeForecast);
		case 'zones':
			return ofZone(row as ZoneForecast);
		default:
			return undefined;
	}
}

/** The details of a paused screen: explanations exist only for the present, so this shows the reasons in the rows. */
export function pausedLines(target: Target, view: View, width: number): readonly Line[] | undefined {
	const {forecast} = view.scene;
	const reasons =
		forecast && ofTarget(target, forecast, {pod: (pod) => ofPod(pod, view), node: ofNode, zone: ofZone});
	if (!reasons) return undefined;
	const {verdict, tone} = reasons;
	const note = `The screen is paused: these are the reasons at that time. ${specOf('pause').keys[0]} resumes, and shows all of them.`;
	return [
		...paragraph(verdict, width, tone),
		...allOf(reasons)
			.flatMap((step) => stepLines(step, view, width - 2))
			.map(({spans}) => line(span(' '), ...spans)),
		blank,
		...paragraph(note, width, 'dim'),
	];
}

const ofNode = ({name, verdict, because}: NodeForecast): Reasons => ({
	name: `node ${name}`,
	verdict,
	tone: signTone(nodeSigns[verdict]),
	steps: because,
});

const ofZone = ({zone, state, because, stopped}: ZoneForecast): Reasons => ({
	name: `zone ${zone}`,
	verdict: state,
	tone: stopped ? 'held' : 'strong',
	steps: because,
});

function ofPod(pod: PodRow, {scene: {forecast}, now}: View): Reasons {
	const {because, held, fold} = pod;
	const name = fullName(pod);
	if (fold) {
		const sequence = forecast && sequenceOf(pod, forecast, now);
		return {
			name,
			verdict: causeCell(pod),
			tone: 'likely',
			steps: [
				...(sequence ? [sequenceWords(sequence)] : []),
				`${fold.pods.length} pods of one workload that stand alike, on ${count(fold.nodes.size, 'node')}; enter shows each`,
			],
		};
	}
	const isTold = !held || because.some((step) => step.includes(held.releasedBy));
	const steps = isTold ? because : [...because, `resumes when ${held.releasedBy}`];
	const tone = held ? 'held' : 'likely';
	return {
		name,
		verdict: causeCell(pod),
		tone,
		steps,
		...(pod.after && {after: `then: ${pod.after.detail}`}),
	};
}
