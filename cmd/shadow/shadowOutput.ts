import {formatTimestampSeconds} from '../../src/dates/utc.ts';
import {goDuration} from '../../src/forecast/words.ts';
import type {DivergenceJson} from '../../src/print/contract/divergence.ts';
import {apiVersion} from '../../src/print/json/json.ts';
import {fieldsOf} from '../../src/print/json/jsonOf.ts';
import {formatClock} from '../../src/print/moment.ts';
import type {Divergence} from '../../src/shadow/compare/divergence.ts';
import {type Connection, pasted, shellWord, usualConnection} from '../../src/text/pasted.ts';
import {connectionOf} from '../args/connection.ts';
import type {Options} from '../args/options.ts';
import {documentPrinter, isDocumentFormat} from '../output/documentPrinter.ts';

/** Formats divergences, each as a line or a document. @throws UserError if a template cannot be parsed */
export async function divergenceFormat(options: Options): Promise<(one: Divergence) => Promise<string>> {
	const {output} = options;
	if (!isDocumentFormat(output)) return async (one) => `${divergenceLine(one, connectionOf(options))}\n`;
	const print = await documentPrinter(output, options);
	return (one) => {
		const document = divergenceJson(one);
		return print(document, [document]);
	};
}

export function divergenceJson(divergence: Divergence): DivergenceJson {
	const {id, kind, isAlarm} = divergence;
	return {
		apiVersion,
		kind: 'Divergence',
		metadata: {id},
		type: kind,
		...fieldsOf(divergence, 'action', 'object', 'zone', 'expected', 'actual', 'reason', 'because'),
		alarm: isAlarm,
		...fieldsOf(divergence, 'noticedAt', 'endedAt'),
	};
}

/** A divergence as one line: `2026-05-10T12:00:00Z ALARM Missing DeletePod pod/shop/cart-0 (eu/a): ...`. */
export function divergenceLine(divergence: Divergence, connection: Connection = usualConnection): string {
	const {kind, action, object, zone, expected, actual, reason, because, isAlarm, noticedAt, endedAt} =
		divergence;
	const name = object.namespace === undefined ? object.name : `${object.namespace}/${object.name}`;
	const at = endedAt ?? noticedAt;
	const parts = [
		expected === null ? 'not predicted' : `expected ${formatClock(expected, noticedAt)}`,
		...(actual === null ? [] : [`happened at ${formatTimestampSeconds(actual)}${missedBy(divergence)}`]),
		...(actual === null && endedAt !== null ? ['no longer expected'] : []),
	];
	const head = `${formatTimestampSeconds(at)} ${isAlarm ? 'ALARM' : 'note'} ${kind} ${action} ${object.kind.toLowerCase()}/${name} (${zone})`;
	return `${head}: ${parts.join(', ')}. ${reason}: ${because.join(' ')}${lookText(divergence, connection)}`;
}

/** The command that a person runs next; none once it is over. */
function lookText({object: {kind, namespace, name}, endedAt}: Divergence, connection: Connection): string {
	if (endedAt !== null) return '';
	const target = shellWord(`${kind.toLowerCase()}/${name}`);
	const scope = namespace === undefined ? '' : ` -n ${shellWord(namespace)}`;
	return ` Look: ${pasted(`kubectl evictwatch explain ${target}${scope}`, connection)}`;
}

function missedBy({expected, actual}: Divergence): string {
	if (!expected || actual === null) return '';
	const late = expected.latest === null ? 0 : actual - expected.latest;
	if (late > 0) return `, ${goDuration(Math.round(late / 100) * 100)} late`;
	const early = expected.earliest - actual;
	return early > 0 ? `, ${goDuration(Math.round(early / 100) * 100)} early` : '';
}
