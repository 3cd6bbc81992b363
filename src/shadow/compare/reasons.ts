import {podKey} from '../../core/model/pod.ts';
import {formatTaint, isNodeLifecycleTaint} from '../../core/model/taint.ts';
import {noExecuteTaints} from '../../core/tainteviction/taintEvictionController.ts';
import {type Duration, minute, second} from '../../core/time/instant.ts';
import {clockTime} from '../../forecast/words.ts';
import type {Blindness} from './blindness.ts';
import {type Case, type CaseExplanation, explained, timeOf} from './case.ts';
import type {ControllerWatch} from './controllerWatch.ts';
import {knownBug} from './knownBugs.ts';
import {otherSetting, type SettingClues} from './otherSetting.ts';
import type {SeenWorld} from './seenWorld.ts';
import type {WriteRhythm} from './writeRhythm.ts';

/** All that may explain a divergence. */
export type Clues = {
	readonly world: SeenWorld;
	readonly controllers: ControllerWatch;
	readonly blindness: Blindness;
	readonly writes: WriteRhythm;
	readonly version: string | undefined;
	readonly settingClues: (one: Case) => SettingClues;
};

/** Says why: first what is seen to be so, then what our own blindness could explain, then what is likely. */
export function explainCase(one: Case, clues: Clues): CaseExplanation {
	return (
		deletionDenied(one, clues) ??
		collectionDenied(one, clues) ??
		foreignWrite(one, clues) ??
		unseen(one, clues) ??
		ofController(one, clues) ??
		foreignTaint(one, clues) ??
		knownBug(one, clues.world, clues.version) ??
		unseenBeginning(one, clues) ??
		otherSetting(one, clues.settingClues(one)) ??
		throttled(one, clues) ??
		explained('Unexplained', 'Nothing that was seen explains it.')
	);
}

/** Nobody ran the controllers, or others took over: what came unforetold is the doing of those that run now. */
function ofController(one: Case, clues: Clues): CaseExplanation | undefined {
	const reasons = [absence, takeover];
	for (const reason of one.kind === 'Unexpected' ? reasons.toReversed() : reasons) {
		const explanation = reason(one, clues);
		if (explanation) return explanation;
	}
	return undefined;
}

function absence(one: Case, {controllers}: Clues): CaseExplanation | undefined {
	const away = controllers.absenceIn(timeOf(one));
	if (!away || one.kind === 'Early') return undefined;
	const until = Number.isFinite(away.hi) ? ` until ${clockTime(away.hi, one.now)}` : '';
	return explained(
		'ControllerDown',
		`No controller manager renewed its lease since ${clockTime(away.lo, one.now)}${until}.`,
	);
}

function takeover(one: Case, {controllers}: Clues): CaseExplanation | undefined {
	const {lo, hi} = timeOf(one);
	const found = controllers.takeoverIn({lo, hi: hi + settle});
	if (!found) return undefined;
	return explained(
		'ControllerRestarted',
		`Another controller manager took over at ${clockTime(found.at.lo, one.now)}: it takes off the taints, and every countdown begins again.`,
	);
}

/** The word of a takeover may come a moment after what it brings. */
const settle: Duration = 3 * second;

/** How long the five tries of a deletion take, and more. */
export const tryingFor: Duration = 8 * second;

