import {expect, test} from 'vitest';
import {zoneKey, zoneLabel} from '../../../src/core/model/zone.ts';

const beta = 'failure-domain.beta.kubernetes.io';
const stable = 'topology.kubernetes.io';

test.for([
	{name: 'a node without labels is in no zone', labels: {}, key: '', label: '<none>'},
	{
		name: 'region and zone make the key',
		labels: {[`${stable}/region`]: 'eu', [`${stable}/zone`]: 'a'},
		key: 'eu:\0:a',
		label: 'eu/a',
	},
	{
		name: 'the beta labels win over the stable ones',
		labels: {
			[`${stable}/region`]: 'eu',
			[`${stable}/zone`]: 'a',
			[`${beta}/region`]: 'us',
			[`${beta}/zone`]: 'b',
		},
		key: 'us:\0:b',
		label: 'us/b',
	},
	{
		name: 'region and zone may come from different generations of labels',
		labels: {[`${beta}/region`]: 'us', [`${stable}/zone`]: 'a'},
		key: 'us:\0:a',
		label: 'us/a',
	},
	{name: 'a zone alone is enough', labels: {[`${stable}/zone`]: 'a'}, key: ':\0:a', label: '<none>/a'},
	{name: 'a region alone is enough', labels: {[`${stable}/region`]: 'eu'}, key: 'eu:\0:', label: 'eu/<none>'},
	{
		name: 'empty labels are no zone',
		labels: {[`${stable}/region`]: '', [`${stable}/zone`]: ''},
		key: '',
		label: '<none>',
	},
	{
		name: 'an empty beta label hides the stable one',
		labels: {[`${beta}/zone`]: '', [`${stable}/zone`]: 'a'},
		key: '',
		label: '<none>',
	},
])('$name', ({labels, key, label}) => {
	expect([zoneKey({labels}), zoneLabel(key)]).toEqual([key, label]);
});
