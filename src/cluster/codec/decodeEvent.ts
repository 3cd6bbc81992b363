import type {CoreV1Event, EventsV1Event, V1ObjectMeta} from '@kubernetes/client-node';
import {
	type ClusterEvent,
	cloudEventSource,
	type EventTime,
	evictionEventSource,
	isAboutNodes,
	nodeEventSource,
	oldEvictionEventSource,
} from '../../core/model/clusterEvent.ts';
import {second} from '../../core/time/instant.ts';
import type {ReportFlaw} from './decodeNode.ts';
import {decodeTime, type Fields, fieldsOf, isObjectName, textOf} from './rawJson.ts';

/** The API server serves each Event in these two forms. */
export type RawEvent = CoreV1Event & EventsV1Event;

/** Who reports an event, and about what. @returns `pod`: namespace and name, if it is about a pod */
export function subjectOf(event: Fields<RawEvent>) {
	const {component} = event.source ?? event.deprecatedSource ?? {};
	const about = event.involvedObject ?? event.regarding ?? {};
	return {
		source: textOf(component) || textOf(event.reportingComponent) || textOf(event.reportingController),
		about,
		kind: about.kind,
		name: textOf(about.name),
		pod: `${textOf(about.namespace)}/${textOf(about.name)}`,
		message: textOf(event.message) || textOf(event.note),
	};
}

/** Decodes an Event of core/v1 or events.k8s.io/v1; undefined unless it is of one of the controllers, and useful. */
export function decodeEvent(value: unknown, report: ReportFlaw): ClusterEvent | undefined {
	const event = fieldsOf<RawEvent>(value);
	const what = meaningOf(event);
	if (!what) return undefined;
	const metadata = fieldsOf<V1ObjectMeta>(event.metadata);
	const [namespace, name] = [textOf(metadata.namespace), textOf(metadata.name)];
	if (!what.about.split('/').every(isObjectName))
		return void report('Event about a name that no API server takes');
	const first = firstOf(event, name);
	if (name === '' || !first) return void report('Event without a name or a time');
	return {
		namespace,
		name,
		...what,
		first,
		last: lastOf(event) ?? first,
		createdAt: decodeTime(metadata.creationTimestamp) ?? first.at,
	};
}

/**
 * What workloads say of a pod that they deleted; a StatefulSet says it otherwise. Of many the recorder says more before it, and a recording names the
 * namespace, too.
 *
 * @upstream kubernetes v1.36.3 pkg/controller/controller_utils.go DeletePod
 * @upstream kubernetes v1.36.3 pkg/controller/statefulset/stateful_pod_control.go recordPodEvent
 */
const deletedPod = /(?:Deleted pod: |^delete Pod )(?:\S+\/)?(\S+)/;

function meaningOf(event: Fields<RawEvent>): Pick<ClusterEvent, 'reason' | 'about'> | undefined {
	const {source, about, kind, name, pod, message} = subjectOf(event);
	if (name === '') return undefined;
	const reason = textOf(event.reason);
	// The kubelet reports NodeNotReady too, and the node lifecycle controller reports it for each pod as well.
	if ((source === nodeEventSource || source === cloudEventSource) && kind === 'Node') {
		return isAboutNodes(reason) ? {reason, about: name} : undefined;
	}
	if (source === nodeEventSource && kind === 'Pod' && reason === 'NodeControllerEviction') {
		return {reason, about: pod};
	}
	const deleted = reason === 'SuccessfulDelete' ? deletedPod.exec(message)?.[1] : undefined;
	if (deleted !== undefined)
		return {reason: 'SuccessfulDelete', about: `${textOf(about.namespace)}/${deleted}`};
	const isOfEviction = source === evictionEventSource || source === oldEvictionEventSource;
	if (!isOfEviction || reason !== 'TaintManagerEviction' || kind !== 'Pod') return undefined;
	if (message === `Marking for deletion Pod ${pod}`) return {reason: 'MarkingForDeletion', about: pod};
	return message === `Cancelling deletion of Pod ${pod}`
		? {reason: 'CancellingDeletion', about: pod}
		: undefined;
}

/** The recorder puts the event's creation time in nanoseconds into its name; other times are truncated to seconds. */
function firstOf(event: Fields<RawEvent>, name: string): EventTime | undefined {
	const cutOff = timeOf(event.firstTimestamp ?? event.deprecatedFirstTimestamp, second);
	const exact = timeOf(event.eventTime, 0);
	const named = /\.([0-9a-f]{14,16})$/.exec(name)?.[1];
	const at = named === undefined ? undefined : Number.parseInt(named, 16) / 1_000_000;
	const begins = cutOff ?? exact;
	if (at !== undefined && begins && at >= begins.at - 1 && at < begins.at + second) return {at, precision: 0};
	return exact ?? cutOff;
}

/** Undefined for an event that was recorded once. */
function lastOf(event: Fields<RawEvent>): EventTime | undefined {
	const repeated = timeOf(event.series?.lastObservedTime, 0);
	if (repeated) return repeated;
	const count = event.count ?? event.deprecatedCount;
	const isRepeated = typeof count === 'number' && count > 1;
	return isRepeated ? timeOf(event.lastTimestamp ?? event.deprecatedLastTimestamp, second) : undefined;
}

function timeOf(value: unknown, precision: number): EventTime | undefined {
	const at = decodeTime(value);
	return at === undefined ? undefined : {at, precision};
}
