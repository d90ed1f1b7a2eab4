#!/bin/sh
# Makes the matrices of link.inp and its frequencies by CalculiX (Debian: calculix-ccx).
set -e
cd "$(dirname "$0")"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp link.inp "$work/link.inp"
sed 's/, SOLVER=MATRIXSTORAGE//' link.inp >"$work/free.inp"
(cd "$work" && ccx link && ccx free) >"$work/log"
cp "$work/link.sti" "$work/link.mas" "$work/link.dof" .
sed -n '/E I G E N V A L U E/,/P A R T I C/p' "$work/free.dat" | sed '$d' >link-frequencies.txt
