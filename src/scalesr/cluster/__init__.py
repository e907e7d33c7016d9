"""Many tables on many workers: one law per table, target or group, kept as it ends."""
