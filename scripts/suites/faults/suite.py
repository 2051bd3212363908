"""The faults that need a running server under ill treatment; called by `scripts/conformance faults`."""

import argparse
import multiprocessing

import crowds
import endings
import isolation
import leavers
import origins
import prices
import slow
import trials
import wire

FAULTS = {
    "descriptors": crowds.descriptors,
    "one-address": crowds.one_address,
    "slow-heads": slow.heads,
    "slow-contents": slow.contents,
    "slow-readers": slow.readers,
    "resets": leavers.resets,
    "cancelled": leavers.cancelled,
    "terminate": endings.terminate,
    "restart": endings.restart,
    "signals": endings.signals,
    "flood": crowds.flood,
    "start": endings.start,
    "idle": crowds.idle,
    "cold-original": origins.cold,
    "expired-token": origins.expired,
    "stalled-origins": origins.stalled,
    "dear": prices.dear,
    "little-memory": prices.little_memory,
    "crashed-workers": isolation.crashed,
    "killed-workers": isolation.killed,
    "drawing-bombs": isolation.bombs,
}


LIMIT = 150  # seconds for one fault


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--binary", required=True)
    parser.add_argument("--json", required=True)
    parser.add_argument("names", nargs="*", choices=[[], *FAULTS])
    arguments = parser.parse_args()
    # The steady client must not carry copies of sockets that are open here.
    multiprocessing.set_start_method("spawn")
    wire.raise_descriptor_limit()
    trials.run(FAULTS, arguments.names, arguments.binary, arguments.json, LIMIT)


if __name__ == "__main__":
    main()
