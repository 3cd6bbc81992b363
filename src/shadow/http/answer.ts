export type HttpAnswer = {
	readonly status: number;
	readonly contentType: string;
	readonly body: string;
	readonly headers?: Readonly<Record<string, string>>;
};

/** The parts of a request that a route needs. */
type HttpQuestion = {readonly accept: string};

export type HttpRoute = (asked: HttpQuestion) => HttpAnswer | Promise<HttpAnswer>;

/** A plain text response. */
export const plainAnswer = (status: number, body: string): HttpAnswer => ({
	status,
	contentType: 'text/plain; charset=utf-8',
	body,
});
