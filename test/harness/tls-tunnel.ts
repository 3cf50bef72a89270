import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { pipeline } from 'node:stream'
import { type ConnectionOptions, connect } from 'node:tls'

export interface TlsTunnel {
  readonly port: number
  close(): void
}

/** A port whose connections go on encrypted to another port: for clients of tests that know no TLS. */
export async function tlsTunnel(to: number, options: ConnectionOptions): Promise<TlsTunnel> {
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    const secured = connect({
      ...options,
      host: '127.0.0.1',
      port: to,
      allowHalfOpen: true,
    } as ConnectionOptions)
    pipeline(socket, secured, ignored)
    pipeline(secured, socket, ignored)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { port: (server.address() as AddressInfo).port, close: () => server.close() }
}

function ignored(): void {
  // The other side sees the end.
}