/** The controller marked the pod, and the pod is not deleted; it may have been kept from it, or we from seeing it. */
function deletionDenied({action, kind, pod, now}: Case, clues: Clues): CaseExplanation | undefined {
	const {world, writes, blindness, controllers} = clues;
	if (action !== 'DeletePod' || !pod || (kind !== 'Missing' && kind !== 'Late')) return undefined;
	const current = world.podOf(podKey(pod), pod.uid) ?? pod;
	const tried = world.tries.get(podKey(pod));
	const triedAt =
		current.evictedAt ?? (tried && tried.createdAt >= pod.createdAt ? tried.last.at : undefined);
	if (triedAt === undefined || kind === 'Late') return undefined;
	// It may wait in the line of the controller's client: pods are marked first, all of them.
	const time = {lo: triedAt, hi: now};
	if (now - triedAt < tryingFor || writes.busyIn(time) !== undefined) return undefined;
	if (blindness.unseenIn(time) !== undefined) return undefined;
	// Who takes over later starts the countdown again, and is denied the same.
	const tries = {lo: triedAt, hi: Math.min(now + settle, triedAt + tryingFor)};
	if (controllers.absenceIn(tries) || controllers.takeoverIn(tries)) return undefined;
	const after =
		current.evictedAt === undefined ? 'said that it deletes the pod' : 'marked the pod as its target';
	return explained('DeletionDenied', [
		`The controller ${after} at ${clockTime(triedAt, now)}, and the pod is not deleted: an admission webhook or policy denies it.`,
		'After five tries the controller gives the pod up, as kubernetes/kubernetes#140639 tells.',
	]);
}

/** The pod garbage collector marked a pod whose node is gone, and it is not deleted. */
function collectionDenied(
	{action, kind, pod, now}: Case,
	{world, blindness}: Clues,
): CaseExplanation | undefined {
	if (action !== 'CollectPod' || kind !== 'Missing' || !pod) return undefined;
	const marked = world.collected.get(podKey(pod));
	if (marked?.uid !== pod.uid || now - marked.at < tryingFor) return undefined;
	if (blindness.unseenIn({lo: marked.at, hi: now}) !== undefined) return undefined;
	return explained('DeletionDenied', [
		`The pod garbage collector marked the pod at ${clockTime(marked.at, now)}, as its node is gone, and the pod is not deleted: an admission webhook or policy denies it.`,
		'The collector tries again each time that it looks.',
	]);
}

/** Somebody else gave the node its taint, or took it: of several writes that were not seen, the newest tells nothing. */
function foreignWrite({action, writer, at}: Case, {blindness}: Clues): CaseExplanation | undefined {
	if (writer === undefined || (action !== 'TaintNode' && action !== 'UntaintNode')) return undefined;
	if (at && blindness.unseenIn(at) !== undefined) return undefined;
	const did = action === 'TaintNode' ? 'put the taint on' : 'took the taint off';
	return explained('ForeignTaint', `Not the controllers but ${writer} ${did}.`);
}

/** How long before a deletion somebody's taint explains it, where nothing foretold it. */
const recent: Duration = minute;

/** A pod goes for a taint that the controllers do not give. */
function foreignTaint({action, kind, node: name, at}: Case, {world}: Clues): CaseExplanation | undefined {
	const [node, changed] = [world.nodes.get(name), world.taintsChangedAt.get(name)];
	if (action !== 'DeletePod' || !node || !at || !changed || changed.hi < at.lo - recent) return undefined;
	const foreign = noExecuteTaints(node).filter((taint) => !isNodeLifecycleTaint(taint));
	if (foreign.length === 0 || kind === 'Late') return undefined;
	return explained(
		'ForeignTaint',
		`Its node has the taint ${foreign.map(formatTaint).join(', ')}, which somebody else put on it.`,
	);
}

function unseen(one: Case, {blindness}: Clues): CaseExplanation | undefined {
	const because = blindness.unseenIn(timeOf(one));
	return because === undefined ? undefined : explained('OwnBlindness', because);
}

function unseenBeginning({stateSince}: Case, {blindness}: Clues): CaseExplanation | undefined {
	const because = blindness.unseenBeginning(stateSince);
	return because === undefined ? undefined : explained('OwnBlindness', because);
}

/** The controllers were at work all the time, one write after the other. */
function throttled(one: Case, {writes}: Clues): CaseExplanation | undefined {
	const {kind, expected, at, now} = one;
	if ((kind !== 'Late' && kind !== 'Missing') || !expected || expected.latest === null) return undefined;
	const busy = writes.busyIn({lo: expected.latest, hi: at?.hi ?? now});
	if (busy === undefined) return undefined;
	return explained('Throttled', [
		`The controllers were busy all the time, with ${busy} writes that were seen: it waits in the line of their client.`,
	]);
}
