import {compileCacheFolders, keepCompiledCode} from './compileCache.ts';

// Before anything else is loaded: only what is compiled afterwards is kept.
// The sources themselves change too often for that, and their folder is no place for it.
if (!import.meta.filename.endsWith('.ts')) keepCompiledCode(compileCacheFolders(import.meta.dirname));
const {main} = await import('./main.ts');
await main();
