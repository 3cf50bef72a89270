/** Requests that a client sends without waiting for answers are served one after the other, and do not fill the memory. */

import { once } from 'node:events'
import { connect } from 'node:net'
import { setImmediate as turn } from 'node:timers/promises'
import { pino } from 'pino'
import { afterEach, describe, expect, test } from 'vitest'
import { type HttpExchange, NodeExchange } from '../../../src/gateway/http/http-exchange.ts'
import { type HttpServer, openHttpServer } from '../../../src/gateway/http/http-server.ts'
import { DEFAULT_LIMITS } from '../../../src/gateway/limits/limits.ts'
import { DoorCounters } from '../../../src/gateway/observing/metrics.ts'

const REQUESTS_A_PACKET = 16
/** Some 20 MB in all. */
const PACKETS = 320

let server: HttpServer | undefined

afterEach(() => server?.close())

async function open(isSmall: boolean, answer: (exchange: HttpExchange) => Promise<void>): Promise<number> {
  const small = isSmall ? { answerSmall: (exchange: HttpExchange) => void answer(exchange) } : {}
  server = await openHttpServer(
    (incoming, outgoing) => void answer(new NodeExchange(incoming, outgoing)),
    {
      door: 'test',
      limits: DEFAULT_LIMITS,
      counters: new DoorCounters(),
      logger: pino({ level: 'silent' }),
      ...small,
    },
    { host: '127.0.0.1', port: 0 },
  )
  return server.port
}

function send({ outgoing }: HttpExchange): void {
  outgoing.writeHead(200, { 'Content-Length': 0 }).end()
}

/** Sends all in one packet, and resolves once so many answers are there. */
async function answered(port: number, requests: string, count: number): Promise<void> {
  const socket = connect(port, '127.0.0.1')
  socket.write(requests)
  let text = ''
  while (text.split('HTTP/1.1 200').length <= count) text += String((await once(socket, 'data'))[0])
  socket.destroy()
}

const FORMS = {
  'of the usual form': (path: string) => `PUT ${path} HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nhi`,
  'that are odd': (path: string) =>
    `PUT ${path} HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\n\r\n`,
  'whose client waits with the body': (path: string) =>
    `PUT ${path} HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\nhi`,
}

describe.each([
  ['ours', true],
  ['of Node', false],
])('a server %s', (_, isSmall) => {
  test.each(Object.entries(FORMS))('hears requests %s in their order', async (_form, request) => {
    const heard: string[] = []
    const port = await open(isSmall, async (exchange) => {
      const { url = '' } = exchange.request
      heard.push(`${url} begins`)
      // The first takes the longest.
      for (let left = 10 - Number(url.slice(1)); left > 0; left--) await turn()
      if (exchange.stream !== undefined) for await (const chunk of exchange.stream) heard.push(String(chunk))
      heard.push(`${url} ends`)
      send(exchange)
    })
    const paths = ['/1', '/2', '/3', '/4', '/5']
    await answered(port, paths.map(request).join(''), paths.length)
    expect(heard.filter((word) => word !== 'hi')).toEqual(
      paths.flatMap((path) => [`${path} begins`, `${path} ends`]),
    )
  })

  test('reads no more while many wait, and then answers all', { timeout: 60_000 }, async () => {
    let release: (() => void) | undefined
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    const port = await open(isSmall, async (exchange) => {
      if (exchange.request.url === '/held') await released
      send(exchange)
    })
    const socket = connect(port, '127.0.0.1')
    const header = `X-A: ${'a'.repeat(4000)}\r\n`
    const get = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: a\r\n${header}\r\n`
    const packet = get('/1').repeat(REQUESTS_A_PACKET)
    // Two in one packet: the connection of the second server is Node's from its first byte.
    socket.write(get('/held') + get('/1'))
    let sent = 0
    for (let quiet = 0; sent < PACKETS && quiet < 300; ) {
      quiet = socket.writableNeedDrain ? quiet + 1 : 0
      if (quiet > 0) await turn()
      else {
        socket.write(packet)
        sent++
      }
    }
    // The system holds some megabytes.
    expect(sent).toBeLessThan(PACKETS * 0.8)
    release!()
    for (; sent < PACKETS; sent++) socket.write(packet)
    const count = PACKETS * REQUESTS_A_PACKET + 2
    let text = ''
    let answers = 0
    socket.on('data', (chunk: Buffer) => {
      text += String(chunk)
      answers = text.split('HTTP/1.1 200').length - 1
      if (answers === count) socket.destroy()
    })
    await once(socket, 'close')
    expect(answers).toBe(count)
  })
})
