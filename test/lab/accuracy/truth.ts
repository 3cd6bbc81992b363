import type {Instant} from '../../../src/core/time/instant.ts';
import type {Change} from '../../e2e/recorder.ts';

/** When each pod's deletion was observed, by `namespace/name`. */
export type Truth = ReadonlyMap<string, Instant>;

export function truthOf(changes: readonly Change[]): Truth {
	const first = changes
		.filter(({what, object}) => what === 'Terminating' && object.startsWith('pod/'))
		.toReversed();
	return new Map(first.map(({object, at}) => [object.slice('pod/'.length), at]));
}
