import {globSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {checkVector} from '../../conformance/checkVector.ts';

// The conformance vectors as tests, so that a mutation run knows which of them reach a change.

const folder = join(import.meta.dirname, '../../conformance/vectors');

test.for(globSync('**/*.json', {cwd: folder}).toSorted())('%s', (file) => {
	expect(checkVector(join(folder, file)).wrong).toBeUndefined();
});
