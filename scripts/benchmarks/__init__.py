"""What `scripts/bench` measures with: one file per subject, and beside them the servers, the load and the counters."""
