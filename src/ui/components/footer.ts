import {inTimeZone} from '../../dates/format.ts';
import type {PodVerdict} from '../../forecast/podForecast.ts';
import {counted, linked} from '../../forecast/words.ts';
import type {Tone} from '../../print/tables/kind.ts';
import {riskClauses} from '../scene/headline.ts';
import {actions, type KeyAction, specOf} from '../state/keyTable.ts';
import {completion} from '../state/prompt.ts';
import {hasMore, isTapeMove} from '../state/reduce.ts';
import {placeOf, screenOf} from '../state/uiState.ts';
import {apart, type Line, line, paragraph, type StyledText, span, widthOfSpans} from '../theme/line.ts';
import {widthOf, wrapPhrases} from '../theme/text.ts';
import {hasSide} from './overview.tsx';
import type {View} from './view.ts';

/** The counts of pods that are not evicted, and why, which matter as much as evictions. */
export function countsLine({scene, size, glyphs}: View): Line {
	const {forecast} = scene;
	if (!forecast) return line();
	const {counts: podCounts, troubled} = forecast.digest.pods;
	const firstHeld = podCounts.Held > 0 ? troubled.find(({verdict}) => verdict === 'Held') : undefined;
	const part = (verdict: PodVerdict, title: string, what: string, tone: Tone) =>
		podCounts[verdict] === 0
			? []
			: [span(` ${title} ${podCounts[verdict]}`, tone), span(what === '' ? ' ' : ` ${what} `, 'dim')];
	const spans = [
		...part('Held', `${glyphs.held} HELD`, firstHeld?.held?.by ?? '', 'held'),
		...part('Stays', `${glyphs.stays} STAYS`, 'nothing evicts them', 'strong'),
		...part('Terminating', `${glyphs.terminating} TERMINATING`, 'stuck (node unreachable)', 'strong'),
		...part('Unsure', `${glyphs.certainty.possible} UNSURE`, '', 'possible'),
	];
	if (spans.length === 0) return line();
	// Drops reasons for lack of room, the one of held pods last.
	while (widthOfSpans(spans) > size.columns) {
		const reason = spans.findLastIndex(({text}, index) => index % 2 === 1 && text !== ' ');
		if (reason < 0) break;
		spans[reason] = span(' ');
	}
	return line(...spans);
}

/** Workloads at risk, as many as two lines name; none if they are beside the table or in the headline. */
export function riskLines({scene: {impacts}, now, size}: View): readonly Line[] {
	const risks = impacts?.risks ?? [];
	if (risks.length === 0 || hasSide(size.columns)) return [];
	const sign = span(' AT RISK ', 'bad');
	const linesOf = (most: number) => wrapPhrases(riskClauses(risks, now, most), size.columns - 10);
	const most = risks.slice(0, 12).findLastIndex((_, index) => linesOf(index + 1).length <= 2) + 1;
	return linesOf(Math.max(1, most))
		.slice(0, 2)
		.map((text, index) => line(index === 0 ? sign : span(' '.repeat(widthOf(sign.text))), span(text)));
}

/** The lines above the keys: the prompt, the last message, or the active filter. */
export function statusLines(view: View): readonly Line[] {
	const {state, now, timeZone, size} = view;
	if (state.prompt || !state.message) return statusLine(view);
	const {text, isError} = state.message;
	// Copied text is shown in full.
	const lines = paragraph(inTimeZone(text, now, timeZone), size.columns, isError ? 'bad' : 'good');
	return lines.slice(0, mostMessageLines);
}

const mostMessageLines = 5;

function statusLine(view: View): readonly Line[] {
	const {state, scene, shown, glyphs} = view;
	const {prompt} = state;
	if (prompt) {
		const sign = {filter: '/', command: ':', namespace: 'namespace: '}[prompt.kind];
		const rest = completion(prompt, scene)?.slice(prompt.text.length) ?? '';
		const words = shown?.complaint ?? state.message?.text;
		const complaint = span(words === undefined ? '' : `   ${words}`, 'bad');
		const typed = [span(` ${sign}`, 'key'), span(prompt.text, 'strong'), span(rest || '_', 'dim')];
		return [line(...typed, complaint)];
	}
	const {filter} = placeOf(state);
	const words = linked(
		glyphs.between,
		state.namespace === undefined ? '' : `namespace ${state.namespace}`,
		filter === '' || screenOf(state).kind !== 'table' ? '' : `filter ${filter}`,
		counted(state.marks.size, 'marked'),
	);
	const complaint = shown?.complaint ? [span(`   ${shown.complaint}`, 'bad')] : [];
	return words === '' ? [] : [line(span(` ${words}`, 'mark'), ...complaint)];
}

/** The most important keys of the screen, and which rows are visible. */
export function keyLine(view: View, first: number, count: number): Line {
	const {state, size, shown, glyphs} = view;
	const screen = screenOf(state);
	const {kind, view: name} = screen;
	const isMenu = name === 'menu';
	const isReading = kind === 'detail' || state.helpTop !== undefined;
	const total = shown?.rows.length ?? 0;
	const right =
		shown && total > 0 && kind === 'table' && !isReading
			? `${first + 1}${glyphs.none}${Math.min(first + count, total)} of ${total} `
			: '';
	const isOfPods = name === 'nodes' || name === 'zones';
	const openHint =
		kind === 'choice' ? 'ask' : isMenu ? 'open' : kind === 'detail' ? 'all' : isOfPods ? 'pods' : 'why';
	const hintOf = (action: KeyAction) => (action === 'open' ? openHint : specOf(action).hint);
	const keyOf = (action: KeyAction): string => {
		const [key] = specOf(action).keys;
		return key === 'enter' ? glyphs.enter : key;
	};
	const spans: StyledText[] =
		isReading || isMenu || kind === 'choice' ? [span(` ${keyOf('back')}`, 'key'), span(' back ', 'dim')] : [];
	for (const action of actions) {
		const hint = hintOf(action);
		if (hint === undefined || !isUsable(action, view)) continue;
		const hasAll = state.helpTop === undefined && screen.kind === 'detail' && hasMore(screen);
		if (isReading && action === 'open' && !hasAll) continue;
		if (action === 'describe' && (isReading || kind === 'choice' || !isOfPods)) continue;
		if (action === 'whatIf' && !canAsk(view)) continue;
		if (isMenu && !menuActions.includes(action)) continue;
		if ((isReading || kind === 'choice') && tableActions.includes(action)) continue;
		const next = [span(` ${keyOf(action)}`, 'key'), span(` ${hint} `, 'dim')];
		if (widthOfSpans([...spans, ...next]) + right.length + 8 > size.columns && action !== 'help') continue;
		spans.push(...next);
	}
	return apart(spans, span(right, 'dim'), size.columns);
}

/** Whether there are questions about the row, or the details. */
function canAsk({state, shown}: View) {
	const screen = screenOf(state);
	if (state.helpTop !== undefined) return false;
	if (screen.kind !== 'detail') return screen.kind === 'table' && shown?.table.targetOf !== undefined;
	return screen.target !== undefined && !screen.question;
}

const tableActions: readonly KeyAction[] = ['filter', 'namespace'];
const menuActions: readonly KeyAction[] = ['open', 'filter', 'help', 'quit'];

/** Whether a key does anything here: some are only for simulations or recordings. */
export function isUsable(action: KeyAction, {menu, source: {tape, save, speed}}: View) {
	if (isTapeMove(action)) return tape !== undefined;
	if (action === 'save') return save !== undefined;
	if (action === 'faster' || action === 'slower') return speed !== undefined;
	return action === 'menu' ? menu !== undefined : true;
}
