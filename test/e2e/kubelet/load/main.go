// Program load runs in the pods of the kubelet suite: it takes memory, disk, inodes or processes at a steady rate. Without
// arguments it waits, as a sandbox's pause container does. Otherwise each argument is NAME=VALUE:
//
//	mem=MiB     memory taken at the start     leak=MiB/s   more memory, from after=SECONDS on, until upto=MiB
//	file=PATH   the file to write             size=MiB     its size at the start       rate=MiB/s   more
//	inodes=N/s  empty files beside that file  procs=N      processes at the start      spawn=N/s    more
//	wave=MiB       memory allocated and freed         every=SECONDS a change
//	linger=SECONDS it takes to end            exit=N       the exit code then, 143 by default
package main

import (
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

const mebibyte = 1 << 20
const tick = 500 * time.Millisecond

func main() {
	end := make(chan os.Signal, 1)
	signal.Notify(end, syscall.SIGTERM, syscall.SIGINT)
	values := map[string]float64{}
	file := ""
	for _, argument := range os.Args[1:] {
		name, value, _ := strings.Cut(argument, "=")
		if name == "file" {
			file = value
		} else if number, err := strconv.ParseFloat(value, 64); err == nil {
			values[name] = number
		} else {
			fail(err)
		}
	}
	if len(os.Args) > 1 {
		go (&load{values: values, path: file}).run()
	}
	<-end
	time.Sleep(time.Duration(values["linger"] * float64(time.Second)))
	if len(os.Args) == 1 {
		return
	}
	code, isSaid := values["exit"]
	if !isSaid {
		code = 143
	}
	os.Exit(int(code))
}

type load struct {
	values map[string]float64
	path   string
	file   *os.File
	// held keeps a reference to the allocated memory, in pieces of 1 MiB.
	held [][]byte
	mem  float64
	// inodes is the number of empty files; owed is the fraction of a process that is still to be created.
	inodes int
	owed   float64
}

func (l *load) run() {
	l.take(l.values["mem"])
	l.fork(l.values["procs"])
	if l.path != "" {
		l.open()
		l.write(l.values["size"])
	}
	if l.values["wave"] > 0 {
		go l.wave(l.values["wave"], time.Duration(l.values["every"]*float64(time.Second)))
	}
	time.Sleep(time.Duration(l.values["after"] * float64(time.Second)))
	for range time.Tick(tick) {
		if upto := l.values["upto"]; upto == 0 || l.mem < upto {
			l.take(l.values["leak"] * tick.Seconds())
		}
		l.write(l.values["rate"] * tick.Seconds())
		l.touch(l.values["inodes"] * tick.Seconds())
		l.fork(l.values["spawn"] * tick.Seconds())
	}
}

func (l *load) take(mebibytes float64) {
	if piece := grab(mebibytes); piece != nil {
		l.held = append(l.held, piece)
		l.mem += mebibytes
	}
}

// wave allocates and frees memory forever.
func (l *load) wave(mebibytes float64, every time.Duration) {
	var piece []byte
	for range time.Tick(every) {
		if piece == nil {
			piece = grab(mebibytes)
		} else if err := syscall.Munmap(piece); err != nil {
			fail(err)
		} else {
			piece = nil
		}
	}
}

func grab(mebibytes float64) []byte {
	size := int(mebibytes*1024) * 1024
	if size <= 0 {
		return nil
	}
	piece, err := syscall.Mmap(-1, 0, size, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		fail(err)
	}
	// A page takes no memory until it is written.
	for i := 0; i < size; i += 4096 {
		piece[i] = 1
	}
	return piece
}

func (l *load) open() {
	if err := os.MkdirAll(filepath.Dir(l.path), 0o755); err != nil {
		fail(err)
	}
	file, err := os.Create(l.path)
	if err != nil {
		fail(err)
	}
	l.file = file
}

func (l *load) write(mebibytes float64) {
	if l.file == nil || mebibytes <= 0 {
		return
	}
	piece := make([]byte, mebibyte)
	for i := range piece {
		piece[i] = byte(i * 7)
	}
	for left := int(mebibytes * mebibyte); left > 0; left -= len(piece) {
		// A full disk is intended in some scenarios.
		if _, err := l.file.Write(piece[:min(left, len(piece))]); err != nil {
			fmt.Println(err)
			return
		}
	}
	_ = l.file.Sync()
}

func (l *load) touch(count float64) {
	for range int(count) {
		if file, err := os.Create(fmt.Sprintf("%s.%d", l.path, l.inodes)); err == nil {
			_ = file.Close()
		}
		l.inodes++
	}
}

// fork creates processes with a single thread, which Go programs do not have. They sleep forever.
func (l *load) fork(count float64) {
	l.owed += count
	for ; l.owed >= 1; l.owed-- {
		child, _, err := syscall.RawSyscall(syscall.SYS_CLONE, uintptr(syscall.SIGCHLD), 0, 0)
		if err != 0 {
			fmt.Println(err)
			return
		}
		for child == 0 {
			syscall.RawSyscall6(syscall.SYS_PPOLL, 0, 0, 0, 0, 0, 0)
		}
	}
}

func fail(err error) {
	fmt.Println(err)
	os.Exit(1)
}
