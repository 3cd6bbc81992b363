import {type HttpRoute, plainAnswer} from './answer.ts';
import type {Check} from './health.ts';

/** Answers as Kubernetes' own components do: `ok`, or which of the checks failed, and why. */
export const healthRoute =
	(name: string, checks: () => readonly Check[]): HttpRoute =>
	() => {
		const all = checks();
		if (all.every(({failure}) => failure === null)) return plainAnswer(200, 'ok\n');
		const lines = all.map((check) =>
			check.failure === null ? `[+]${check.name} ok` : `[-]${check.name} failed: ${check.failure}`,
		);
		return plainAnswer(503, `${lines.join('\n')}\n${name} check failed\n`);
	};
