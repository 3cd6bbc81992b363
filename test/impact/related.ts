import type {JobRules} from '../../src/core/model/workloads/jobRules.ts';
import {
	type Controller,
	nothingRelated,
	type PodTemplate,
	type Related,
} from '../../src/core/model/workloads/related.ts';

/** A template without requirements. */
export const aTemplate = (fields: Partial<PodTemplate> = {}): PodTemplate => ({
	tolerations: [],
	nodeSelector: {},
	requests: {cpu: 0, memory: 0},
	claims: [],
	otherRules: [],
	...fields,
});

/** A ReplicaSet of the namespace `shop` without an owner, whose three pods are ready; its uid is its name. */
export const aController = (name: string, fields: Partial<Controller> = {}): Controller => ({
	kind: 'ReplicaSet',
	namespace: 'shop',
	name,
	uid: name,
	desired: 3,
	ready: 3,
	template: aTemplate(),
	claimTemplates: [],
	...fields,
});

/** The rules of a Job with one pod at a time, none of which has failed. */
export const aJob = (fields: Partial<JobRules> = {}): JobRules => ({
	parallelism: 1,
	completions: 1,
	isIndexed: false,
	isSuspended: false,
	backoffLimit: 6,
	replacesOnlyFailed: false,
	active: 1,
	succeeded: 0,
	failed: 0,
	completedIndexes: '',
	failedIndexes: '',
	...fields,
});

/** Controllers, and other objects related to pods. */
export const relatedTo = (controllers: readonly Controller[], fields: Partial<Related> = {}): Related => ({
	...nothingRelated,
	controllers: new Map(controllers.map((one) => [one.uid, one])),
	...fields,
});
