import type {Timing} from '../../async/timing.ts';
import type {Problem} from '../../core/model/problem.ts';
import type {KubeletReport, PressureLook} from '../../core/nodepressure/pressureLook.ts';
import {type Duration, type Instant, second} from '../../core/time/instant.ts';
import type {PressureLooker} from './pressureLooker.ts';

/** Who is looked at, and who is told. */
export type PressureListener = {
	/** The nodes that are to be looked at now, the most urgent first. */
	readonly wanted: (now: Instant) => readonly string[];
	readonly onLook: (look: PressureLook) => void;
	/** What kubelets reported lately, all of them. */
	readonly onReports: (reports: readonly KubeletReport[]) => void;
	/** All that is wrong, whenever that changes. */
	readonly onProblems: (problems: readonly Problem[]) => void;
};

/** The rhythm of the kubelets' own passes. */
const lookEvery: Duration = 10 * second;
const reportsEvery: Duration = 30 * second;
/** In a large outage not every node can be looked at each time: those that waited longest come first. */
const mostNodes = 40;

/** Looks at the pressure of the nodes that are wanted, each ten seconds, until aborted. */
export async function watchPressure(
	looker: PressureLooker,
	listener: PressureListener,
	{now, sleep}: Pick<Timing, 'now' | 'sleep'>,
	signal: AbortSignal,
): Promise<void> {
	const lookedAt = new Map<string, Instant>();
	let reportsAt = Number.NEGATIVE_INFINITY;
	let told = '[]';
	while (!signal.aborted) {
		if (now() - reportsAt >= reportsEvery) {
			reportsAt = now();
			const reports = await looker.reports(signal);
			if (reports && !signal.aborted) listener.onReports(reports);
		}
		const wanted = listener.wanted(now());
		looker.keep(wanted);
		const lastOf = (name: string) => lookedAt.get(name) ?? Number.NEGATIVE_INFINITY;
		const due = wanted
			.filter((name) => now() - lastOf(name) >= lookEvery)
			.toSorted((a, b) => Math.sign(lastOf(a) - lastOf(b)) || 0)
			.slice(0, mostNodes);
		for (const name of due) lookedAt.set(name, now());
		await looker.lookAt(due, (look) => (signal.aborted ? undefined : listener.onLook(look)), signal);
		const text = JSON.stringify(looker.problems);
		if (text !== told && !signal.aborted) {
			told = text;
			listener.onProblems(looker.problems);
		}
		if (!signal.aborted) await sleep(second, signal);
	}
}
