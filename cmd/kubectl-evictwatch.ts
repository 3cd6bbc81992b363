import {compileCacheFolders, keepCompiledCode} from './compileCache.ts';

// Before anything else is loaded: only what is compiled afterwards is kept.
keepCompiledCode(compileCacheFolders(import.meta.dirname));
const {main} = await import('./main.ts');
await main();
