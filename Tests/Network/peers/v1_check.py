"""A SocketCluster client of independent make, which speaks version 1 of the protocol, as a panel.

    v1_check.py PORT      exit code 0 once it has the history of an app
"""

import sys
import threading

from socketclusterclient import Socketcluster

arrived = threading.Event()
answers = []
socket = Socketcluster.socket(f"ws://127.0.0.1:{sys.argv[1]}/socketcluster/")


def subscribed(channel, error, _):
    answers.append((channel, error))
    socket.emit("respond", {"type": "START"})


def published(_, data):
    if data.get("type") == "STATE":
        arrived.set()


def connected(_):
    socket.emitack("login", {}, lambda name, error, data: answers.append((name, error, data)))
    socket.onchannel("log", published)
    socket.subscribeack("log", subscribed)


socket.setBasicListener(connected, lambda _: None, lambda _, error: print(error))
socket.setreconnection(False)
threading.Thread(target=socket.connect, daemon=True).start()
has_history = arrived.wait(60)
print(answers)
sys.exit(0 if has_history and ("login", "", "log") in answers else 1)
