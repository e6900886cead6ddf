// The least that a relay can be: what one says, all others are sent. Prints `listening PORT`.
const { WebSocketServer, WebSocket } = require('ws')
const server = new WebSocketServer({ host: '127.0.0.1', port: 0, perMessageDeflate: false })
server.on('listening', () => console.log('listening', server.address().port))
server.on('connection', (sender) => {
  sender.on('message', (data, isBinary) => {
    for (const other of server.clients) {
      if (other !== sender && other.readyState === WebSocket.OPEN) other.send(data, { binary: isBinary })
    }
  })
})
