"""Runs `wstest` of Autobahn|Testsuite, which knows Python 2.7 alone, from a folder into which pip
installed it (`--target`); its servers listen on loopback.

    python2.7 wstest.py FOLDER -m fuzzingclient -s SPEC
"""

import site
import sys

folder = sys.argv[1]
sys.path.insert(0, folder)
# Also reads the folder's .pth files: without them Python does not find zope.interface.
site.addsitedir(folder)
sys.argv[:2] = ["wstest"]

from autobahntestsuite.wstest import run  # noqa: E402
from autobahntestsuite.fuzzing import FuzzingProtocol  # noqa: E402
from twisted.internet import reactor  # noqa: E402

listen = reactor.listenTCP


def listen_on_loopback(port, factory, *_, **__):
    return listen(port, factory, interface="127.0.0.1")


reactor.listenTCP = listen_on_loopback

# The suite has a second's patience with a peer, and a machine may halt for two.
PATIENCE = 3


def patient(method):
    return lambda self, delay: method(self, delay + PATIENCE)


for name in ("closeAfter", "killAfter"):
    setattr(FuzzingProtocol, name, patient(FuzzingProtocol.__dict__[name]))
run()
