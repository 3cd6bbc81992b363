import type {ZoneState} from '../../core/nodelifecycle/zones/zoneState.ts';
import type {Instant} from '../../core/time/instant.ts';
import type {TextMap} from '../../text/textMap.ts';
import type {NodeVerdict} from '../nodeForecast.ts';
import type {Interval} from '../observe/interval.ts';
import type {Held, PodVerdict, Reason} from '../podForecast.ts';
import {Range} from '../range.ts';
import {isoTime, type When, whenWords} from '../words.ts';

/** What to explain. A zone's name is `region/zone`. */
export type Target =
	| {readonly kind: 'pod'; readonly namespace: string; readonly name: string}
	| {readonly kind: 'node' | 'zone'; readonly name: string};

/** One piece of evidence: the value of an object's field, or what a controller must have done. */
export type Fact = Readonly<{
	/** `node/n1`, `lease/kube-node-lease/n1`; `controller` for facts that no object shows. */
	object: string;
	/** As in kubectl's JSONPath, if there is such a field. */
	field: string;
	value: string;
	/** What wrote it, or how to read it; may be empty. */
	note: string;
}>;

/** One step between a node's last sign of life and a pod's deletion. */
export type Step = Readonly<{
	at: When;
	what: string;
	/** The controllers' rule behind it, with the flag that sets it; null if there is none. */
	rule: string | null;
	evidence: readonly Fact[];
	/** Whether it has no effect on the result: a short answer omits it. */
	isAside?: true;
	/** Whether it follows the deletion. */
	isAftermath?: true;
}>;

/** The names of reasons that keep a pod, may keep it, or are wrongly believed to. */
type ReasonName =
	| 'AllZonesDown'
	| 'AlreadyTerminating'
	| 'BudgetIgnored'
	| 'ContainerLimit'
	| 'ControllerDisabled'
	| 'ControllerDown'
	| 'DaemonSetPod'
	| 'DeletionDenied'
	| 'ExcludedFromDisruptionChecks'
	| 'FinishedPod'
	| 'LeftoverKey'
	| 'NodeGone'
	| 'NodeReturned'
	| 'NodeWell'
	| 'NodeUnseen'
	| 'NotBound'
	| 'NothingShort'
	| 'OnlyNoSchedule'
	| 'OthersFirst'
	| 'Overdue'
	| 'PressureUnseen'
	| 'ProtectedFromKubelet'
	| 'StaticPod'
	| 'ToleratesForEver'
	| 'Undecided'
	| 'ZoneStopped';

/** Something that keeps a pod from eviction, may keep it, or is wrongly believed to. */
export type WhyNot = Step & {
	readonly reason: ReasonName;
	/** `DoesNotPrevent` marks a common wrong belief. */
	readonly effect: 'Prevents' | 'MayPrevent' | 'DoesNotPrevent';
};

/** Why a pod, node or zone has its forecast: everything that `explain` shows. */
export type Explanation = Readonly<{
	target: Target;
	verdict: PodVerdict | NodeVerdict | ZoneState;
	/** One sentence. */
	summary: string;
	/** When the pod is deleted, or the node gets its taint; null if neither happens. */
	eviction: Range | null;
	held: Held | null;
	/** The pressure conditions that are True on its node, if its kubelet may evict the pod. */
	pressedBy?: readonly string[];
	steps: readonly Step[];
	whyNot: readonly WhyNot[];
	assumptions: readonly string[];
	/** Whether it is a pod that stays Terminating because its kubelet is silent. */
	isStuck?: boolean;
}>;

/** A step whose rule and evidence are computed on demand: most steps are only shown as a sentence. */
export type Draft = Readonly<{
	/** Absent if it has no time of its own. */
	at?: When;
	what: string;
	/** As a text, or made on demand. */
	rule?: Step['rule'] | (() => Step['rule']);
	evidence?: () => Step['evidence'];
	isAside?: true;
	isAftermath?: true;
	/** What it is, where it is more than a step on the way; a reason's own name by default. */
	code?: string;
	/** What the sentence names, as data. */
	params?: TextMap;
}>;

/** A reason whose rule and evidence are computed on demand. */
export type ReasonDraft = Draft & Pick<WhyNot, 'reason' | 'effect'>;

/** The reasoning as sentences, and the steps of it that programs may tell apart. */
export type Reasoning = {
	readonly because: readonly string[];
	readonly reasons?: readonly Reason[] | undefined;
};

export const reasoningOf = (drafts: readonly (Draft | ReasonDraft)[], now: Instant): Reasoning => ({
	because: drafts.map((draft) => sentenceOf(draft, now)),
	reasons: drafts.flatMap((draft, sentence) => {
		const code = 'reason' in draft ? draft.reason : draft.code;
		return code === undefined ? [] : {code, params: draft.params ?? {}, sentence};
	}),
});

/** One reasoning after the other. */
export const followedBy = (first: Reasoning, then: Reasoning): Reasoning => ({
	because: [...first.because, ...then.because],
	reasons: [
		...(first.reasons ?? []),
		...(then.reasons ?? []).map((reason) => ({...reason, sentence: reason.sentence + first.because.length})),
	],
});

export const stepOf = ({at = null, what, isAside, isAftermath, rule = null, evidence}: Draft): Step => ({
	at,
	what,
	...(isAside && {isAside}),
	...(isAftermath && {isAftermath}),
	rule: typeof rule === 'function' ? rule() : rule,
	evidence: evidence?.() ?? [],
});

/** Completes a reason with its rule and its evidence. */
export const reasonOf = ({reason, effect, ...draft}: ReasonDraft): WhyNot => ({
	reason,
	effect,
	...stepOf(draft),
});

/** A step as one sentence, for lists of reasons. */
export function sentenceOf(draft: Draft | ReasonDraft, now: Instant): string {
	const {at = null, what} = draft;
	const when = whenWords(at, now);
	// A reason that prevents an eviction has done so since that time.
	const isLasting = 'effect' in draft && draft.effect === 'Prevents' && typeof at === 'number';
	return when === '' ? what : `${isLasting ? when.replace(/^at/, 'since') : when} ${what}`;
}

/** @param of an object's kind and name, or a pod itself, or a node, which has no namespace */
export const fact = (
	of: string | {readonly name: string; readonly namespace?: string},
	field: string,
	value: string,
	note = '',
): Fact => ({
	object:
		typeof of === 'string'
			? of
			: of.namespace === undefined
				? `node/${of.name}`
				: `pod/${of.namespace}/${of.name}`,
	field,
	value,
	note,
});

/** An interval as a range; null if it is unknown or unbounded. */
export const whenOf = (interval: Interval | undefined): When =>
	interval && Number.isFinite(interval.lo) && Number.isFinite(interval.hi) ? Range.over(interval) : null;

export const isoRange = ({lo, hi}: Interval) => (lo === hi ? isoTime(lo) : `${isoTime(lo)}/${isoTime(hi)}`);
