// An app of JavaScript that speaks what @redux-devtools/remote 1.0.0 speaks, over SocketCluster 2:
//   redux_app.js PORT
// Its state is a list. A line N of standard input appends N; the list is printed whenever it changes.
const WebSocket = require('ws')
const readline = require('readline')

const socket = new WebSocket(`ws://127.0.0.1:${process.argv[2]}/socketcluster/`)
let callCount = 0
const calls = new Map()
const send = (packet) => socket.send(JSON.stringify(packet))
const invoke = (event, data) =>
  new Promise((resolve) => {
    callCount += 1
    calls.set(callCount, resolve)
    send({ event, data, cid: callCount })
  })

// @redux-devtools/instrument: its lifted state, and the words of its buttons.
const at = (number) => ({ type: 'PERFORM_ACTION', action: { type: 'add', number }, timestamp: Date.now() })
let lifted
let printed = '[]'
const begin = (state) => {
  lifted = {
    actionsById: { 0: { type: 'PERFORM_ACTION', action: { type: '@@INIT' }, timestamp: Date.now() } },
    nextActionId: 1, stagedActionIds: [0], skippedActionIds: [], committedState: state,
    currentStateIndex: 0, computedStates: [{ state }], isLocked: false, isPaused: false,
  }
}
begin([])
const compute = () => {
  let state = lifted.committedState
  lifted.computedStates = lifted.stagedActionIds.map((id) => {
    const { action } = lifted.actionsById[id]
    if (action.type === 'add' && !lifted.skippedActionIds.includes(id)) state = [...state, action.number]
    return { state }
  })
  const text = JSON.stringify(lifted.computedStates[lifted.currentStateIndex].state)
  if (text !== printed) console.log(`list ${text}`)
  printed = text
}

let isMonitored = false
const relay = (type, members = {}) => {
  if (type !== 'START' && !isMonitored && type !== 'STOP') return
  send({ event: 'log', data: { type, id: socket.id, instanceId: 'list', name: 'List', ...members } })
}
const perform = (number) => {
  if (lifted.isLocked) return
  const id = lifted.nextActionId
  lifted.nextActionId += 1
  lifted.actionsById[id] = at(number)
  if (lifted.currentStateIndex === lifted.stagedActionIds.length - 1) lifted.currentStateIndex += 1
  lifted.stagedActionIds = [...lifted.stagedActionIds, id]
  compute()
  const newest = lifted.computedStates[lifted.computedStates.length - 1]
  relay('ACTION', {
    payload: JSON.stringify(newest.state), action: JSON.stringify(lifted.actionsById[id]),
    nextActionId: lifted.nextActionId,
  })
}
const buttons = {
  JUMP_TO_ACTION: ({ actionId }) => {
    const index = lifted.stagedActionIds.indexOf(actionId)
    if (index >= 0) lifted.currentStateIndex = index
  },
  JUMP_TO_STATE: ({ index }) => { lifted.currentStateIndex = index },
  TOGGLE_ACTION: ({ id }) => {
    const skipped = lifted.skippedActionIds
    lifted.skippedActionIds = skipped.includes(id) ? skipped.filter((one) => one !== id) : [...skipped, id]
  },
  COMMIT: () => begin(lifted.computedStates[lifted.currentStateIndex].state),
  ROLLBACK: () => begin(lifted.committedState),
  RESET: () => begin([]),
  LOCK_CHANGES: ({ status }) => { lifted.isLocked = status },
  PAUSE_RECORDING: ({ status }) => { lifted.isPaused = status },
}
const hear = (message) => {
  switch (message.type) {
    case 'START':
      isMonitored = true
      relay('STATE', { payload: JSON.stringify(lifted), libConfig: { type: 'redux', name: 'List' } })
      break
    case 'STOP':
    case 'DISCONNECTED':
      relay('STOP')
      isMonitored = false
      break
    case 'UPDATE': relay('STATE', { payload: JSON.stringify(lifted) }); break
    case 'ACTION': {
      const action = new Function(`return ${message.action}`)()
      if (action && action.type === 'add') perform(action.number)
      else relay('ERROR', { payload: 'Actions must be plain objects with a type that is known.' })
      break
    }
    case 'DISPATCH': {
      const button = buttons[message.action.type]
      if (!button) break
      button(message.action)
      compute()
      if (message.action.type !== 'JUMP_TO_STATE') relay('STATE', { payload: JSON.stringify(lifted) })
    }
  }
}

socket.on('message', (data) => {
  const text = data.toString()
  if (text === '') return socket.send('')
  const packet = JSON.parse(text)
  if (packet.rid) calls.get(packet.rid)?.(packet.data)
  else if (packet.event === '#publish') hear(packet.data.data)
})
socket.on('open', async () => {
  socket.id = (await invoke('#handshake', { authToken: null })).id
  const channel = await invoke('login', 'master')
  await invoke('#subscribe', { channel })
  await invoke('#subscribe', { channel: `sc-${socket.id}` })
  relay('START')
})
socket.on('error', (error) => { console.error(String(error)); process.exit(1) })
readline.createInterface({ input: process.stdin }).on('line', (line) => perform(Number(line)))
