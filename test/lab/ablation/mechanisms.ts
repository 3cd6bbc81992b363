/** A mechanism of the forecast, and the replacement of text that takes it out. */
export type Mechanism = {
	readonly name: string;
	/** What goes with it: files of `src/forecast`, or the functions of one, as `infer/bucket.ts lastSwaps`. */
	readonly parts: readonly string[];
	/** In `src/forecast`. */
	readonly file: string;
	/** It occurs once in the file. */
	readonly from: string;
	readonly to: string;
};

// Each has three lines: its name, its parts and the file of the replacement; then what is replaced, and by what. Where a function
// begins by returning, the rest of it is never reached.
const table = `
ranges by formula: simulate/taintBoundsByChance.ts, simulate/briefTaints.ts, simulate/ensemble.ts nodesTouched: simulate/ensemble.ts
- nodesTouched(ofQuestion, affected);
+ affected.nodes;
briefTaints: simulate/briefTaints.ts: simulate/run.ts
- briefTaints({outcome: this.outcome, affected, settings, turnOf})
+ new Map()
queueOrder: simulate/queueOrder.ts: simulate/ensemble.ts
- isOrdered ? inOtherOrders(followed, affected, focus !== undefined) : []
+ []
turnOf: simulate/samePhaseRuns.ts turnOf: simulate/samePhaseRuns.ts
- if (!own || width(own) <= longPassFrom) return own;
+ return own;
slowedZone: simulate/slowedZone.ts, simulate/throttledOrder.ts, simulate/zoneInRun.ts: simulate/run.ts
- if (!this.state.settings.taintBasedEvictions || !isWidenedByPass(zone, this)) return asIs;
+ return asIs;
throttledOrder: simulate/throttledOrder.ts inAnyOrder, simulate/throttledOrder.ts arrivalOf: simulate/throttledOrder.ts
- const waiting = inRun.nodes.filter(waitsForTaint).length;
+ return taints; const waiting = 0;
queuedForNothing: infer/throttledPasses.ts queuedForNothing, infer/throttledPasses.ts #queuedBy, infer/throttledPasses.ts isQueuedAgain: infer/throttledPasses.ts
- return kept(this.#forNothing, zone, () => {
+ return 0; return kept(this.#forNothing, zone, () => {
findThrottledPass: infer/throttledPasses.ts findThrottledPass: infer/hiddenStates.ts
- const throttledPass = findThrottledPass(markingPasses);
+ const throttledPass = undefined;
maybeUnfinishedPass: infer/passInProgress.ts findMaybeUnfinishedPass, infer/passInProgress.ts lastWrite: infer/hiddenStates.ts
- throttledPass ? undefined : findMaybeUnfinishedPass(markingPasses);
+ undefined;
adoptedPass: infer/machine.ts adoptPassInProgress, infer/machine.ts asListed, infer/machine.ts countsOf: infer/machine.ts
- if (hypothesis.passInProgress)
+ if (false)
isJustDue: infer/hiddenStates.ts isJustDue: infer/hiddenStates.ts
- isSeen || (affected.nodes.length <= manyAffected && isJustDue(phase, now));
+ isSeen;
stretchedPasses: infer/passSchedule.ts stretchedPassesBefore, infer/passSchedule.ts periodsBetween: infer/hiddenStates.ts
- : stretchedPassesBefore(nextPass, period, phase.stretchedPasses, quantile);
+ : [];
isLastPassOver: infer/hiddenStates.ts withLastPassOver, infer/bucket.ts datedByPasses: infer/hiddenStates.ts
- return isLong ? [one, {...one, isLastPassOver: true}] : [one];
+ return [one];
withDeadOrAlive: infer/hiddenStates.ts withDeadOrAlive: infer/hiddenStates.ts
- if (!affected.nodes.some((one) => mayBeDead(one, affected, now))) return hypotheses;
+ return hypotheses;
isLongSettled: infer/passPhase.ts isLongSettled: infer/hiddenStates.ts
- && isLongSettled(late);
+ && false;
passPhase: infer/passPhase.ts carry, infer/passPhase.ts commonOf, observe/passes/groupIntoPasses.ts: infer/passPhase.ts
- const [best, ...others] = carried;
+ const [best, ...others] = carried.slice(carried.length);
passPhase, agreeing: infer/passPhase.ts commonOf: infer/passPhase.ts
- width(period) < second ? others : [];
+ [];
bucket: infer/bucket.ts: infer/bucket.ts
- if (staysStopped(question, swapped, taken)) return undefined;
+ return {lo: now, hi: now + refill};
bucket, lastSwaps: infer/bucket.ts lastSwaps, infer/bucket.ts withNotReadyBefore, infer/bucket.ts passesThatNotice: infer/bucket.ts
- const swapped = question.swaps.get(zone);
+ const swapped = undefined as Swap | undefined;
deletedIn: infer/bucket.ts deletedIn, infer/bucket.ts lastTokenOfDeleted: infer/bucket.ts
- deletedWaiting.filter((one) => one.zone === undefined || one.zone === zone);
+ [];
zonePast: infer/zonePast.ts nodesAt, infer/zonePast.ts wasReadyAt, infer/zonePast.ts withReadyUntil: infer/zonePast.ts
- if (!readyChangedAt || readyChangedAt[edge] <= pass) return isReady;
+ return isReady;
rateIfShrunk: infer/zonePast.ts rateIfShrunk: infer/zonePast.ts
- allDown ? rate : rateIfShrunk(zone, {state, count}, pass, affected, settings);
+ rate;
adoptedZones, freedBy: infer/adoptedZones.ts freedBy: infer/adoptedZones.ts
- isEarly(quantile) ? beginningOfTime : freedBy(past, affected, settings, schedule);
+ beginningOfTime;
adoptedZones, firstSwapsUntil: infer/adoptedZones.ts firstSwapsUntil: infer/adoptedZones.ts
- swappedUntil: firstSwapsUntil(down.length, one.rate, hypothesis, last),
+ swappedUntil: beginningOfTime,
adoptedZones, keepsOldTaint: infer/adoptedZones.ts keepsOldTaint: infer/adoptedZones.ts
- past.allDown && isEarly(quantile) && keepsOldTaint(affected);
+ false;
adoptedZones, joiningLast: infer/adoptedZones.ts joiningLast: infer/adoptedZones.ts
- joinsLast.names.has(node.name) ? joinsLast.at : joinedAt
+ joinedAt
adoptedEvictions, startAnew: infer/adoptedEvictions.ts startAnew, infer/adoptedEvictions.ts startAnewUnseen, infer/adoptedEvictions.ts recallNotReady: infer/adoptedZones.ts
- : startAnew(lifecycle, hypothesis, affected, settings);
+ : undefined;
adoptedEvictions, unseen: infer/adoptedEvictions.ts adoptUnseen, infer/adoptedEvictions.ts startAnewUnseen, infer/zonePast.ts lastMaybeAllDown: infer/adoptedZones.ts
- if (!settings.taintBasedEvictions && isEarly(quantile))
+ if (false)
controllerMemory, spared: infer/controllerMemory.ts isSpared: infer/controllerMemory.ts
- [quantile, ...laterQuantiles].find(isPossible) ?? latestEnd;
+ quantile;
controllerMemory, mayForgetBefore: infer/controllerMemory.ts mayForgetBefore: infer/controllerMemory.ts
- seenPost !== undefined && isEarly(quantile) && mayForgetBefore(seenPost, one, schedule, seenLease);
+ false;
settingsSpan: infer/passPhase.ts pacesOf, infer/hiddenStates.ts settingsFor: simulate/ensemble.ts
- export function* runEnsemble(observed: Observed, span: SettingsSpan): Pausable<Ensemble> {
+ export function* runEnsemble(observed: Observed, {usual}: SettingsSpan): Pausable<Ensemble> {const span = {earlyEnd: usual, usual, lateEnd: usual};
overlooked: observe/nodes/overlooked.ts: observe/affectedNodes.ts
- overlookedNodes({evidence, affected: {nodes}, settings, now}, longestGrace),
+ new Set(),
renewInterval, slowest: observe/nodes/renewInterval.ts usualRenewal, observe/nodes/renewInterval.ts slowestWith: observe/nodes/renewInterval.ts
- interval < 2 * renewInterval ? Math.max(interval, kept) : kept;
+ 0;
statusHeartbeats: observe/nodes/statusHeartbeats.ts withHeartbeat, observe/nodes/statusHeartbeats.ts heartbeatsAtFirstLook, observe/nodes/statusHeartbeats.ts isRegular: observe/nodes/statusHeartbeats.ts
- if (all.length < fewest) return {intervals: all, interval};
+ return {intervals: [], interval};
kubeletClock: observe/nodes/kubeletClock.ts: observe/nodes/kubeletClock.ts
- (one.isDelayed ? 0 : differenceOf(one));
+ 0;
leaseReads: observe/passes/leaseReads.ts: observe/passes/leaseReads.ts
- const silent = count();
+ const silent = 0;
leaseReads, widened: simulate/slowedZone.ts widenedByReads, simulate/slowedZone.ts readsDelayPasses: simulate/slowedZone.ts
- return readsWait(silent.length, settings) > 0;
+ return false;
passesDuringTaints: observe/passes/passesDuringTaints.ts: observe/passes/controllerEvidence.ts
- return passesDuringTaints(this.#observations.since(this.started.lo), this.#settings);
+ return [];
referencePods: observe/countdowns/referencePods.ts referencePodsAmong, observe/countdowns/referencePods.ts countdownsSince: observe/countdowns/timerEvidence.ts
- referencePodsAmong(spared, now);
+ referencePodsAmong(spared.slice(spared.length), now);
earlierTimers: observe/countdowns/timerAtFirstLook.ts earlierTimers, observe/countdowns/timerAtFirstLook.ts ranSince, observe/countdowns/referencePods.ts earlierUses: observe/countdowns/timerAtFirstLook.ts
- return since < addedBy - handling ? [{since, limit}] : [];
+ return [];
rewrittenSince: observe/countdowns/timerAtFirstLook.ts rewrittenSince, observe/countdowns/timerAtFirstLook.ts holdsNoLonger, observe/countdowns/timerAtFirstLook.ts countdownBefore: observe/countdowns/timerAtFirstLook.ts
- const rewritten = rewrittenSince(look) ?? never;
+ const rewritten = never;
events: observe/eventEvidence.ts: observe/eventEvidence.ts
- if (event.first.at > event.createdAt + second + trustedClock) return false;
+ return false;
deletionQueue: conclude/deletionQueue.ts: conclude/podOutcomes.ts
- if (way === 'byTaint') return this.#situation.deletions.waitOf(range, due);
+ return {longest: 0, usual: 0};
inForceDuring: infer/evictionStop.ts inForceDuring: infer/evictionStop.ts
- pass ? inForceDuring(pass, zones, observed) : zones;
+ zones;
`;

