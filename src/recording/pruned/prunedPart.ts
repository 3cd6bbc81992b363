import type {
	Controller,
	LabelSelector,
	NodeTerms,
	PodTemplate,
	Requirement,
} from '../../core/model/workloads/related.ts';
import {nothingLeft, said} from './pruned.ts';
import {prunedOwner, prunedToleration} from './prunedPod.ts';
import type {RelatedPart} from './relatedParts.ts';

/** What belongs to pods as it is recorded: in evictwatch's own words, since a sum over pods is no object of the API. */
export function prunedPart({part, value}: RelatedPart): object {
	switch (part) {
		case 'Controller':
			return {part, ...prunedController(value)};
		case 'Budget': {
			const {namespace, name, selector, currentHealthy, desiredHealthy, ...rest} = value;
			nothingLeft(rest);
			return {part, namespace, name, selector: prunedSelector(selector), currentHealthy, desiredHealthy};
		}
		case 'Service': {
			const {namespace, name, selector, publishesNotReady, ...rest} = value;
			nothingLeft(rest);
			return {part, namespace, name, selector, publishesNotReady};
		}
		case 'Claim': {
			const {namespace, name, volume, isShared, ...rest} = value;
			nothingLeft(rest);
			return {part, namespace, name, volume, isShared};
		}
		case 'Volume': {
			const {name, nodeTerms, isPlain, ...rest} = value;
			nothingLeft(rest);
			return {part, name, isPlain, ...said('nodeTerms', prunedTerms(nodeTerms))};
		}
		case 'Endpoint': {
			const {namespace, service, pod, isReady, ...rest} = value;
			nothingLeft(rest);
			return {part, namespace, service, pod, isReady};
		}
		case 'Attachment': {
			const {node, volume, ...rest} = value;
			nothingLeft(rest);
			return {part, node, volume};
		}
		case 'Problem': {
			const {reason, message, ...rest} = value;
			nothingLeft(rest);
			return {part, reason, message};
		}
		case 'Taken': {
			const {node, cpu, memory, pods, lowestPriority, keepsOthersAway, ...rest} = value;
			nothingLeft(rest);
			return {part, node, cpu, memory, pods, lowestPriority, keepsOthersAway};
		}
		case 'Waiting': {
			const {cpu, memory, pods, read, ...rest} = value;
			nothingLeft(rest);
			return {part, cpu, memory, pods, ...said('read', read)};
		}
		case 'PerPod': {
			const {owner, cpu, memory, ...rest} = value;
			nothingLeft(rest);
			return {part, owner, cpu, memory};
		}
		case 'Unknown': {
			const {why, ...rest} = value;
			nothingLeft(rest);
			return {part, why};
		}
	}
}

function prunedController(controller: Controller) {
	const {kind, namespace, name, uid, owner, desired, ready, template, claimTemplates, backoff, ...rest} =
		controller;
	nothingLeft(rest);
	return {
		...{kind, namespace, name, uid, desired, ready, claimTemplates},
		...(owner && {owner: prunedOwner(owner)}),
		...(backoff && {backoff: prunedBackoff(backoff)}),
		template: prunedTemplate(template),
	};
}

function prunedBackoff({limit, failed, waitsForEnd, ...rest}: NonNullable<Controller['backoff']>) {
	nothingLeft(rest);
	return {limit, failed, waitsForEnd};
}

function prunedTemplate(template: PodTemplate) {
	const {tolerations, nodeSelector, nodeTerms, requests, claims, otherRules, ...rest} = template;
	nothingLeft(rest);
	const {cpu, memory, ...others} = requests;
	nothingLeft(others);
	return {
		...{nodeSelector, requests: {cpu, memory}, claims, otherRules},
		tolerations: tolerations.map(prunedToleration),
		...said('nodeTerms', prunedTerms(nodeTerms)),
	};
}

function prunedSelector({matchLabels, matchExpressions, ...rest}: LabelSelector) {
	nothingLeft(rest);
	return {matchLabels, matchExpressions: matchExpressions.map(prunedRequirement)};
}

const prunedTerms = (terms: NodeTerms | undefined) => terms?.map((term) => term.map(prunedRequirement));

function prunedRequirement({key, operator, values, isField, ...rest}: Requirement) {
	nothingLeft(rest);
	return {key, operator, values, ...said('isField', isField)};
}
