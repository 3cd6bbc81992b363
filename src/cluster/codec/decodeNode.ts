import type {V1Node, V1NodeCondition, V1NodeSystemInfo, V1Taint} from '@kubernetes/client-node';
import type {ConditionStatus, Node, NodeCondition} from '../../core/model/node.ts';
import type {Taint, TaintEffect} from '../../core/model/taint.ts';
import {shutdownMessage} from '../../core/nodeshutdown/nodeShutdown.ts';
import {
	decodeAllocatable,
	decodeFieldWrites,
	decodeTime,
	eachOf,
	fieldsOf,
	isObjectName,
	ownsTaints,
	partsOf,
	present,
	presentText,
	textMapOf,
	textOf,
} from './rawJson.ts';

/** Receives each decoding error, such as `Node without a name`. */
export type ReportFlaw = (flaw: string) => void;

/** Decodes a core/v1 Node of a list or a watch; undefined if its name is missing or invalid. */
export function decodeNode(value: unknown, report: ReportFlaw): Node | undefined {
	const {metadata, spec, status} = partsOf<V1Node>(value);
	const name = textOf(metadata.name);
	if (name === '') {
		report('Node without a name');
		return undefined;
	}
	if (!isObjectName(name)) {
		report('Node with a name that no API server takes');
		return undefined;
	}
	return {
		name,
		uid: textOf(metadata.uid),
		// A node of unknown age counts as old, so that it gets no startup grace period.
		createdAt: decodeTime(metadata.creationTimestamp) ?? 0,
		labels: textMapOf(metadata.labels),
		unschedulable: spec.unschedulable === true,
		taints: eachOf(spec.taints, (taint) => decodeTaint(taint, report)),
		conditions: eachOf(status.conditions, (condition) => decodeCondition(condition, report)),
		...(status.allocatable !== undefined && {allocatable: decodeAllocatable(status.allocatable)}),
		...presentText('providerId', textOf(spec.providerID)),
		...presentText('kubeletVersion', textOf(fieldsOf<V1NodeSystemInfo>(status.nodeInfo).kubeletVersion)),
		taintWrites: decodeFieldWrites(metadata.managedFields, ownsTaints),
	};
}

function decodeTaint(value: unknown, report: ReportFlaw): Taint | undefined {
	const taint = fieldsOf<V1Taint>(value);
	const key = textOf(taint.key);
	if (key === '') {
		report('Node taint without a key');
		return undefined;
	}
	return {
		key,
		value: textOf(taint.value),
		// A newer cluster may send an unknown effect: it is shown unchanged and matches no rule.
		effect: textOf(taint.effect) as TaintEffect,
		...present('timeAdded', decodeTime(taint.timeAdded)),
	};
}

function decodeCondition(value: unknown, report: ReportFlaw): NodeCondition | undefined {
	const condition = fieldsOf<V1NodeCondition>(value);
	const type = textOf(condition.type);
	if (type === '') {
		report('Node condition without a type');
		return undefined;
	}
	return {
		type,
		status: decodeConditionStatus(condition.status) ?? 'Unknown',
		lastHeartbeatTime: decodeTime(condition.lastHeartbeatTime) ?? 0,
		lastTransitionTime: decodeTime(condition.lastTransitionTime) ?? 0,
		...presentText('reason', textOf(condition.reason)),
		...(textOf(condition.message).includes(shutdownMessage) && {message: shutdownMessage}),
	};
}

/** The status of a condition; undefined if it is not True, False or Unknown. */
export function decodeConditionStatus(value: unknown): ConditionStatus | undefined {
	return value === 'True' || value === 'False' || value === 'Unknown' ? value : undefined;
}
