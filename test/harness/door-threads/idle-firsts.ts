import { connect, type Socket } from 'node:net'

/** So many first connections of addresses the main thread serves itself, while its threads have none. */
const FIRSTS = 8

/**
 * Opens idle connections, which the main thread serves. Threads have those that come after them, as long as no thread has more. Returns a function that ends
 * them. It needs the addresses of Linux's loopback.
 */
export async function openIdleFirsts(port: number): Promise<() => void> {
  const idle: Socket[] = []
  for (let i = 0; i < FIRSTS; i++) idle.push(await connected(port, `127.0.1.${i + 1}`))
  return () => {
    for (const socket of idle) socket.destroy()
  }
}

function connected(port: number, localAddress: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', localAddress }, () => resolve(socket))
    socket.once('error', reject)
  })
}
