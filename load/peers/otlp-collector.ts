/** A collector of traces that reads all it is sent, and keeps nothing. */

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

const server = createServer((request, response) => {
  request.resume()
  request.on('end', () => response.writeHead(200, { 'content-type': 'application/json' }).end('{}'))
})
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`ready port=${(server.address() as AddressInfo).port}\n`)
})
