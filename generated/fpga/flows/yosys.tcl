# Synthesis of eva_core to gates in Yosys, for the FuseSoC target `synth`; with the environment variable LIBERTY, to the
# cells of that library, gzipped if its name ends in .gz. `eva generate` writes this file, anew each time: adapt a copy
# of it.
#
# It needs a Yosys with Tcl: `yosys -c`.

# The clock period that ABC works to, in picoseconds.
set period 10000

yosys -import
# From FuseSoC: sets `name`, `read_files` reads the files, and `synth` is not the command of Yosys any more.
source edalize_yosys_procs.tcl
read_files
hierarchy -check -top eva_core

# The hierarchy stays, so that each module is worked on once.
yosys synth -top eva_core
if {[info exists ::env(LIBERTY)]} {
    set liberty $::env(LIBERTY)
    if {[string match *.gz $liberty]} {
        # ABC reads plain text alone.
        set packed [open $liberty rb]
        zlib push gunzip $packed
        set liberty liberty.lib
        set plain [open $liberty wb]
        fcopy $packed $plain
        close $plain
        close $packed
    }
    dfflibmap -liberty $liberty
    abc -liberty $liberty -D $period
    opt_clean
    stat -liberty $liberty
} else {
    stat
}
write_verilog -noattr $name.v
