import {withoutPrefix} from '../../core/model/taint.ts';
import {isSignal, resourceOf} from '../../core/nodepressure/thresholds/signal.ts';
import type {Instant} from '../../core/time/instant.ts';
import type {NodeVerdict} from '../../forecast/nodeForecast.ts';
import type {Cause, PodForecast} from '../../forecast/podForecast.ts';
import type {Range} from '../../forecast/range.ts';
import {stopInBrief} from '../../forecast/words.ts';
import {certaintyOf} from '../scene/certainty.ts';
import {age, countdown} from '../scene/spans.ts';
import type {Glyphs} from '../theme/glyphs.ts';
import {type StyledText, span} from '../theme/line.ts';
import type {Tone} from '../theme/palette.ts';
import {widthOf} from '../theme/text.ts';

/** When a pod is evicted, with the sign of its certainty. */
export function inCell(pod: PodForecast, now: Instant, glyphs: Glyphs): StyledText {
	const certainty = certaintyOf(pod);
	if (certainty && pod.eviction) {
		const when =
			pod.verdict === 'Overdue' ? `late ${overdueBy(pod.eviction, now)}` : countdown(pod.eviction, now);
		return span(`${glyphs.certainty[certainty]} ${when}`, certainty);
	}
	switch (pod.verdict) {
		case 'Held':
			return span(`${glyphs.held} held`, 'held');
		case 'Terminating':
			return span(`${glyphs.terminating} terminating`, 'dim');
		case 'Stays':
			return span(`${glyphs.stays} stays`, 'dim');
		case 'Safe':
			return span(`${glyphs.safe} ${glyphs.none}`, 'dim');
		default:
			return span(`${glyphs.certainty.possible} unsure`, 'possible');
	}
}

const overdueBy = ({earliest, latest}: Range, now: Instant): string => age(latest ?? earliest, now);

/** Why a pod is evicted, in a few words. */
export function becauseWords({cause, held, verdict}: PodForecast): string {
	if (held) return held.by;
	if (verdict === 'Terminating') return 'already deleted';
	return cause ? causeWords(cause) : '';
}

/** The shortest form of the cause; of what holds a pod, the longest that fits. */
export function briefCause({cause, held, verdict}: PodForecast, width: number): string {
	if (held) {
		const stop = stopInBrief(held.by);
		return widthOf(stop) <= width ? stop : stop.replace(/^evictions in (.+) are /, '$1 ');
	}
	if (verdict === 'Terminating' || !cause) return '';
	if (cause.kind === 'NodePressure') return `${shortOf(cause)} short`;
	if (cause.kind === 'NodeRepair') return 'node repair';
	if (cause.kind === 'NodeShutdown') return 'node shutdown';
	if (cause.kind === 'DeviceTaint') return `device ${cause.device}`;
	if (cause.taint === undefined) return 'node gone';
	const short = shortTaint(cause.taint);
	return cause.tolerationSeconds === undefined ? short : `${short} ${cause.tolerationSeconds ?? 0}s`;
}

/** A taint without the common prefix and effect. */
export const shortTaint = (taint: string): string => withoutPrefix(taint).replace(/:NoExecute$/, '');

function causeWords(cause: Cause): string {
	switch (cause.kind) {
		case 'NodeDeleted':
			return 'its node is gone';
		case 'NodeRepair':
			return `${cause.by ?? 'a controller'} replaces its node`;
		case 'NodeShutdown':
			return 'its node is shutting down';
		case 'DeviceTaint':
			return `device ${cause.device} of ${cause.driver}, pool ${cause.pool}: ${taintWords(cause)}`;
		case 'NodePressure':
			return `its kubelet: short of ${shortOf(cause)}`;
		default:
			return taintWords(cause);
	}
}

function taintWords({taint = '', tolerationSeconds}: Cause): string {
	const short = shortTaint(taint);
	const tolerated = tolerationSeconds ? `, tolerates ${tolerationSeconds}s` : ', not tolerated';
	return tolerationSeconds === undefined ? short : `${short}${tolerated}`;
}

/** The resource that is short when a kubelet evicts: `memory`, `ephemeral-storage`. */
function shortOf({signals = []}: Cause): string {
	const resources = signals.map((signal) => (isSignal(signal) ? resourceOf(signal) : 'own storage'));
	return [...new Set(resources)].join(' or ') || 'resources';
}

export const nodeTone: Readonly<Record<NodeVerdict, Tone>> = {
	Healthy: 'good',
	Late: 'possible',
	Silent: 'likely',
	NotReady: 'likely',
	Unknown: 'likely',
	Queued: 'certain',
	Held: 'held',
	Tainted: 'certain',
	Evicted: 'certain',
	Recovering: 'possible',
};

export function nodeSign(verdict: NodeVerdict, glyphs: Glyphs): string {
	switch (verdict) {
		case 'Healthy':
			return glyphs.safe;
		case 'Held':
			return glyphs.held;
		case 'Late':
		case 'Recovering':
			return glyphs.certainty.possible;
		case 'Queued':
		case 'Tainted':
		case 'Evicted':
			return glyphs.certainty.certain;
		default:
			return glyphs.certainty.likely;
	}
}

/** A count; undefined for zero. */
export const countCell = (count: number, tone: Tone): StyledText | undefined =>
	count > 0 ? span(String(count), tone) : undefined;

/** A countdown; undefined if there is no range. */
export const rangeCell = (range: Range | null, now: Instant, tone: Tone): StyledText | undefined =>
	range ? span(countdown(range, now), tone) : undefined;
