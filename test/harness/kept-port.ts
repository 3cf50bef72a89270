import { once } from 'node:events'
import { createServer } from 'node:net'

const HOST = '127.0.0.1'
/** Below the ports that systems give to outgoing connections, which may take a port while no server of the test listens there. */
const FIRST = 10_240
const PORTS = 20_000

/** A free port on which a test may listen again and again. */
export async function keptPort(): Promise<number> {
  for (;;) {
    const port = FIRST + Math.floor(Math.random() * PORTS)
    const holder = createServer()
    try {
      holder.listen(port, HOST)
      await once(holder, 'listening')
    } catch {
      // Another program listens there.
      continue
    }
    holder.close()
    await once(holder, 'close')
    return port
  }
}
