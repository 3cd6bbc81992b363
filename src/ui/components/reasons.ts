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
import {wrapText} from '../theme/text.ts';
import {fullName, sequenceOf, sequenceWords} from '../views/podsView.ts';
import {signTone} from '../views/table.ts';
import type {View} from './view.ts';

/** The available reasoning of a row: its name, its verdict, and the steps. */
type Reasons = Readonly<{
	name: string;
	verdict: string;
	tone: Tone;
	steps: readonly string[];
}>;

/** The reasoning of the row under the cursor, as far as the forecast has it. */
export function reasonLines(view: View, width: number): readonly Line[] {
	const reasons = reasonsOf(view);
	if (!reasons) return [];
	const {name, verdict, tone, steps} = reasons;
	return [
		...wrapText(name, width).map((text) => textLine(text, 'title')),
		...wrapText(verdict, width).map((text) => textLine(text, tone)),
		blank,
		...steps.flatMap((step) => stepLines(step, view, width)),
	];
}

function stepLines(step: string, {glyphs, now, timeZone, scene}: View, width: number): readonly Line[] {
	const text = scene.forecast ? scene.forecast.digest.names.shorten(step) : step;
	return hanging(span(`${glyphs.stays} `, 'key'), inTimeZone(text, now, timeZone), width);
}

/** Fewer lines than this below a table are not used. */
const least = 4;

/** The reasoning of the row under the cursor, below its table; empty if there is no room. */
export function reasonsBelow(view: View, height: number): readonly Line[] {
	const reasons = reasonsOf(view);
	if (!reasons || reasons.steps.length === 0 || height < least) return [];
	const {name, verdict, tone, steps} = reasons;
	const title = line(span('  '), span(name, 'title'), span(verdict === '' ? '' : `  ${verdict}`, tone));
	const width = view.size.columns - 4;
	const body = steps
		.flatMap((step) => stepLines(step, view, width))
		.map(({spans}) => line(span('  '), ...spans));
	const room = height - 2;
	const {enter} = view.glyphs;
	const shown =
		body.length <= room ? body : [...body.slice(0, room - 1), textLine(`    ${enter} tells all`, 'dim')];
	return [blank, title, ...shown];
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
	const {verdict, tone, steps} = reasons;
	const note = `The screen is paused: these are the reasons at that time. ${specOf('pause').keys[0]} resumes, and shows all of them.`;
	return [
		...paragraph(verdict, width, tone),
		...steps.flatMap((step) => stepLines(step, view, width - 2)).map(({spans}) => line(span(' '), ...spans)),
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
	const steps = [
		...because,
		...(isTold ? [] : [`resumes when ${held.releasedBy}`]),
		...(pod.after ? [`then: ${pod.after.detail}`] : []),
	];
	return {name, verdict: causeCell(pod), tone: held ? 'held' : 'likely', steps};
}
