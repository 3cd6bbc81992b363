import {expect, test} from 'vitest';
import {taintUnreachable} from '../../../../src/core/model/taint.ts';
import {settingsFor} from '../../../../src/core/model/versionProfile.ts';
import {second} from '../../../../src/core/time/instant.ts';
import {Forecaster} from '../../../../src/forecast/forecaster.ts';
import {aCondition, aLease, aNode, aPod, aTaint, tolerates} from '../../../support/builders.ts';
import {feed} from '../../../support/feed.ts';

const settings = settingsFor('v1.36.3');
const at = (seconds: number) => seconds * second;

const others = ['n2', 'n3'].map((name) => aNode(name));
const pod = aPod('web', {
	nodeName: 'n1',
	tolerations: [tolerates(taintUnreachable, 60)],
	// Marked in the pass that set the node to Unknown, so it was ready before.
	ready: 'False',
	readyChangedAt: at(1055),
});
const leases = (now: number) => [
	aLease('n1', at(1000)),
	aLease('n2', now - second),
	aLease('n3', now - second),
];

/** The node is tainted within a second of becoming Unknown; the write of the taint has a time. */
const tainted = aNode('n1', {
	conditions: [aCondition('Ready', 'Unknown', {lastTransitionTime: at(1055)})],
	taints: [aTaint(taintUnreachable, {timeAdded: at(1056)})],
	taintWrites: [{manager: 'kube-controller-manager', operation: 'Update', time: at(1056)}],
});

test.each([
	['in a gap of a watch', 'late'],
	['while this program was kept from reading', 'delayed'],
] as const)('a taint that came %s is known no worse than by one look', (_, type) => {
	const warm = new Forecaster(settings);
	const common = {source: 'cluster', pods: [pod], problems: []} as const;
	const before = {nodes: [aNode('n1'), ...others], leases: leases(at(1020)), observedAt: at(1020)};
	warm.observeSnapshot({...common, ...before});
	const renewed = leases(at(1060)).map((lease) => ({type: 'leaseApplied', lease}) as const);
	feed(warm, [...renewed, {type: 'nodeApplied', node: tainted}], at(1060), {type, since: at(1050)});
	const cold = new Forecaster(settings);
	const now = at(1060);
	cold.observeSnapshot({...common, nodes: [tainted, ...others], leases: leases(now), observedAt: now});
	const [ofWarm, ofCold] = [warm, cold].map((one) => one.forecast(now).pods[0]?.eviction);
	const widthOf = (range: typeof ofWarm) =>
		(range?.latest ?? Number.POSITIVE_INFINITY) - (range?.earliest ?? 0);
	expect(widthOf(ofCold)).toBeLessThan(at(4));
	expect(widthOf(ofWarm)).toBeLessThanOrEqual(widthOf(ofCold));
	expect(ofWarm?.earliest).toBeGreaterThan(at(1115));
});
