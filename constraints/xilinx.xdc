# Timing constraints of eva_core for Vivado. `eva generate` writes this file beside the Verilog, anew each time: adapt a
# copy of it.
#
# They are for the core by itself, synthesised out of context: it has more ports than any package has pins. In a design
# around it leave them out: its clock and its neighbours are constrained there.

create_clock -name aclk -period @PERIOD@ [get_ports aclk]

# Everything else is synchronous to the clock, the reset too: there is no false path and no multicycle path. A share of
# the period lies outside the core.
set outside [expr 0.3 * @PERIOD@]
set_input_delay $outside -clock aclk [get_ports aresetn]
set_input_delay $outside -clock aclk [get_ports s_axis_*_tvalid]
set_input_delay $outside -clock aclk [get_ports s_axis_*_tdata*]
set_input_delay $outside -clock aclk [get_ports m_axis_*_tready]
set_output_delay $outside -clock aclk [get_ports s_axis_*_tready]
set_output_delay $outside -clock aclk [get_ports m_axis_*_tvalid]
set_output_delay $outside -clock aclk [get_ports m_axis_*_tdata*]
set_output_delay $outside -clock aclk [get_ports m_axis_y_tlast]
set_output_delay $outside -clock aclk [get_ports busy]
set_output_delay $outside -clock aclk [get_ports stat_*]
