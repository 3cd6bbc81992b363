// What this module requires depends on the Kubernetes release: see releases/, and the go command's -modfile.
module evictwatch.dev/oracle

go 1.26.0
