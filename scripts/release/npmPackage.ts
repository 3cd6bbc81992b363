import {writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {build} from '../build.ts';
import {bundledPackages, thirdPartyLicenses} from './thirdParty.ts';

// Creates the content of `npm pack`. The bundle holds everything that the program needs, so the package has no dependencies.
const root = join(import.meta.dirname, '../..');
const packages = await bundledPackages(await build(join(root, 'dist')));
await writeFile(join(root, 'THIRD_PARTY_LICENSES'), await thirdPartyLicenses(packages, {withRuntime: false}));
