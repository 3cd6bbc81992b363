import {objectOfProtobuf} from '../../cluster/codec/page.ts';
import {isObject, valueAt} from '../../cluster/codec/rawJson.ts';
import {message, part, text} from '../../cluster/codec/wire/message.ts';
import {servedVerbs} from './discovery.ts';
import {badRequest} from './status.ts';

/** What a SelfSubjectAccessReview asks: one of the two. */
type Attributes = {readonly verb?: string};
type ReviewBody = Readonly<{
	spec: {readonly resourceAttributes?: Attributes; readonly nonResourceAttributes?: Attributes};
}>;

/** @upstream kubernetes v1.36.3 staging/src/k8s.io/api/authorization/v1/generated.proto SelfSubjectAccessReview */
const accessReview = message({
	2: part('spec', {
		1: part('resourceAttributes', {2: text('verb')}),
		2: part('nonResourceAttributes', {2: text('verb')}),
	}),
});

function accessOf(body: Buffer): object {
	const {spec} = bodyOf(body);
	const {verb = ''} = spec.resourceAttributes ?? spec.nonResourceAttributes ?? {};
	const allowed = servedVerbs.includes(verb);
	return reviewed('SelfSubjectAccessReview', spec, {
		allowed,
		...(!allowed && {reason: 'the demo is read-only'}),
	});
}

function bodyOf(body: Buffer): ReviewBody {
	let review: unknown;
	try {
		review = objectOfProtobuf(body, accessReview) ?? JSON.parse(body.toString());
	} catch {
		throw badRequest('the body is neither JSON nor protobuf');
	}
	if (!isObject(valueAt(review, 'spec'))) throw badRequest('the body has no spec');
	return review as ReviewBody;
}

const reviewed = (kind: string, spec: object, status: object) =>
	({apiVersion: 'authorization.k8s.io/v1', kind, metadata: {}, spec, status}) as const;

const rules = {
	resourceRules: [{verbs: servedVerbs, apiGroups: ['*'], resources: ['*']}],
	nonResourceRules: [{verbs: ['get'], nonResourceURLs: ['*']}],
	incomplete: false,
};

/** The answers to clients that ask what they may do: read everything, and write nothing. kubectl auth can-i and k9s ask. */
const reviews: ReadonlyMap<string, (body: Buffer) => object> = new Map([
	['selfsubjectaccessreviews', accessOf],
	['selfsubjectrulesreviews', () => reviewed('SelfSubjectRulesReview', {}, rules)],
]);

/** How a POST to a path is answered; undefined if it is refused. */
export const reviewOf = (path: string) =>
	reviews.get(/^\/apis\/authorization\.k8s\.io\/v1\/(\w+)$/.exec(path)?.[1] ?? '');
