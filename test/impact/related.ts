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

/** Controllers, and other objects related to pods. */
export const relatedTo = (controllers: readonly Controller[], fields: Partial<Related> = {}): Related => ({
	...nothingRelated,
	controllers: new Map(controllers.map((one) => [one.uid, one])),
	...fields,
});
