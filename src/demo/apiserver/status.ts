import type {ApiResource} from '../encode/apiObject.ts';

/** A request that cannot be served; the client gets the Status. */
export class ApiError extends Error {
	readonly status;

	constructor(code: number, reason: string, message: string, details?: Readonly<Record<string, unknown>>) {
		super(message);
		this.name = 'ApiError';
		this.status = {
			kind: 'Status',
			apiVersion: 'v1',
			metadata: {},
			status: 'Failure',
			message,
			reason,
			...(details && {details}),
			code,
		} as const;
	}
}

export type Status = ApiError['status'];

export const badRequest = (message: string): ApiError => new ApiError(400, 'BadRequest', message);

export const pathNotFound = (): ApiError =>
	new ApiError(404, 'NotFound', 'the server could not find the requested resource', {});

/** The error for an object that does not exist, worded as kubectl shows it: `pods "cart-0" not found`. */
export function objectNotFound({name: resource, group}: ApiResource, name: string): ApiError {
	const qualified = group === '' ? resource : `${resource}.${group}`;
	const details = {name, ...(group !== '' && {group}), kind: resource};
	return new ApiError(404, 'NotFound', `${qualified} "${name}" not found`, details);
}

export const readOnly = (method: string): ApiError =>
	new ApiError(405, 'MethodNotAllowed', `the demo is read-only: ${method} is refused`, {});

export const notAcceptable = (): ApiError =>
	new ApiError(406, 'NotAcceptable', 'only the following media types are accepted: application/json');

export const expired = (message: string): ApiError => new ApiError(410, 'Expired', message);

/** The error for an invalid list option, as from the validation of ListOptions. */
export const invalidOption = (message: string): ApiError =>
	new ApiError(422, 'Invalid', `ListOptions.meta.k8s.io "" is invalid: ${message}`, {
		group: 'meta.k8s.io',
		kind: 'ListOptions',
	});

/** The error for a version that this store has not reached, for example one of an earlier demo. */
export const tooLargeResourceVersion = (wanted: number, current: number): ApiError =>
	new ApiError(504, 'Timeout', `Too large resource version: ${wanted}, current: ${current}`, {
		causes: [{reason: 'ResourceVersionTooLarge', message: 'Too large resource version'}],
		retryAfterSeconds: 1,
	});

/** The error for a kubelet that the API server cannot reach. */
export const kubeletUnreachable = (node: string): ApiError =>
	new ApiError(
		503,
		'ServiceUnavailable',
		`error trying to reach service: the kubelet of ${node} does not answer`,
	);
