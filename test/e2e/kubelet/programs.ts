import {globSync} from 'node:fs';
import {join} from 'node:path';
import {buildOnce, sourceHash} from '../../support/golang/buildOnce.ts';
import {askGo, runGo} from '../../support/golang/go.ts';
import {buildControlPlane, buildKubelet, cache, module as controlPlaneModule} from '../buildControlPlane.ts';

/** The paths of all programs that a real node and its pods need. */
export type Programs = Readonly<Record<'kubelet' | 'containerd' | 'shim' | 'runc' | 'load', string>>;

const runtime = join(import.meta.dirname, 'runtime');
const load = join(import.meta.dirname, 'load');
const containerd = 'github.com/containerd/containerd/v2/cmd';
/** Excludes plugins that are not used here. */
const without = ['-tags', 'no_btrfs,no_zfs,no_devmapper,no_aufs,no_tracing'];

/** Whether all modules are in Go's cache, or can be downloaded. */
export function hasModules(): boolean {
	try {
		askGo(['list', '-mod=readonly', '-deps', 'tool'], runtime);
		askGo(['list', '-mod=readonly', '-deps', 'tool'], controlPlaneModule);
		return true;
	} catch {
		return false;
	}
}

/** Builds what is not built yet, which takes minutes the first time. */
export function buildPrograms(say: (line: string) => void): Programs {
	buildControlPlane(say);
	const kubelet = buildKubelet(say);
	const build = (name: string, folder: string, what: string, flags: readonly string[] = [], cgo = '0') =>
		buildOnce(join(cache, name), sourceHash(folder, globSync('*', {cwd: folder}).toSorted()), (file) => {
			say(`building ${name}`);
			const all = ['-mod=readonly', '-trimpath', '-ldflags', '-s -w', ...flags];
			runGo(['build', ...all, '-o', file, what], folder, {CGO_ENABLED: cgo});
		});
	return {
		kubelet,
		containerd: build('containerd', runtime, `${containerd}/containerd`, without),
		shim: build('shim', runtime, `${containerd}/containerd-shim-runc-v2`, without),
		// It needs cgo: its first steps in a container's namespaces are in C.
		runc: build('runc', runtime, 'github.com/opencontainers/runc', [], '1'),
		load: build('load', load, '.'),
	};
}
