import type {ClaimedVolume} from '../boundVolume.ts';
import {deadZone} from './names.ts';

/** One that lies on a dead node, and one that can be reached from everywhere. */
export const claimedVolumes: readonly ClaimedVolume[] = [
	{name: 'local', source: {local: {path: '/data'}}, mode: 'ReadWriteOnce', nodes: [`${deadZone}-3`]},
	{name: 'shared', source: {nfs: {server: 'nfs.example', path: '/'}}, mode: 'ReadWriteMany'},
];
