import {learning} from '../../src/forecast/settingsLearner.ts';
import type {Recording} from '../../src/recording/format/recording.ts';
import {Session} from '../../src/session/session.ts';
import {UserError} from '../../src/text/userError.ts';
import type {Options} from '../args/options.ts';
import {speedOf} from '../args/quantities.ts';
import type {Terminal} from '../output/terminal.ts';
import {warnings} from '../output/warnings.ts';
import {Deletions} from '../sources/deletions.ts';
import {ImpactDecorator} from '../sources/impactDecorator.ts';
import {PressureStage} from '../sources/pressureStage.ts';
import {settingsOfRecording} from '../sources/recordedSettings.ts';
import {ListDisplay} from './listDisplay.ts';
import {type Listing, printsOutcomes} from './listings.ts';

/** Prints what a watch would have printed during the recording: at once, or at the pace of `--speed`. */
export async function followRecording<Item>(
	listing: Listing<Item>,
	recording: Recording,
	options: Options,
	terminal: Terminal,
): Promise<number> {
	const {evidence} = settingsOfRecording(options.controller, recording.header);
	const known = learning(evidence);
	const namespace = options.filter.allNamespaces ? undefined : options.flags.namespace;
	const deletions = new Deletions(known.store, namespace);
	const recorded = {speed: speedOf(options.flags.speed)};
	const {forecaster} = known;
	const display = new ListDisplay({listing, namespace, options, terminal, deletions, recorded, forecaster});
	const impact = printsOutcomes(options) ? [new ImpactDecorator({of: () => session.related})] : [];
	const stages = [new PressureStage(known.store), ...impact];
	const session: Session = new Session({...known, ledger: deletions, stages, display, taps: [display]});
	await session.play(recording.entries());
	if (!display.hasShown) throw new UserError(`nothing was seen while ${recording.name} was written`, '');
	await terminal.printError(warnings(recording.problems, recording.startedAt, options));
	await display.end();
	return 0;
}
