/** A server between the adapter and the door, which fails as the test says. */

import { createServer as createHttpServer, request } from 'node:http'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export interface FaultyProxy {
  readonly port: number
  close(): Promise<void>
}

export type Fault =
  | 'none'
  /** The request goes nowhere. */
  | 'cut before'
  /** The request is carried out, but its answer is lost. */
  | 'cut behind'
  /** 503, without a word. */
  | 'busy'
  /** 404, as a server answers that has forgotten the scanner. */
  | 'forgotten'

/** HTTP. `fault`: of a request, by its method and path. */
export async function openFaultyHttp(
  port: number,
  fault: (method: string, path: string) => Fault,
): Promise<FaultyProxy> {
  const server = createHttpServer((asked, answer) => {
    const chosen = fault(asked.method!, asked.url!)
    if (chosen === 'cut before') {
      asked.socket.destroy()
      return
    }
    if (chosen === 'busy' || chosen === 'forgotten') {
      asked.resume()
      answer.writeHead(chosen === 'busy' ? 503 : 404).end()
      return
    }
    const onward = request(
      { host: '127.0.0.1', port, method: asked.method, path: asked.url, headers: asked.headers },
      (received) => {
        if (chosen === 'cut behind') {
          received.resume()
          asked.socket.destroy()
          return
        }
        answer.writeHead(received.statusCode!, received.headers)
        received.pipe(answer)
      },
    )
    asked.pipe(onward)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** TCP. Connections end after as many bytes of the server as `bytesOf` says, one after the other. */
export async function openCuttingProxy(port: number, bytesOf: () => number): Promise<FaultyProxy> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    const onward = connect(port, '127.0.0.1')
    let left = bytesOf()
    for (const each of [socket, onward]) {
      sockets.add(each)
      each.on('error', () => undefined)
      each.on('close', () => {
        socket.destroy()
        onward.destroy()
      })
    }
    socket.pipe(onward)
    onward.on('data', (chunk: Buffer) => {
      socket.write(chunk.subarray(0, left))
      left -= chunk.length
      if (left <= 0) socket.destroySoon()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    close: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
