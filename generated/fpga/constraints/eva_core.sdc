# Timing constraints of eva_core. `eva generate` writes this file beside the Verilog, anew each time: adapt a copy of it,
# the period and the share of it that lies outside the core.

# OpenROAD-flow-scripts searches for this line, without running the file, for the period that its synthesis works to.
set clk_period 10.0
set outside [expr {0.3 * $clk_period}]

create_clock -name aclk -period $clk_period [get_ports aclk]

# Everything else is synchronous to the clock, the reset too: there is no false path and no multicycle path.
set data_inputs [list \
    [get_ports aresetn] \
    [get_ports s_axis_*_tvalid] [get_ports s_axis_*_tdata*] \
    [get_ports m_axis_*_tready]]
set data_outputs [list \
    [get_ports s_axis_*_tready] \
    [get_ports m_axis_*_tvalid] [get_ports m_axis_*_tdata*] [get_ports m_axis_y_tlast] \
    [get_ports busy] [get_ports stat_*]]
foreach ports $data_inputs { set_input_delay $outside -clock aclk $ports }
foreach ports $data_outputs { set_output_delay $outside -clock aclk $ports }
