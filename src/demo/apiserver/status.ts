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

export const expired = (message: string): ApiError => new ApiError(410, 'Expired', message);
