import type {V1Node, V1NodeCondition, V1Taint} from '@kubernetes/client-node';
import type {ConditionStatus, Node, NodeCondition} from '../../core/model/node.ts';
import type {Taint, TaintEffect} from '../../core/model/taint.ts';
import {shutdownMessage} from '../../core/nodeshutdown/nodeShutdown.ts';
import {runtimeFailures} from '../../core/workloads/podEnd.ts';
import {
	decodeAllocatable,
	decodeFieldWrites,
	decodeTime,
	eachOf,
	isObjectName,
	ownsTaints,
	partsOf,
	type Raw,
	textIn,
	textMapOf,
	textOf,
} from './rawJson.ts';

/** Receives each decoding error, such as `Node without a name`. */
export type ReportFlaw = (flaw: string) => void;

/** Decodes a core/v1 Node of a list or a watch; undefined if its name is missing or invalid. */
export function decodeNode(value: unknown, report: ReportFlaw): Node | undefined {
	const {metadata, spec, status} = partsOf<V1Node>(value);
	const name = textOf(metadata.name);
	if (name === '') return void report('Node without a name');
	if (!isObjectName(name)) return void report('Node with a name that no API server takes');
	const deletionTimestamp = decodeTime(metadata.deletionTimestamp);
	return {
		name,
		uid: textOf(metadata.uid),
		// A node of unknown age counts as old, so that it gets no startup grace period.
		createdAt: decodeTime(metadata.creationTimestamp) ?? 0,
		deletionTimestamp,
		finalizers: deletionTimestamp === undefined ? undefined : eachOf(metadata.finalizers, textIn),
		labels: textMapOf(metadata.labels),
		unschedulable: spec.unschedulable === true,
		taints: eachOf(spec.taints, (taint) => decodeTaint(taint, report)),
		// The one that every pass looks for comes first.
		conditions: eachOf(status.conditions, (condition) => decodeCondition(condition, report)).toSorted(
			(a, b) => Number(b.type === 'Ready') - Number(a.type === 'Ready'),
		),
		allocatable: status.allocatable === undefined ? undefined : decodeAllocatable(status.allocatable),
		providerId: textIn(spec.providerID),
		kubeletVersion: textIn(status.nodeInfo?.kubeletVersion),
		taintWrites: decodeFieldWrites(metadata.managedFields, ownsTaints),
	};
}

function decodeTaint(taint: Raw<V1Taint>, report: ReportFlaw): Taint | undefined {
	const key = textOf(taint?.key);
	if (key === '') return void report('Node taint without a key');
	return {
		key,
		value: textOf(taint?.value),
		// A newer cluster may send an unknown effect: it is shown unchanged and matches no rule.
		effect: textOf(taint?.effect) as TaintEffect,
		timeAdded: decodeTime(taint?.timeAdded),
	};
}

function decodeCondition(condition: Raw<V1NodeCondition>, report: ReportFlaw): NodeCondition | undefined {
	const type = textOf(condition?.type);
	if (!condition || type === '') return void report('Node condition without a type');
	return {
		type,
		status: decodeConditionStatus(condition.status) ?? 'Unknown',
		lastHeartbeatTime: decodeTime(condition.lastHeartbeatTime) ?? 0,
		lastTransitionTime: decodeTime(condition.lastTransitionTime) ?? 0,
		reason: textIn(condition.reason),
		message: knownMessages.find((message) => textOf(condition.message).includes(message)),
	};
}

const knownMessages = [shutdownMessage, ...runtimeFailures];

/** The status of a condition; undefined if it is not True, False or Unknown. */
export function decodeConditionStatus(value: unknown): ConditionStatus | undefined {
	return value === 'True' || value === 'False' || value === 'Unknown' ? value : undefined;
}
