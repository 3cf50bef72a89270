import { once } from 'node:events'
import { connect } from 'node:net'

/** Sends the bytes unchanged; resolves to everything that the server sends until it closes the connection. */
export async function exchangeBytes(port: number, bytes: string | Buffer): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  const chunks: Buffer[] = []
  socket.on('data', (chunk) => chunks.push(chunk))
  socket.on('error', () => undefined)
  socket.end(bytes)
  await once(socket, 'close')
  return Buffer.concat(chunks).toString('latin1')
}