export const mechanisms: readonly Mechanism[] = table
	.trim()
	.split(/\n(?![-+])/)
	.map((block) => {
		const [head = '', from = '', to = ''] = block.split('\n');
		const [name = '', parts = '', file = ''] = head.split(': ');
		return {name, parts: parts.split(', '), file, from: from.slice(2), to: to.slice(2)};
	});

/** Takes a mechanism out of the text of its file. */
export function without({name, file, from, to}: Mechanism, text: string): string {
	const [before = '', after, ...others] = text.split(from);
	if (after === undefined || others.length > 0)
		throw new Error(
			`${name}: ${file} has ${from} not once, but ${after === undefined ? 0 : others.length + 1} times`,
		);
	return before + to + after;
}

/** How many lines a part has: a file, or a function or method of one, with its comment. */
export function linesOf(part: string, read: (file: string) => string): number {
	const [file = '', name] = part.split(' ');
	const lines = read(file).trimEnd().split('\n');
	if (name === undefined) return lines.length;
	const start = new RegExp(`^\\t?(?:export )?(?:function\\*? |const |get )?${name}\\b(?! ===)`);
	const first = lines.findIndex((line) => start.test(line));
	if (first < 0) throw new Error(`${file} has no ${name}`);
	const indent = lines[first]?.startsWith('\t') ? '\t' : '';
	const last = lines.findIndex(
		(line, index) => index > first && new RegExp(`^${indent}[})\\]]*;?$`).test(line),
	);
	const comment = lines.slice(0, first).findLastIndex((line) => !/^\s*(?:\/\*\*|\*)/.test(line));
	return last - comment;
}
