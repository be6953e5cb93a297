# Synthesis of eva_core to gates in Yosys, for the FuseSoC target `synth`; with the environment variable LIBERTY, to the
# cells of that library. `eva generate` writes this file, anew each time: adapt a copy of it.

yosys -import
# From FuseSoC: sets `name`, `read_files` reads the files, and `synth` is not the command of Yosys any more.
source edalize_yosys_procs.tcl
read_files
hierarchy -check -top eva_core

# The hierarchy stays, so that each module is worked on once.
yosys synth -top eva_core
if {[info exists ::env(LIBERTY)]} {
    dfflibmap -liberty $::env(LIBERTY)
    abc -liberty $::env(LIBERTY)
    opt_clean
    stat -liberty $::env(LIBERTY)
} else {
    stat
}
write_verilog -noattr $name.v
