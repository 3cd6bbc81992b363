import {compileCacheFolders, keepCompiledCode} from './compileCache.ts';

// Runs before other imports, as only modules that are compiled afterwards are cached. Sources are not cached: they
// change too often.
if (!import.meta.filename.endsWith('.ts')) keepCompiledCode(compileCacheFolders(import.meta.dirname));
const {main} = await import('./main.ts');
await main();
