import type {DemoScenario} from '../src/demo/scenarios.ts';
import {medianOf} from '../src/forecast/score/score.ts';
import {formatDuration} from '../src/print/countdown.ts';
import {escapeForCell} from '../src/print/escape.ts';
import type {Kind} from '../src/print/kind.ts';
import {pods} from '../src/print/pods.ts';
import {formatWidth} from '../src/print/score.ts';
import {TabWriter} from '../src/print/tabWriter.ts';
import {zones} from '../src/print/zones.ts';
import {formatClock, formatPrediction} from './demoFormat.ts';
import {headline, isComing} from './demoHeadline.ts';
import {type DemoDeletion, isAsPredicted, widthsOf} from './demoPredictions.ts';
import type {DemoScene} from './demoWatch.ts';

/** Makes the frames of one demo. Columns keep their widths from one to the next, so that nothing jumps. */
export class DemoFrames {
	readonly #title: string;
	readonly #speed: number;
	readonly #zones = new TabWriter();
	readonly #pods = new TabWriter();
	readonly #deletions = new TabWriter();

	constructor({name, title}: DemoScenario, speed: number) {
		this.#title = `${name}: ${title}`;
		this.#speed = speed;
	}

	/** The lines of a frame, as many as there is room for. */
	frame(scene: DemoScene, rows: number): readonly string[] {
		const {forecast, now, startedAt} = scene;
		const clock = `${formatClock(now)} UTC, ${formatDuration(now - startedAt)} into the demo`;
		const top = [
			this.#title,
			`${clock}, at ${this.#speed}x speed. Press q to quit.`,
			...forecast.problems.map(({message}) => `Warning: ${escapeForCell(message)}`),
			'',
			headline(forecast, now),
			'',
			...this.#table(this.#zones, zones, forecast.zones.toSorted(zones.compare), scene),
			'',
		];
		const room = Math.max(0, rows - 1 - top.length);
		const {deletions} = scene.predictions;
		const below = deletions.length > 0 ? this.#happened(deletions, shareOf(room)) : [];
		return [...top, ...this.#next(scene, room - below.length), ...below];
	}

	#next(scene: DemoScene, room: number): readonly string[] {
		const coming = scene.forecast.pods.filter(isComing).toSorted(pods.compare);
		if (coming.length === 0) return ['Nothing is about to be evicted.', ''].slice(0, room);
		// A header, an empty line after, and perhaps how many more there are.
		const [fits, fewer] = [Math.max(0, room - 2), Math.max(0, room - 3)];
		const shown = coming.length <= fits ? coming : coming.slice(0, fewer);
		const more = coming.length > shown.length ? [`+ ${coming.length - shown.length} more`] : [];
		return [...this.#table(this.#pods, pods, shown, scene), ...more, ''];
	}

	#table<Item>(writer: TabWriter, kind: Kind<Item>, items: readonly Item[], {now}: DemoScene) {
		const columns = kind.columns.filter(({isWide}) => !isWide);
		const rows = items.map((item) => columns.map(({cell}) => escapeForCell(cell(item, now))));
		return linesOf(writer.write([columns.map(({title}) => title), ...rows]));
	}

	#happened(deletions: readonly DemoDeletion[], room: number): readonly string[] {
		const inside = deletions.filter(isAsPredicted).length;
		const whichOf = inside === deletions.length ? 'all' : `${inside} of them`;
		const width = medianOf(widthsOf(deletions));
		const wide = width === null ? '' : `, median width ${formatWidth(width)}`;
		const tally = `Deleted so far: ${deletions.length}, ${whichOf} within the predicted ranges${wide}`;
		const rows = deletions.toReversed().slice(0, Math.max(0, room - 2));
		const table = this.#deletions.write([
			['DELETED', 'PREDICTED', 'SAID', 'INSIDE', 'NAMESPACE', 'NAME'],
			...rows.map(deletionRow),
		]);
		return [tally, ...linesOf(table)];
	}
}

/** What happened gets a third of the screen, and no less than one row. */
const shareOf = (room: number): number => Math.max(3, Math.floor(room / 3));

// Names come last, since they are what a narrow screen can best do without.
function deletionRow({pod, at, first, missed}: DemoDeletion): readonly string[] {
	const name = [escapeForCell(pod.namespace), escapeForCell(pod.name)];
	const told = missed ?? first;
	if (!told) return [formatClock(at), '-', '-', 'not predicted', ...name];
	const said = `${formatDuration(at - told.madeAt)} before`;
	return [formatClock(at), formatPrediction(told), said, missed ? 'NO' : 'yes', ...name];
}

const linesOf = (text: string): readonly string[] => text.split('\n').slice(0, -1);
