/** The bound for a server on Node: answers every length-prefixed frame with constant bytes of a given size. */

import { type AddressInfo, createServer } from 'node:net'

const answerBytes = Number(process.argv[2] ?? '100')
const answer = Buffer.alloc(4 + answerBytes, 0x61)
answer.writeInt32BE(answerBytes)

const server = createServer({ noDelay: true }, (socket) => {
  let pending: Buffer = Buffer.alloc(0)
  socket.on('data', (chunk: Buffer) => {
    pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk])
    while (pending.length >= 4) {
      const end = 4 + pending.readInt32BE(0)
      if (pending.length < end) return
      pending = pending.subarray(end)
      socket.write(answer)
    }
  })
  socket.on('error', () => socket.destroy())
})
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`ready port=${(server.address() as AddressInfo).port}\n`)
})
