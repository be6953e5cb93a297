# @TOP@ in Vivado, without a project and out of context. `eva generate` writes this file, anew each time: adapt a copy.
#
#   vivado -mode batch -source flows/vivado.tcl                                   synthesis only
#   vivado -mode batch -source flows/vivado.tcl -tclargs PART OUT route           and place and route
#
# PART is the device, by default @PART@ (Artix-7); OUT is the folder for reports and checkpoints (made if it does not exist).

set root [file dirname [file dirname [file normalize [info script]]]]
set part @PART@
set out vivado
set last_step synth
if {$argc > 0} { set part [lindex $argv 0] }
if {$argc > 1} { set out [lindex $argv 1] }
if {$argc > 2} { set last_step [lindex $argv 2] }
file mkdir $out

set list [open [file join $root @TOP@.f]]
foreach file [split [string trim [read $list]] "\n"] {
    read_verilog [file join $root $file]
}
close $list
read_xdc -mode out_of_context [file join $root constraints @TOP@.xdc]

synth_design -top @TOP@ -part $part -mode out_of_context
write_checkpoint -force [file join $out synth.dcp]
report_utilization -hierarchical -file [file join $out synth_utilization.txt]
report_timing_summary -file [file join $out synth_timing.txt]

if {$last_step eq "route"} {
    opt_design
    place_design
    phys_opt_design
    route_design
    write_checkpoint -force [file join $out route.dcp]
    report_utilization -hierarchical -file [file join $out route_utilization.txt]
    report_timing_summary -file [file join $out route_timing.txt]
}
