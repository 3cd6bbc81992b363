import {readFile, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {parseArgs} from 'node:util';
import {verifiedChecksums} from './checksums.ts';
import {krewManifest, krewTemplate} from './krewManifest.ts';

// Writes krew-manifest.yaml, here and beside the archives that `npm run package` made, and the template of those to come.
// A --tag that is not the version's is refused.
const root = join(import.meta.dirname, '../..');
const {version, homepage} = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
const {values} = parseArgs({options: {tag: {type: 'string', default: `v${version}`}}});
if (values.tag !== `v${version}`)
	throw new Error(`the tag is ${values.tag}, and package.json has ${version}`);
const checksums = await verifiedChecksums(join(root, 'dist/release'));
const manifest = join(root, 'krew-manifest.yaml');
const text = krewManifest({version, homepage, checksums});
await Promise.all(
	[manifest, join(root, 'dist/release/krew-manifest.yaml')].map((file) => writeFile(file, text)),
);
await writeFile(join(root, '.krew.yaml'), krewTemplate(homepage));
process.stdout.write(`${manifest}\n`);
