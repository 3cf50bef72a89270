import { createServer } from 'node:net'

/** Returns the ports on which another program listens already. Listens on each port for a moment. */
export async function busyPorts<Name>(
  host: string,
  ports: readonly (readonly [name: Name, port: number])[],
): Promise<readonly (readonly [name: Name, port: number])[]> {
  const busy = await Promise.all(ports.map(([, port]) => isBusy(host, port)))
  return ports.filter((_, i) => busy[i])
}

function isBusy(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code === 'EADDRINUSE'))
    server.listen(port, host, () => server.close(() => resolve(false)))
  })
}
