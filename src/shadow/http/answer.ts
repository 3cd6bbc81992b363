import type {TextMap} from '../../text/textMap.ts';
export type HttpAnswer = Readonly<{
	status: number;
	contentType: string;
	body: string;
	headers?: TextMap;
}>;

/** Answers requests; `accept` is the header of that name. */
export type HttpRoute = (request: {readonly accept: string}) => HttpAnswer | Promise<HttpAnswer>;

export const plainAnswer = (status: number, body: string): HttpAnswer => ({
	status,
	contentType: 'text/plain; charset=utf-8',
	body,
});
