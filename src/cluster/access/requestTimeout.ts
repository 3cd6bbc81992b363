import {parseGoDuration} from '../../core/model/goValues.ts';
import {type Duration, second} from '../../core/time/instant.ts';

/**
 * Reads `--request-timeout` as kubectl does: `1m30s`, or a bare number of seconds; zero means none. Undefined for
 * anything else.
 *
 * @upstream kubernetes v1.36.3 staging/src/k8s.io/client-go/tools/clientcmd/helpers.go ParseTimeout
 */
export function parseRequestTimeout(text: string): Duration | undefined {
	if (/^\d+$/.test(text)) return Number(text) * second;
	try {
		const timeout = parseGoDuration(text);
		return timeout >= 0 ? timeout : undefined;
	} catch {
		return undefined;
	}
}
