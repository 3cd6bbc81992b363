import {expect, test} from 'vitest';
import {answering} from '../../../cmd/dashboard/liveScreen.ts';
import {waitingQuestions} from '../../../cmd/dashboard/screenSession.ts';
import {relatedReader} from '../../../cmd/sources/relatedReader.ts';
import {defaultSettings} from '../../../src/core/model/versionProfile.ts';
import {nothingRelated} from '../../../src/core/model/workloads/related.ts';
import {utc} from '../../../src/dates/timeZone.ts';
import {largeCluster} from '../../../src/demo/world/scenarios.ts';
import {Forecaster} from '../../../src/forecast/forecaster.ts';
import {finish} from '../../../src/forecast/pausable.ts';
import {commandsIn} from '../../../src/ui/state/commands.ts';
import {ObservedWorld} from '../../demo/truth/observedWorld.ts';
import {aForecast, aNodeForecast, aZoneForecast, now} from '../../print/forecasts.ts';
import {aForecaster} from '../../support/aForecaster.ts';
import {feed} from '../../support/feed.ts';

const prod = {kubectl: '--context prod', evictwatch: '--context prod'};

const forecast = aForecast({
	nodes: Array.from({length: 25}, (_, index) => aNodeForecast({name: `a${index}`, zone: 'eu/a'})),
	zones: [aZoneForecast({zone: 'eu/a'})],
});
const present = () => ({now, forecast});
const related = relatedReader({related: async () => nothingRelated, now: () => now});

test('no numbers of the pods of many nodes that are not read', async () => {
	const forecaster = new Forecaster(defaultSettings);
	const ask = answering({questions: waitingQuestions(), related, forecaster}, prod, () => 'left out');
	const lines = (await ask({kind: 'zone', name: 'eu/a'}, 'down', present))(utc);
	expect(lines[0]).toMatch(/^Not known here: these healthy nodes are too many to read their pods/);
	expect(commandsIn(lines)).toEqual(['kubectl evictwatch what-if --zone-down eu/a --context prod']);
});

test('the pods of a healthy node are read before it is told what its loss would do', async () => {
	const dump = new ObservedWorld(largeCluster(4), now, 1, () => undefined).snapshot(now);
	const forecaster = aForecaster({}, {...dump, pods: []});
	const seen = () => ({now, forecast: forecaster.forecast(now)});
	const read = async (names: readonly string[]) => {
		const pods = dump.pods.filter(({nodeName}) => names.includes(nodeName));
		feed(
			forecaster,
			pods.map((pod) => ({type: 'podApplied', pod}) as const),
			now,
		);
		return true;
	};
	const questions = waitingQuestions();
	const ask = answering({questions, related, forecaster, read}, prod, () => 'left out');
	let text = '';
	ask({kind: 'node', name: 'a1'}, 'down', seen).then((answer) => {
		text = answer(utc).join('\n');
	});
	const step = () => {
		const work = questions.next();
		if (work) finish(work);
		return text;
	};
	await expect.poll(step).toMatch(/\d+ more pods will be evicted/);
});

test('while the pods are still being read there are no numbers of nodes, and there are once all are', async () => {
	let why: 'being read' | undefined = 'being read';
	const questions = waitingQuestions();
	const ask = answering({questions, related, forecaster: new Forecaster(defaultSettings)}, prod, () => why);
	const lines = (await ask({kind: 'node', name: 'a1'}, 'down', present))(utc);
	expect(lines).toEqual(['Not known yet: the pods are still being read. Ask again once all are.']);
	why = undefined;
	void ask({kind: 'node', name: 'a1'}, 'down', present);
	await expect.poll(() => questions.next()).toBeDefined();
});
