#!/bin/sh
# From the shipped runs to a first answer, every command shown as one may type it. Again is fine:
# what the knowledge base holds already is not loaded twice.
# usage: quickstart.sh BUILD_FOLDER
set -eu
run() {
	printf '\n$ %s\n' "$*"
	"$@"
}
run "$1/lemnos" init --with-data
run "$1/lemnos" mine
run "$1/recommend" --problem 280x280x255 --deadline 1h
