// Command sign gives a Mach-O executable an ad-hoc signature, or checks the one that it has.
//
//	sign FILE
//	sign --verify FILE
//
// macOS on arm64 kills a program whose signature does not match its pages. Adding modules to Node.js invalidates the
// signature that it came with.
package main

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"

	"github.com/blacktop/go-macho"
	"github.com/blacktop/go-macho/pkg/codesign"
	"github.com/blacktop/go-macho/pkg/codesign/types"
)

const identifier = "kubectl-evictwatch"

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	switch {
	case len(args) == 1:
		return sign(args[0])
	case len(args) == 2 && args[0] == "--verify":
		return verify(args[1])
	default:
		return errors.New("want FILE, or --verify FILE")
	}
}

func sign(path string) error {
	file, err := macho.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	fillGaps(file.Segments())
	if err := file.CodeSign(&codesign.Config{ID: identifier, Flags: types.ADHOC}); err != nil {
		return err
	}
	var signed bytes.Buffer
	if err := file.SaveBuffer(&signed); err != nil {
		return err
	}
	return os.WriteFile(path, signed.Bytes(), 0o755)
}

// fillGaps extends each segment to the start of the next one, because they are written without gaps.
func fillGaps(segments macho.Segments) {
	for i, segment := range segments[:len(segments)-1] {
		if next := segments[i+1]; segment.Filesz > 0 {
			segment.Filesz = next.Offset - segment.Offset
		}
	}
}

// verify checks every page of the file against its hash in the signature.
func verify(path string) error {
	content, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	file, err := macho.NewFile(bytes.NewReader(content))
	if err != nil {
		return err
	}
	signature := file.CodeSignature()
	if signature == nil || len(signature.CodeDirectories) == 0 {
		return errors.New("it has no signature")
	}
	directory := signature.CodeDirectories[0]
	if directory.Header.Flags&types.ADHOC == 0 {
		return fmt.Errorf("its signature is not ad hoc: %s", directory.Header.Flags)
	}
	size, limit := 1<<directory.Header.PageSize, int(directory.Header.CodeLimit)
	if limit != int(signature.Offset) {
		return fmt.Errorf("its signature covers %d bytes of %d", limit, signature.Offset)
	}
	if len(directory.CodeSlots) != (limit+size-1)/size {
		return fmt.Errorf("its signature has %d pages, not %d", len(directory.CodeSlots), (limit+size-1)/size)
	}
	for page, slot := range directory.CodeSlots {
		hash := sha256.Sum256(content[page*size : min((page+1)*size, limit)])
		if !bytes.Equal(hash[:], slot.Hash) {
			return fmt.Errorf("page %d is not what was signed", page)
		}
	}
	fmt.Printf("%s %s, %d pages\n", directory.ID, directory.Header.Flags, len(directory.CodeSlots))
	return nil
}
