"""An instance's lifted history, changed by an app's messages as the panel's reducers change it
(reducers/instances.ts of its app-core)."""

import copy
import json
import time

UNDEFINED = {"$jsan": "u"}


def parsed(value):
    """Strings hold JSON; anything else is taken as it is."""
    return json.loads(value) if isinstance(value, str) else value


def printed(value):
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


def now():
    return int(time.time() * 1000)


def blank():
    return {
        "actionsById": {}, "nextActionId": 0, "stagedActionIds": [], "skippedActionIds": [],
        "currentStateIndex": -1, "computedStates": []}


class Instance:
    """One instance of one app; `lifted` is its history, with string keys in `actionsById`."""

    def __init__(self, instance_id, request):
        config = request.get("libConfig") or {}
        self.id = instance_id
        self.connection = request.get("id")
        self.lib = "redux" if request.get("type") == "STATE" else None
        self.explicit_lib = config.get("type")
        self.name = config.get("name") or request.get("name") or instance_id
        creators = parsed(config.get("actionCreators") or request.get("action"))
        self.creators = creators if isinstance(creators, list) else None
        self.features = config.get("features") or self._features()
        self.lifted = blank()
        self.without_stack = set()

    def _features(self):
        names = ["persist", "pause", "reorder", "jump", "skip", "dispatch", "sync", "test"]
        return {
            "lock": self.lib == "redux",
            "export": "custom" if self.explicit_lib == "redux" else True,
            "import": "custom", **{name: True for name in names}}

    @property
    def current_state(self):
        """The state the panel shows."""
        return self.lifted["computedStates"][self.lifted["currentStateIndex"]].get("state")

    @property
    def action_types(self):
        """The rows of the list, from top to bottom."""
        actions = self.lifted["actionsById"]
        return [actions[str(i)]["action"].get("type") for i in self.lifted["stagedActionIds"]]

    def row_of(self, action_id):
        """The row of `statesurf`; None for the beginning and the tail."""
        return self.lifted["actionsById"][str(action_id)].get("row")

    @property
    def rows(self):
        """The rows in the list, without the beginning."""
        rows = [self.row_of(one) for one in self.lifted["stagedActionIds"][1:]]
        return [row for row in rows if row is not None]

    def id_of(self, row):
        """The panel's id of a row; 0 is the beginning."""
        if row == 0:
            return 0
        ids = [one for one in self.lifted["stagedActionIds"] if self.row_of(one) == row]
        assert ids, f"row {row} is not in the panel's list: {self.rows}"
        return ids[0]

    def state_after(self, action_id):
        index = self.lifted["stagedActionIds"].index(action_id)
        return self.lifted["computedStates"][index]["state"]

    def update(self, request):
        """Applies one message; raises on one that the panel could not digest."""
        kind = request.get("type")
        reducer = {
            "INIT": self._init, "ACTION": self._action, "STATE": self._state,
            "PARTIAL_STATE": self._partial_state, "LIFTED": lambda _: None}.get(kind)
        if reducer is None:
            return
        before = copy.deepcopy(self.lifted)
        try:
            reducer(request)
        except Exception:
            self.lifted = before
            raise
        if isinstance(request.get("liftedState"), dict):
            self.lifted.update(request["liftedState"])

    @staticmethod
    def _payload(request):
        if not request.get("actionsById"):
            return parsed(request.get("payload"))
        payload = dict(request["payload"])
        payload["actionsById"] = parsed(request["actionsById"])
        payload["computedStates"] = parsed(request["computedStates"])
        if request["type"] == "STATE" and request.get("committedState"):
            payload["committedState"] = payload["computedStates"][0]["state"]
        return payload

    def _init(self, request):
        state = self._payload(request)
        action = parsed(request.get("action")) or {}
        self.lifted = blank()
        self.without_stack = set()
        self._append(
            state, {"action": {"type": "@@INIT"}, "timestamp": action.get("timestamp") or now()}, 1)

    def _action(self, request):
        payload, action = self._payload(request), parsed(request.get("action")) or {}
        limits = request.get("maxAge"), request.get("isExcess")
        if isinstance(action, list):
            for index, one in enumerate(action):
                state = payload if request.get("batched") else payload[index]
                self._append(state, one, self.lifted["nextActionId"] + 1, *limits)
        else:
            following = request.get("nextActionId") or self.lifted["nextActionId"] + 1
            self._append(payload, action, following, *limits)

    def _append(self, state, action, following, max_age=None, is_excess=False):
        lifted, key = self.lifted, following - 1
        if lifted["currentStateIndex"] == len(lifted["stagedActionIds"]) - 1:
            lifted["currentStateIndex"] += 1
        lifted["stagedActionIds"].append(key)
        if action.get("type") == "PERFORM_ACTION":
            entry = action
        else:
            entry = {
                "action": action.get("action") or action,
                "timestamp": action.get("timestamp") or now(), "type": "PERFORM_ACTION"}
            if "stack" in action:
                entry["stack"] = action["stack"]
            else:
                self.without_stack.add(str(key))
        lifted["actionsById"][str(key)] = entry
        lifted["nextActionId"] = following
        lifted["computedStates"].append({"state": state})
        excess = len(lifted["stagedActionIds"]) - max_age if max_age else 0
        if is_excess:
            self._commit_excess(1)
        elif excess > 0:
            self._commit_excess(excess)

    def _commit_excess(self, count):
        lifted = self.lifted
        count = min(count, len(lifted["stagedActionIds"]) - 1)
        first, *rest = lifted["stagedActionIds"]
        gone = rest[:count]
        for key in gone:
            lifted["actionsById"].pop(str(key), None)
        lifted["skippedActionIds"] = [k for k in lifted["skippedActionIds"] if k not in gone]
        lifted["stagedActionIds"] = [first, *rest[count:]]
        lifted["committedState"] = lifted["computedStates"][count]["state"]
        lifted["computedStates"] = lifted["computedStates"][count:]
        lifted["currentStateIndex"] = max(0, lifted["currentStateIndex"] - count)

    def _state(self, request):
        lifted = self._payload(request)
        self._check(lifted)
        count = len(lifted["computedStates"])
        lifted["currentStateIndex"] = min(lifted["currentStateIndex"], count - 1)
        self.lifted = lifted
        self.without_stack = set()

    @staticmethod
    def _check(lifted):
        """A panel with such a history would break while drawing it."""
        staged = lifted["stagedActionIds"]
        if len(staged) != len(lifted["computedStates"]):
            raise ValueError("as many computedStates as stagedActionIds are needed")
        missing = [key for key in staged if str(key) not in lifted["actionsById"]]
        if missing:
            raise ValueError(f"no actionsById for {missing}")

    def _partial_state(self, request):
        payload, old, max_age = self._payload(request), self.lifted, request.get("maxAge")
        actions, states = dict(old["actionsById"]), old["computedStates"]
        committed = old.get("committedState")
        staged = payload["stagedActionIds"]
        if max_age and payload["nextActionId"] > max_age and len(staged) > 1:
            rows = old["stagedActionIds"]
            excess = rows.index(staged[1]) if staged[1] in rows else -1
            if excess > 0:
                for key in rows[1:excess]:
                    actions.pop(str(key), None)
                states = states[excess - 1 :]
                committed = states[0]["state"]
        states = states + payload["computedStates"]
        self.lifted = {
            **old, "actionsById": {**actions, **payload["actionsById"]},
            "computedStates": states, "nextActionId": payload["nextActionId"],
            "stagedActionIds": staged, "committedState": committed,
            "currentStateIndex": min(payload["currentStateIndex"], len(states) - 1)}
        self._check(self.lifted)

    def jump(self, action_id):
        self.lifted["currentStateIndex"] = self.lifted["stagedActionIds"].index(action_id)

    def sweep(self):
        """What is skipped goes, locally."""
        lifted = self.lifted
        keep = [
            index for index, key in enumerate(lifted["stagedActionIds"])
            if key not in lifted["skippedActionIds"]]
        for key in lifted["skippedActionIds"]:
            lifted["actionsById"].pop(str(key), None)
        lifted["stagedActionIds"] = [lifted["stagedActionIds"][index] for index in keep]
        lifted["computedStates"] = [lifted["computedStates"][index] for index in keep]
        lifted["skippedActionIds"] = []
        lifted["currentStateIndex"] = min(lifted["currentStateIndex"], len(keep) - 1)

    def text(self, marks_undefined=False):
        """The history as JSON; with jsan's mark where JavaScript would have written undefined."""
        lifted = self.lifted
        if marks_undefined:
            actions = {
                key: {**entry, "stack": UNDEFINED} if key in self.without_stack else entry
                for key, entry in lifted["actionsById"].items()}
            lifted = {**lifted, "actionsById": actions}
        return printed(lifted)
