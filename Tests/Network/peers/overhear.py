"""Writes every octet that crosses this network namespace to a file, until it is ended.

    overhear.py FILE

Needs root, and a namespace of the test's own: it hears all interfaces there.
"""

import socket
import sys

ALL_PROTOCOLS = 0x0003  # ETH_P_ALL


def main(path):
    with socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(ALL_PROTOCOLS)) as ear, \
            open(path, "wb", buffering=0) as file:
        print("listening", flush=True)
        while True:
            file.write(ear.recv(65_536))


main(sys.argv[1])
