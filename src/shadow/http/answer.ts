/** What a server answers a request with. */
export type Answer = {
	readonly status: number;
	readonly contentType: string;
	readonly body: string;
	readonly headers?: Readonly<Record<string, string>>;
};

/** What a route may know of a request. */
export type Asked = {readonly accept: string};

export type Route = (asked: Asked) => Answer | Promise<Answer>;

/** Words alone. */
export const plainAnswer = (status: number, body: string): Answer => ({
	status,
	contentType: 'text/plain; charset=utf-8',
	body,
});
