"""Every octet that is sent on loopback, into a file, until it is ended: capture.py FILE"""
import socket
import sys

ALL = 0x0003
with socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(ALL)) as link:
    link.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 64 << 20)
    link.bind(("lo", 0))
    with open(sys.argv[1], "wb", buffering=0) as file:
        while True:
            file.write(link.recv(1 << 16))
