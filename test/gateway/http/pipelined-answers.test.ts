import { EventEmitter, once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { connect } from 'node:net'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { openHttpServer } from '../../../src/gateway/http/http-server.ts'
import { breakOff } from '../../../src/gateway/http/pipelined-answers.ts'
import { DEFAULT_LIMITS } from '../../../src/gateway/limits/limits.ts'
import { DoorCounters } from '../../../src/gateway/observing/metrics.ts'

const get = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`

test('a request behind one without an answer is not heard, and its answer closes with the connection', async () => {
  const heard = new EventEmitter()
  const answers: ServerResponse[] = []
  const closed: number[] = []
  const listener = ({ url }: IncomingMessage, outgoing: ServerResponse): void => {
    const index = answers.push(outgoing) - 1
    outgoing.on('close', () => closed.push(index))
    if (url === '/now') outgoing.end('now')
    if (answers.length === 2) heard.emit('both')
  }
  const logger = pino({ level: 'silent' })
  const parts = { door: 'test', limits: DEFAULT_LIMITS, counters: new DoorCounters(), logger }
  const server = await openHttpServer(listener, parts, { host: '127.0.0.1', port: 0 })
  const socket = connect(server.port, '127.0.0.1')
  socket.write(get('/now') + get('/later') + get('/now') + get('/later') + get('/later'))
  await once(heard, 'both')
  socket.resetAndDestroy()
  while (closed.length < 2) await new Promise((resolve) => setImmediate(resolve))
  // A late answer is dropped and causes no error.
  answers[1]!.end('late')
  await server.close()
  expect(closed).toEqual([0, 1])
  expect(answers).toHaveLength(2)
})

/** Answers `/broken` in no form. */
function listener({ url }: IncomingMessage, outgoing: ServerResponse): void {
  if (url === '/now') outgoing.end('now')
  if (url === '/later') setImmediate(() => outgoing.end('late'))
  if (url === '/broken') breakOff(outgoing)
  if (url === '/last') outgoing.end('last')
}

test.each([
  ['behind an answer that is not sent yet', '/later'],
  ['behind one that is', '/now'],
])('an answer that cannot be sent ends its connection: %s', async (_, first) => {
  const logger = pino({ level: 'silent' })
  const parts = { door: 'test', limits: DEFAULT_LIMITS, counters: new DoorCounters(), logger }
  const server = await openHttpServer(listener, parts, { host: '127.0.0.1', port: 0 })
  const socket = connect(server.port, '127.0.0.1')
  const chunks: Buffer[] = []
  socket.on('data', (chunk: Buffer) => chunks.push(chunk))
  socket.on('error', () => undefined)
  const ended = once(socket, 'close')
  socket.write(get(first) + get('/broken') + get('/last'))
  await ended
  const answered = Buffer.concat(chunks).toString('latin1')
  expect(answered).toMatch(first === '/now' ? /now$/ : /late$/)
  expect(answered.split('HTTP/1.1').length - 1).toBe(1)
  await server.close()
})
