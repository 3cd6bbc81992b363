/** What a server answers a request with. */
export type HttpAnswer = {
	readonly status: number;
	readonly contentType: string;
	readonly body: string;
	readonly headers?: Readonly<Record<string, string>>;
};

/** What a route may know of a request. */
type HttpQuestion = {readonly accept: string};

export type HttpRoute = (asked: HttpQuestion) => HttpAnswer | Promise<HttpAnswer>;

/** Words alone. */
export const plainAnswer = (status: number, body: string): HttpAnswer => ({
	status,
	contentType: 'text/plain; charset=utf-8',
	body,
});
