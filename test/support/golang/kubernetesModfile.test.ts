import {expect, test} from 'vitest';
import {kubernetesModfile, requiredVersion, stagingVersion} from './kubernetesModfile.ts';

const kubernetes = `module k8s.io/kubernetes

go 1.26.0

require (
	go.etcd.io/etcd/client/v3 v3.6.8
	k8s.io/api v0.0.0
)

replace (
	k8s.io/api => ./staging/src/k8s.io/api
	k8s.io/streaming => ./staging/src/k8s.io/streaming
)
`;

test('the staging modules are replaced by those that were published with the release', () => {
	const wanted = {
		module: 'example.com/program',
		version: 'v1.37.2',
		requires: {'example.com/more': 'v1.0.0'},
	};
	expect(kubernetesModfile(wanted, kubernetes)).toBe(`module example.com/program

go 1.26.0

require (
	example.com/more v1.0.0
	k8s.io/kubernetes v1.37.2
)

replace (
	k8s.io/api => k8s.io/api v0.37.2
	k8s.io/streaming => k8s.io/streaming v0.37.2
)
`);
});

test.for([
	{asked: '1.25', go: '1.26.0'},
	{asked: '1.27.0', go: '1.27.0'},
	{asked: undefined, go: '1.26.0'},
])('the newer go line of $asked and 1.26.0 is $go', ({asked, go}) => {
	const wanted = {module: 'm', version: 'v1.36.3', ...(asked !== undefined && {go: asked})};
	expect(kubernetesModfile(wanted, kubernetes)).toContain(`\ngo ${go}\n`);
});

test('a go.mod without staging modules is none of Kubernetes', () => {
	expect(() => kubernetesModfile({module: 'm', version: 'v1.36.3'}, 'module m\n')).toThrow('staging');
});

test('versions are found whether one module is required or many', () => {
	expect(requiredVersion(kubernetes, 'go.etcd.io/etcd/client/v3')).toBe('v3.6.8');
	expect(requiredVersion('require k8s.io/kubernetes v1.36.3\n', 'k8s.io/kubernetes')).toBe('v1.36.3');
	expect(requiredVersion(kubernetes, 'go.etcd.io/etcd/server/v3')).toBeUndefined();
	expect(stagingVersion('v1.36.3')).toBe('v0.36.3');
});
