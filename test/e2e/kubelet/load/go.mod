module evictwatch.dev/e2e/kubelet/load

go 1.26.0
