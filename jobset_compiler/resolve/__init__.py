"""Documents -> Plan: finding the runtime, merging patches and resources."""
