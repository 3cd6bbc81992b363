import type {IncomingHttpHeaders} from 'node:http';
import type {Problem} from '../../core/model/problem.ts';
import {type Duration, type Instant, second} from '../../core/time/instant.ts';

/** Smallest difference that is reported. Countdowns are shown in seconds. */
const tolerated: Duration = 2 * second;

type OffsetRange = {readonly least: Duration; readonly most: Duration};

/**
 * The lead of the API server's clock over ours, from its Date headers. They are truncated to seconds and written between
 * request and response, so each gives a range; their intersection is narrow. A single response changes nothing: two in a row
 * must agree.
 */
export class ClockOffset {
	/** The range on which at least two responses agree. */
	#known: OffsetRange | undefined;
	/** The range of the last response, if it agrees with no earlier one. */
	#unconfirmed: OffsetRange | undefined;
	#used: Duration = 0;

	/** @param dateHeader of a response of the API server itself, from `serverDate` */
	observe(dateHeader: string, sentAt: Instant, receivedAt: Instant) {
		const date = Date.parse(dateHeader);
		if (Number.isNaN(date)) return;
		const offered = {least: date - receivedAt, most: date + second - sentAt};
		// After a clock was set, ranges disagree: the newest two that agree are right.
		const agreed = common(this.#known, offered) ?? common(this.#unconfirmed, offered);
		this.#unconfirmed = agreed ? undefined : offered;
		if (!agreed) return;
		this.#known = agreed;
		const {least, most} = agreed;
		const wrong = Math.max(least - this.#used, this.#used - most);
		if (wrong > tolerated) this.#used = (least + most) / 2;
	}

	/**
	 * Added to our clock, gives the server's. It changes only if it is certainly wrong by more than two seconds: otherwise
	 * time would be uneven. After a suspend, the next two responses correct it.
	 */
	get correction(): Duration {
		return this.#used;
	}

	/** Set if the clocks certainly differ by more than two seconds. */
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

/** Paths that other servers answer behind the API server: kubelets, the metrics API. */
const answeredByOthers = /\/proxy\/|^\/apis\/metrics\.k8s\.io\//;

type Head = {readonly statusCode: number; readonly headers: IncomingHttpHeaders};

/**
 * The Date header of a response of kube-apiserver itself; undefined if a load balancer, proxy, login page or server behind
 * it may have set it. kube-apiserver marks its responses: since v1.21 each has an Audit-Id, also refusals, as the outermost
 * handler sets it; in v1.20 those that passed priority and fairness name a FlowSchema; before, its own media type marks
 * them. Server errors are ignored, as others may send them. A proxy that replaces the Date of forwarded responses is not
 * detected.
 *
 * @param path of the request, below the server's base URL
 * @upstream kubernetes v1.36.3 staging/src/k8s.io/apiserver/pkg/endpoints/filters/audit_init.go WithAuditInit
 */
export function serverDate(path: string, {statusCode, headers}: Head): string | undefined {
	if (statusCode >= 500 || answeredByOthers.test(path)) return undefined;
	const isMarked =
		headers['audit-id'] !== undefined ||
		headers['x-kubernetes-pf-flowschema-uid'] !== undefined ||
		headers['content-type']?.startsWith('application/vnd.kubernetes.protobuf') === true;
	return isMarked ? headers.date : undefined;
}
