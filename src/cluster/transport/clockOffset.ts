import type {IncomingHttpHeaders} from 'node:http';
import type {Problem} from '../../core/model/problem.ts';
import {type Duration, type Instant, second} from '../../core/time/instant.ts';

/** From which difference on a clock is called wrong. Countdowns are shown in seconds. */
const tolerated: Duration = 2 * second;

/** How far ahead a clock is, at least and at most. */
type OffsetRange = {readonly least: Duration; readonly most: Duration};

/**
 * How far the API server's clock is ahead of ours, as far as its Date headers tell. They are cut to whole seconds and
 * written at some moment between our question and its answer, so each tells a range; together they tell a narrow one.
 * One answer alone moves nothing: two in a row must agree.
 */
export class ClockOffset {
	/** The range that at least two answers agree on. */
	#known: OffsetRange | undefined;
	/** The range of the last answer, where it agrees with none before. */
	#unconfirmed: OffsetRange | undefined;
	#used: Duration = 0;

	/** @param dateHeader of an answer that the API server itself gave, as `serverDate` tells */
	observe(dateHeader: string, sentAt: Instant, receivedAt: Instant): void {
		const date = Date.parse(dateHeader);
		if (Number.isNaN(date)) return;
		const told = {least: date - receivedAt, most: date + second - sentAt};
		// A clock that was set since makes the ranges disagree: the newest two that agree are right.
		const agreed = common(this.#known, told) ?? common(this.#unconfirmed, told);
		this.#unconfirmed = agreed ? undefined : told;
		if (!agreed) return;
		this.#known = agreed;
		const {least, most} = agreed;
		const wrong = Math.max(least - this.#used, this.#used - most);
		if (wrong > tolerated) this.#used = (least + most) / 2;
	}

	/**
	 * What to add to our clock to have the server's. It stays as it is while it is certainly not wrong by more than two
	 * seconds: one that followed each answer would make time uneven. A machine that slept is set right by the next two answers.
	 */
	get correction(): Duration {
		return this.#used;
	}

	/** Present where the clocks certainly differ by more than two seconds. */
	get problem(): Problem | undefined {
		if (!this.#known) return undefined;
		const {least, most} = this.#known;
		const certain = least > 0 ? least : Math.min(0, most);
		if (Math.abs(certain) <= tolerated) return undefined;
		const middle = Math.abs(least + most) / 2;
		return {
			reason: 'ClockSkew',
			message:
				`this machine's clock is about ${(middle / second).toFixed(1)} s ${certain > 0 ? 'behind' : 'ahead of'} ` +
				"the API server's, whose time is taken (the clock is wrong, or the machine has slept)",
		};
	}
}

function common(one: OffsetRange | undefined, other: OffsetRange): OffsetRange | undefined {
	if (!one) return undefined;
	const [least, most] = [Math.max(one.least, other.least), Math.min(one.most, other.most)];
	return least <= most ? {least, most} : undefined;
}

/** Answered by others behind the API server, which hands on their headers: kubelets, and the server of the metrics API. */
const answeredByOthers = /\/proxy\/|^\/apis\/metrics\.k8s\.io\//;

/** The head of an answer. */
type Head = {readonly statusCode: number; readonly headers: IncomingHttpHeaders};

/**
 * The Date header of an answer that kube-apiserver itself gave; undefined where a load balancer, a proxy, a log-in page or a
 * server behind it may have given it, whose clocks are not the cluster's. kube-apiserver marks its answers: since v1.21
 * each one, a refusal too, has an Audit-Id, because the outermost handler sets it; in v1.20 those that its priority and
 * fairness let through name their FlowSchema; before, its own media type tells. Errors of servers never count: they are what
 * is said in its name. A proxy that puts its own Date on the answers that it hands on cannot be told from it.
 *
 * @upstream kubernetes v1.36.3 staging/src/k8s.io/apiserver/pkg/endpoints/filters/audit_init.go WithAuditInit
 * @param path of the request, below the base URL of the server
 */
export function serverDate(path: string, {statusCode, headers}: Head): string | undefined {
	if (statusCode >= 500 || answeredByOthers.test(path)) return undefined;
	const isMarked =
		headers['audit-id'] !== undefined ||
		headers['x-kubernetes-pf-flowschema-uid'] !== undefined ||
		headers['content-type']?.startsWith('application/vnd.kubernetes.protobuf') === true;
	return isMarked ? headers.date : undefined;
}
