import {expect, test} from 'vitest';
import {answering} from '../../../cmd/dashboard/liveScreen.ts';
import {Questions} from '../../../cmd/dashboard/screenSession.ts';
import {RelatedReader} from '../../../cmd/sources/relatedReader.ts';
import {defaultSettings} from '../../../src/core/model/versionProfile.ts';
import {nothingRelated} from '../../../src/core/model/workloads/related.ts';
import {utc} from '../../../src/dates/timeZone.ts';
import {Forecaster} from '../../../src/forecast/forecaster.ts';
import {commandsIn} from '../../../src/ui/state/commands.ts';
import {aForecast, aNodeForecast, aZoneForecast, now} from '../../print/forecasts.ts';

const prod = {kubectl: '--context prod', evictwatch: '--context prod'};

const forecast = aForecast({
	nodes: [aNodeForecast({name: 'a1', zone: 'eu/a'}), aNodeForecast({name: 'a2', zone: 'eu/a'})],
	zones: [aZoneForecast({zone: 'eu/a'})],
});

test.for([
	{kind: 'node', name: 'a1', question: 'down', command: 'what-if --node-down a1'},
	{kind: 'zone', name: 'eu/a', question: 'down', command: 'what-if --zone-down eu/a'},
	{kind: 'node', name: 'a2', question: 'delete', command: 'what-if --delete-node a2'},
] as const)('no numbers of pods that are not read: $command', async ({kind, name, question, command}) => {
	const related = new RelatedReader({related: async () => nothingRelated, now: () => now});
	const forecaster = new Forecaster(defaultSettings);
	const ask = answering({questions: new Questions(), related, forecaster}, prod, () => 'left out');
	const lines = (await ask({kind, name}, question, now, forecast))(utc);
	expect(lines[0]).toMatch(/^Not known here: the pods of healthy nodes are not read/);
	expect(commandsIn(lines)).toEqual([`kubectl evictwatch ${command} --context prod`]);
});

test('while the pods are still being read there are no numbers of nodes, and there are once all are', async () => {
	const related = new RelatedReader({related: async () => nothingRelated, now: () => now});
	let why: 'being read' | undefined = 'being read';
	const questions = new Questions();
	const ask = answering({questions, related, forecaster: new Forecaster(defaultSettings)}, prod, () => why);
	const lines = (await ask({kind: 'node', name: 'a1'}, 'down', now, forecast))(utc);
	expect(lines).toEqual(['Not known yet: the pods are still being read. Ask again once all are.']);
	why = undefined;
	void ask({kind: 'node', name: 'a1'}, 'down', now, forecast);
	await expect.poll(() => questions.next()).toBeDefined();
});
