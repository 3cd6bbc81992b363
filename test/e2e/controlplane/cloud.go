package main

import (
	"context"
	"flag"
	"os"
	"path/filepath"
	"time"

	v1 "k8s.io/api/core/v1"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/clientcmd"
	cloudprovider "k8s.io/cloud-provider"
	"k8s.io/cloud-provider/controllers/nodelifecycle"
	"k8s.io/cloud-provider/fake"
	metrics "k8s.io/component-base/metrics/prometheus/controllers"
)

// How often a cloud controller manager looks at nodes by default.
const nodeMonitorPeriod = 5 * time.Second

// machines is a cloud in a folder: the machine of a node is gone once there is a file of the node's name, and shut down once there
// is one with .off behind it.
type machines struct {
	*fake.Cloud
	folder string
}

func (m machines) InstancesV2() (cloudprovider.InstancesV2, bool) { return m, true }

func (m machines) InstanceExists(_ context.Context, node *v1.Node) (bool, error) {
	return !m.has(node.Name), nil
}

func (m machines) InstanceShutdown(_ context.Context, node *v1.Node) (bool, error) {
	return m.has(node.Name + ".off"), nil
}

func (m machines) has(name string) bool {
	_, err := os.Stat(filepath.Join(m.folder, name))
	return err == nil
}

// runCloud runs the node lifecycle controller of a cloud controller manager on that cloud.
func runCloud(args []string) error {
	flags := flag.NewFlagSet("cloud", flag.ExitOnError)
	kubeconfig := flags.String("kubeconfig", "", "of a user who may delete nodes")
	folder := flags.String("machines", "", "the cloud's folder")
	_ = flags.Parse(args)
	config, err := clientcmd.BuildConfigFromFlags("", *kubeconfig)
	if err != nil {
		return err
	}
	config.UserAgent = "cloud-controller-manager"
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		return err
	}
	factory := informers.NewSharedInformerFactory(client, 0)
	cloud := machines{&fake.Cloud{}, *folder}
	controller, err := nodelifecycle.NewCloudNodeLifecycleController(
		factory.Core().V1().Nodes(), client, cloud, nodeMonitorPeriod)
	if err != nil {
		return err
	}
	ctx := context.Background()
	factory.Start(ctx.Done())
	factory.WaitForCacheSync(ctx.Done())
	controller.Run(ctx, metrics.NewControllerManagerMetrics("cloud"))
	return nil
}
