import {expect, test} from 'vitest';
import {formatJson, formatJsonLine, formatJsonList, itemJson, listJson} from '../../src/print/json/json.ts';
import {jsonOf} from '../../src/print/json/jsonOf.ts';
import {formatYaml} from '../../src/print/json/yaml.ts';
import {pods} from '../../src/print/tables/podKind.ts';
import {aForecast, aPodForecast, inSeconds, now} from './forecasts.ts';

test('a list of pods keeps the contract, letter for letter', () => {
	const forecast = aForecast({problems: [{reason: 'LeasesForbidden', message: 'leases may not be read'}]});
	expect(formatJson(listJson(pods, [aPodForecast()], forecast))).toBe(`{
    "apiVersion": "evictwatch.dev/v1",
    "kind": "PodForecastList",
    "metadata": {
        "observedAt": "2026-01-31T14:00:00.000Z",
        "source": "cluster",
        "kubernetesVersion": "v1.36.3",
        "problems": [
            {
                "reason": "LeasesForbidden",
                "message": "leases may not be read"
            }
        ]
    },
    "items": [
        {
            "kind": "PodForecast",
            "metadata": {
                "namespace": "shop",
                "name": "cart-0",
                "uid": "uid-cart-0",
                "labels": {}
            },
            "node": "n1",
            "zone": "eu/a",
            "verdict": "Scheduled",
            "eviction": {
                "earliest": "2026-01-31T14:04:10.000Z",
                "expected": "2026-01-31T14:04:36.000Z",
                "latest": "2026-01-31T14:05:02.000Z",
                "likely": {
                    "from": "2026-01-31T14:04:15.200Z",
                    "until": "2026-01-31T14:04:56.800Z"
                }
            },
            "cause": {
                "kind": "Taint",
                "taint": "node.kubernetes.io/unreachable:NoExecute",
                "tolerationSeconds": 300
            },
            "held": null,
            "because": [
                "n1 is unreachable",
                "cart-0 tolerates that for 300s"
            ],
            "reasons": [],
            "after": {
                "outcome": "StuckTerminating",
                "detail": "its kubelet is gone"
            },
            "owner": null
        }
    ]
}
`);
});

test('a held pod says by what, since when, and when it would go', () => {
	const held = {
		by: 'zone eu/a',
		since: now - 60_000,
		releasedBy: '2 nodes',
		ifReleasedNow: inSeconds(5, null),
	};
	expect(jsonOf(itemJson(pods, aPodForecast({verdict: 'Held', eviction: null, held})))).toMatchObject({
		verdict: 'Held',
		eviction: null,
		held: {
			by: 'zone eu/a',
			since: '2026-01-31T13:59:00.000Z',
			releasedBy: '2 nodes',
			ifReleasedNow: {
				earliest: '2026-01-31T14:00:05.000Z',
				expected: '2026-01-31T14:00:05.000Z',
				latest: null,
			},
		},
	});
});

test('in a stream each value has one line', () => {
	expect(formatJsonLine({kind: 'PodForecast', because: ['a', '\u009b']})).toBe(
		'{"kind":"PodForecast","because":["a","\\u009b"]}\n',
	);
});

test('YAML quotes what YAML 1.1 would misread, and escapes what a terminal must not see', () => {
	const value = {
		time: '2026-01-31T14:00:00.000Z',
		name: 'on',
		bad: 'a\u009b2J',
		items: [],
		because: ['a: b'],
		n: 1,
	};
	expect(formatYaml(value)).toBe(`bad: "a\\u009b2J"
because:
- "a: b"
items: []
"n": 1
name: "on"
time: "2026-01-31T14:00:00.000Z"
`);
});

test.for([0, 1, 500, 501, 1203])('%i items piece by piece are the same text as all at once', (count) => {
	const items = Array.from({length: count}, (_, index) =>
		aPodForecast({name: `pod-${index}`, because: ['a\n"b": []']}),
	);
	const forecast = aForecast({problems: [{reason: 'LeasesForbidden', message: 'no "items": [] here'}]});
	expect([...formatJsonList(pods, items, forecast)].join('')).toBe(
		formatJson(listJson(pods, items, forecast)),
	);
});
