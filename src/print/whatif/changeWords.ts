import {grouped} from '../../core/collections/grouped.ts';
import {formatTaint} from '../../core/model/taint.ts';
import type {Instant} from '../../core/time/instant.ts';
import {formatDuration} from '../../dates/duration.ts';
import {clockTime} from '../../dates/utc.ts';
import {formatSettingValue} from '../../forecast/settings/setting.ts';
import {type Change, nodeOfChange} from '../../forecast/simulate/change.ts';
import {someOf} from '../../forecast/words.ts';

/** Describes a change of a what-if: `node n1 falls silent`. */
export function changeWords(change: Change): string {
	switch (change.type) {
		case 'nodeDown':
			return `node ${change.node} falls silent`;
		case 'nodeBack':
			return `node ${change.node} comes back`;
		case 'deleteNode':
			return `the Node object ${change.node} is deleted`;
		case 'cordon':
			return `node ${change.node} is ${change.unschedulable ? 'cordoned' : 'uncordoned'}`;
		case 'taint':
			return `node ${change.node} is tainted ${formatTaint(change.taint)}`;
		case 'untaint':
			return `the taint ${change.key}${change.effect ? `:${change.effect}` : ''} is removed from node ${change.node}`;
		case 'deviceTaint': {
			const {driver, pool, device} = change.device;
			return `device ${device} (${driver}, pool ${pool}) is tainted ${formatTaint(change.taint)}`;
		}
		case 'tolerations':
			return `pod ${change.pod} gets other tolerations`;
		case 'controllersDown':
			return change.lostWith === undefined
				? 'no controller manager runs any more'
				: `the controller manager, which ran on node ${change.lostWith}, is lost`;
		case 'controllersStart':
			return `a new controller manager starts${settingsWords(change.settings)}`;
	}
}

/** `nodes a1, a2, a3 and 1 more fall silent`. */
function nodesWords(alike: readonly Change[]): string {
	const names = alike.flatMap((change) => nodeOfChange(change) ?? []);
	return `nodes ${someOf(names, 6)} ${alike[0]?.type === 'nodeBack' ? 'come back' : 'fall silent'}`;
}

function settingsWords(settings: Readonly<Record<string, unknown>> | undefined): string {
	const texts = Object.entries(settings ?? {}).map(([name, value]) => {
		const flag = name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
		return `${flag}=${valueText(name, value)}`;
	});
	return texts.length > 0 ? ` with ${texts.join(', ')}` : '';
}

/** A setting's value in flag format. */
const valueText = (key: string, value: unknown) =>
	typeof value === 'number' && /(Period|Timeout)$/.test(key)
		? formatSettingValue(value, 'duration')
		: String(value);

/** The assumed changes, as the beginning of the answer: `If node c1 falls silent now (22:00:48Z)`, one per line, nodes lost or back together in one. */
export function changesText(changes: readonly Change[], now: Instant): string {
	const together = grouped(changes, (change) =>
		change.type === 'nodeDown' || change.type === 'nodeBack' ? `${change.type} ${change.at}` : change,
	);
	const lines = together.map(([, alike], index) => {
		const [change] = alike;
		const at = clockTime(change.at, now);
		const when = change.at <= now ? `now (${at})` : `at ${at} (in ${formatDuration(change.at - now)})`;
		return `${index === 0 ? 'If' : 'and'} ${alike.length === 1 ? changeWords(change) : nodesWords(alike)} ${when}`;
	});
	return `${lines.join('\n')}:\n`;
}
