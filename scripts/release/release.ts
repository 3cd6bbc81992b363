import {readFile, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {verifiedChecksums} from './checksums.ts';
import {krewManifest} from './krewManifest.ts';

// Writes krew-manifest.yaml from the archives that `npm run package` made.
const root = join(import.meta.dirname, '../..');
const {version, homepage} = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
const checksums = await verifiedChecksums(join(root, 'dist/release'));
const manifest = join(root, 'krew-manifest.yaml');
await writeFile(manifest, krewManifest({version, homepage, checksums}));
process.stdout.write(`${manifest}\n`);
