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

test('answers that wait behind others close with their connection, each once', async () => {
  const heard = new EventEmitter()
  const answers: ServerResponse[] = []
  const closed: number[] = []
  const listener = ({ url }: IncomingMessage, outgoing: ServerResponse): void => {
    const index = answers.push(outgoing) - 1
    outgoing.on('close', () => closed.push(index))
    if (url === '/now') outgoing.end('now')
    if (answers.length === 5) heard.emit('all')
  }
  const logger = pino({ level: 'silent' })
  const parts = { door: 'test', limits: DEFAULT_LIMITS, counters: new DoorCounters(), logger }
  const server = await openHttpServer(listener, parts, { host: '127.0.0.1', port: 0 })
  const socket = connect(server.port, '127.0.0.1')
  socket.write(get('/now') + get('/later') + get('/now') + get('/later') + get('/later'))
  await once(heard, 'all')
  while (closed.length === 0) await new Promise((resolve) => setImmediate(resolve))
  socket.resetAndDestroy()
  while (closed.length < 5) await new Promise((resolve) => setImmediate(resolve))
  expect(closed.toSorted((a, b) => a - b)).toEqual([0, 1, 2, 3, 4])
  // Later answers are dropped and cause no error.
  answers[4]!.end('late')
  await server.close()
  expect(closed).toHaveLength(5)
})

test.each([
  ['behind an answer that is not sent yet', '/later'],
  ['behind one that is', '/now'],
])('an answer that cannot be sent ends its connection: %s', async (_, first) => {
  const answers: ServerResponse[] = []
  const listener = ({ url }: IncomingMessage, outgoing: ServerResponse): void => {
    answers.push(outgoing)
    if (url === '/now') outgoing.end('now')
    if (url === '/broken') breakOff(outgoing)
    if (url === '/last' && first === '/later') answers[0]!.end('late')
  }
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
