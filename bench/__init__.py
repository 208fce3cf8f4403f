"""The benchmarks: ours against the tools that people would use instead, as ratios in one run."""
