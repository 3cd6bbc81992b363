import {expect, test} from 'vitest';
import {parseCommandLine} from '../../../cmd/commands/commandTable.ts';
import {UserError} from '../../../src/text/userError.ts';

test.for([
	{flag: '--leader-elect', instead: /two replicas/},
	{flag: '--leader-elect-resource-namespace=monitoring', instead: /two replicas/},
	{flag: '--leader-elect-resource-name=mine', instead: /two replicas/},
	{flag: '--notify=http://alertmanager:9093/api/v2/alerts', instead: /Alertmanager/},
	{flag: '--notify-format=json', instead: /Alertmanager/},
	{flag: '--notify-token-file=/etc/token', instead: /Alertmanager/},
	{flag: '--history=/var/lib/evictwatch', instead: /evictwatch_divergences_ended_total.*--log-format json/},
])('$flag has been removed, and says what to use instead', ({flag, instead}) => {
	try {
		parseCommandLine(['shadow', flag]);
		expect.unreachable();
	} catch (error) {
		expect(error).toBeInstanceOf(UserError);
		expect((error as UserError).message).toBe(`${flag.split('=')[0]} has been removed`);
		expect((error as UserError).hint).toMatch(instead);
	}
});
