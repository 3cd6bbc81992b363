import type {Instant} from '../../core/time/instant.ts';
import type {Ending} from '../../forecast/conclude/endings.ts';
import type {AnswerPage} from '../answerPage.ts';
import {formatCountdown} from '../countdown.ts';
import {TabWriter} from '../tables/tabWriter.ts';
import {pressureOf} from './rescueCommand.ts';

/** Formats what ends a pod without intervention, the earliest first. */
export const formatEndings = (endings: readonly Ending[], node: string, page: AnswerPage) =>
	new TabWriter().write(
		endings.map((one) => [
			`  ${one.at ? whenOf(one, page.now) : 'not known here'}`,
			`${causeOf(one)}: ${actOf(one, node, page)}`,
		]),
	);

const whenOf = ({at, isCertain}: Ending, now: Instant) =>
	at === null ? '?' : `${isCertain || at.about !== null ? '' : 'perhaps '}${formatCountdown(at, now)}`;

function actOf({cause, at, asked, isForced}: Ending, node: string, page: AnswerPage): string {
	if (cause === 'NodePressure')
		return at === null
			? page.pasted(`${pressureOf(node)} -w`)
			: 'its kubelet evicts it, and it ends as Failed';
	if (cause === 'NodeShutdown') return 'its kubelet ends it, and it is Failed';
	if (!isForced) return 'it is deleted';
	return cause === 'OutOfService' && asked
		? 'it is deleted at once, and by force once the node is not ready'
		: 'it is deleted by force';
}

const causeOf = ({cause, by}: Ending) => `${causeWords[cause]}${by === undefined ? '' : ` by ${by}`}`;

const causeWords: Readonly<Record<Ending['cause'], string>> = {
	Taint: 'the taint of its node',
	NodeEviction: 'the eviction of its node',
	NodeDeleted: 'the Node object gone',
	OutOfService: 'the node out of service',
	NodePressure: 'pressure on its node',
	NodeRepair: 'the removal of its node',
	NodeRemoval: 'the removal of its node',
	NodeShutdown: 'the shutdown of its node',
	DeviceTaint: 'the taint of its device',
	EvictionRequest: 'a request to evict it',
};

const shortWords: Readonly<Record<Ending['cause'], string>> = {
	Taint: 'taint',
	NodeEviction: 'eviction',
	NodeDeleted: 'node gone',
	OutOfService: 'out of service',
	NodePressure: 'pressure',
	NodeRepair: 'node removed',
	NodeRemoval: 'node removed',
	NodeShutdown: 'node shutdown',
	DeviceTaint: 'device',
	EvictionRequest: 'request',
};

/** The same on one line: `node gone 40s-1m21s, taint 4m-4m1s`; `-` if there is nothing. */
export const endingsOnLine = (endings: readonly Ending[], now: Instant) =>
	endings.map((one) => `${shortWords[one.cause]} ${whenOf(one, now)}`).join(', ') || '-';
