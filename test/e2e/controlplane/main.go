// Program controlplane is etcd, kube-apiserver, kube-controller-manager, kube-scheduler and a cloud's node lifecycle controller in
// one file, and creates their certificates.
package main

import (
	"fmt"
	"io"
	"os"

	"go.etcd.io/etcd/server/v3/etcdmain"
	"k8s.io/component-base/cli"
	"k8s.io/component-base/version"
	apiserver "k8s.io/kubernetes/cmd/kube-apiserver/app"
	controllermanager "k8s.io/kubernetes/cmd/kube-controller-manager/app"
	scheduler "k8s.io/kubernetes/cmd/kube-scheduler/app"
)

const usage = "usage: controlplane {apiserver|controller-manager|scheduler|etcd|cloud} [flags] | certs DIR | version"

func main() {
	if len(os.Args) < 2 {
		fail(usage)
	}
	program, args := os.Args[1], os.Args[2:]
	// Kubernetes' commands read their flags from os.Args.
	os.Args = append([]string{program}, args...)
	switch {
	case program == "apiserver":
		go endWithStarter()
		os.Exit(cli.Run(apiserver.NewAPIServerCommand()))
	case program == "controller-manager":
		go endWithStarter()
		os.Exit(cli.Run(controllermanager.NewControllerManagerCommand()))
	case program == "scheduler":
		go endWithStarter()
		os.Exit(cli.Run(scheduler.NewSchedulerCommand()))
	case program == "etcd":
		go endWithStarter()
		etcdmain.Main(os.Args)
	case program == "cloud":
		go endWithStarter()
		if err := runCloud(args); err != nil {
			fail(err)
		}
	case program == "certs" && len(args) == 1:
		if err := writeCertificates(args[0]); err != nil {
			fail(err)
		}
	case program == "version":
		fmt.Println(version.Get().GitVersion)
	default:
		fail(usage)
	}
}

// endWithStarter ends a server when its standard input closes. The process that started it holds the other end of that pipe, so
// the server does not outlive it, even if that process is killed.
func endWithStarter() {
	_, _ = io.Copy(io.Discard, os.Stdin)
	os.Exit(1)
}

func fail(why any) {
	fmt.Fprintln(os.Stderr, why)
	os.Exit(2)
}
