import {chmodSync, copyFileSync, cpSync, existsSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {askGo} from '../../support/golang/go.ts';

const controller = 'pkg/controller/nodelifecycle';

/** The locks that v1.16's node lifecycle controller holds while calls take time. */
const locks = [
	{
		file: `${controller}/node_lifecycle_controller.go`,
		before: 'evictorLock     sync.Mutex',
		after: 'evictorLock     scheduler.WaitingLock',
	},
	{
		file: `${controller}/scheduler/rate_limited_queue.go`,
		before: 'limiterLock sync.Mutex',
		after: 'limiterLock WaitingLock',
	},
];

const lockSource = `package scheduler

import "sync"

// WaitingLock is a lock for which virtual time goes on: a goroutine that waits for a mutex stops it.
type WaitingLock struct {
	once sync.Once
	held chan struct{}
}

func (l *WaitingLock) Lock() {
	l.once.Do(func() { l.held = make(chan struct{}, 1) })
	l.held <- struct{}{}
}

func (l *WaitingLock) Unlock() { <-l.held }
`;

/**
 * Copies the sources of a release, with locks that do not stop virtual time. Returns a go.mod that uses them in place of
 * the published modules: the go command cannot replace single files of a module.
 *
 * @param modfile the go.mod of the release
 * @param cache the folder of both
 */
export function withWaitingLocks(version: string, modfile: string, module: string, cache: string): string {
	const sources = join(cache, `kubernetes-${version}`);
	const made = join(cache, `${version}-waiting.mod`);
	if (existsSync(made)) return made;
	rmSync(sources, {recursive: true, force: true});
	const downloaded = askGo(['mod', 'download', `-modfile=${modfile}`, '-json', 'k8s.io/kubernetes'], module);
	const {Dir: published} = JSON.parse(downloaded) as {readonly Dir: string};
	cpSync(published, sources, {recursive: true, filter: (path) => !path.includes('/test/')});
	for (const folder of [controller, `${controller}/scheduler`]) chmodSync(join(sources, folder), 0o755);
	for (const {file, before, after} of locks) {
		const path = join(sources, file);
		const text = readFileSync(path, 'utf8');
		if (!text.includes(before)) throw new Error(`${file} of ${version} has no ${before}`);
		chmodSync(path, 0o644);
		writeFileSync(path, text.replace(before, after));
	}
	writeFileSync(join(sources, `${controller}/scheduler/waiting_lock.go`), lockSource);
	copyFileSync(modfile.replace(/mod$/, 'sum'), made.replace(/mod$/, 'sum'));
	writeFileSync(made, `${readFileSync(modfile, 'utf8')}\nreplace k8s.io/kubernetes => ${sources}\n`);
	return made;
}
