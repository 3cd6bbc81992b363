import {expect, test} from 'vitest';
import {parseCommandLine} from '../../../cmd/commands/commandTable.ts';
import {watchText} from '../../../cmd/lists/listOnce.ts';
import {aForecast, aNodeForecast, aPodForecast, inSeconds} from '../../print/forecasts.ts';

const pod = aPodForecast({verdict: 'Expected', node: 'n1'});
const silent = aNodeForecast({name: 'n1', verdict: 'Silent', unknown: inSeconds(18, 23)});

test.for([
	{
		name: 'a pod waits for a pass that may come any second',
		said: 'With -w, times of Expected pods are known up to 5s better: a watch sees when monitor passes run.\n',
	},
	{name: 'the pass is known', unknown: inSeconds(18, 19), said: ''},
	{name: 'its node is Unknown already', unknown: null, said: ''},
	{name: 'its countdown runs', verdict: 'Scheduled' as const, said: ''},
	{name: 'it is in another namespace', namespace: 'bank', said: ''},
	{name: 'zones are listed', line: 'zones', said: ''},
])(
	'one look at pods says what a watch would narrow: $name',
	({unknown, verdict, namespace, line = 'pods', said}) => {
		const pods = [verdict ? {...pod, verdict} : pod];
		const nodes = [unknown === undefined ? silent : {...silent, unknown}];
		expect(watchText(aForecast({pods, nodes}), namespace, parseCommandLine([line]))).toBe(said);
	},
);
