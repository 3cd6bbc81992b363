import {maxOf, minOf} from '../core/collections/extremes.ts';
import {unique} from '../core/collections/unique.ts';
import {nameOf} from '../core/model/objectName.ts';
import {workloadTitle} from '../core/model/workloads/workload.ts';
import {median, never, second} from '../core/time/instant.ts';
import {formatDuration} from '../dates/duration.ts';
import {count, linked} from '../forecast/words.ts';
import type {Outage} from './outage.ts';
import {clock, listed} from './words.ts';

/** An outage in a few sentences, the most important first. */
export function summaryOf(outage: Outage): readonly string[] {
	return [
		nodesSentence(outage),
		evictionsSentence(outage),
		stuckSentence(outage),
		kubeletsSentence(outage),
		workloadsSentence(outage),
		scoreSentence(outage),
		restSentence(outage),
	].filter((sentence) => sentence !== '');
}

function nodesSentence(outage: Outage): string {
	const {nodes, nodeCount} = outage;
	const names = unique(nodes.map(nameOf));
	if (names.length === 0) return `No node was in trouble: ${count(nodeCount, 'node')} were watched.`;
	const begin = minOf(
		nodes.map(({lastRenewal, unreadyAt, taintedAt}) => lastRenewal ?? unreadyAt ?? taintedAt ?? never),
	);
	const zones = unique(nodes.map(({zone}) => zone));
	const back = nodes.filter(({backAt}) => backAt !== null).length;
	const where =
		zones.length === 1 && zones[0] !== '<none>'
			? `, ${names.length === 1 ? 'in' : 'all in'} zone ${zones[0]},`
			: zones.length > 1
				? ` in ${zones.length} zones`
				: '';
	const since = Number.isFinite(begin) ? ` from ${clock(begin, outage)} on` : '';
	const after =
		back === 0
			? 'none of them was back at the end'
			: back >= nodes.length
				? 'all were back at the end'
				: `${back} came back`;
	return `${names.length} of ${count(nodeCount, 'node')}${where} ${names.length === 1 ? 'was' : 'were'} in trouble${since} (${listed(names)}); ${after}.`;
}

function evictionsSentence(outage: Outage): string {
	const {evictions} = outage;
	if (evictions.length === 0) return 'No eviction was seen.';
	const times = evictions.map(({deletedAt}) => deletedAt);
	const [first, last] = [minOf(times), maxOf(times)];
	const when =
		last - first < second
			? `at ${clock(first, outage)}`
			: `from ${clock(first, outage)} to ${clock(last, outage)}`;
	const workloads = new Set(
		evictions.map(({namespace, workload}) => `${namespace}/${workload.kind}/${workload.name}`),
	).size;
	return `${count(evictions.length, 'pod')} of ${count(workloads, 'workload')} ${evictions.length === 1 ? 'was' : 'were'} evicted ${when}.`;
}

function kubeletsSentence({byKubelets}: Outage): string {
	if (byKubelets.length === 0) return '';
	const nodes = unique(byKubelets.map(({node}) => node));
	const judged = byKubelets.filter(({isInside}) => isInside !== undefined);
	const inside = judged.filter(({isInside}) => isInside).length;
	const many = byKubelets.length !== 1;
	const unforeseen = byKubelets.length - judged.length;
	const held =
		judged.length === 0
			? 'this was not predicted'
			: inside === byKubelets.length
				? `within every range that named ${many ? 'them' : 'it'}`
				: `${inside} of ${judged.length} within every range that named ${judged.length === 1 ? 'it' : 'them'}` +
					(unforeseen > 0 ? `, ${unforeseen} not predicted` : '');
	return `${podsWere(byKubelets.length)} evicted by ${nodes.length === 1 ? 'the kubelet' : 'the kubelets'} of ${listed(nodes)}, which ran short: ${held}.`;
}

function stuckSentence({evictions}: Outage): string {
	const stuck = evictions.filter(({goneAt}) => goneAt === null).length;
	if (stuck === 0) return '';
	return `${stuck === evictions.length ? (stuck === 1 ? 'It' : 'All of them') : `${stuck} of them`} ${stuck === 1 ? 'was' : 'were'} still Terminating at the end.`;
}

function scoreSentence({score, evictions}: Outage): string {
	if (score.judged === 0)
		return evictions.length === 0 ? '' : 'Nothing was predicted for them: the recording began too late.';
	const lead = median(evictions.flatMap(({first}) => first?.lead ?? []));
	const width =
		score.medianWidth === null ? '' : `, in a range of ${(score.medianWidth / second).toFixed(1)} s (median)`;
	const early = lead === undefined ? '' : `; it was predicted ${formatDuration(lead)} before (median)`;
	const all = score.inside === score.judged ? `All ${score.judged}` : `${score.inside} of ${score.judged}`;
	const unforeseen =
		score.unforeseen > 0 ? ` ${count(score.unforeseen, 'eviction')} had not been predicted.` : '';
	const alarms = score.falseAlarms > 0 ? ` ${count(score.falseAlarms, 'false alarm')}.` : '';
	return `${all} came within the predicted range${width}${early}.${unforeseen}${alarms}`;
}

function restSentence({averted, stillComing, otherDeletions}: Outage): string {
	const told = (pods: number, what: string) => (pods > 0 ? `${podsWere(pods)} ${what}` : '');
	const rest = linked(
		'; ',
		told(averted.length, 'predicted to be evicted and stayed, because something changed'),
		told(stillComing, 'still to be evicted when the recording ends'),
		told(otherDeletions, 'deleted by others'),
	);
	return rest === '' ? '' : `${rest}.`;
}

/** `1 pod was`, `2 pods were`. */
const podsWere = (pods: number) => `${count(pods, 'pod')} ${pods === 1 ? 'was' : 'were'}`;

/** The effect on workloads in one sentence; empty if it is not known. */
function workloadsSentence({workloads}: Outage): string {
	const [first] = workloads;
	if (!first) return '';
	const none = workloads.filter(({lowest}) => lowest.ready === 0).length;
	const most =
		none > 0
			? `${none} had none ready at some time`
			: `${workloadTitle(first)} had ${first.lowest.ready} of ${first.desired} at the least`;
	return `${count(workloads.length, 'workload')} had fewer ready pods: ${most}.`;
}
