"""Laws that hold in many groups: form, split and errors of the constants, measured on tables with a known truth."""
