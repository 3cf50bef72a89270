/** Long answers that break off, and clients that read slowly. */

import { once } from 'node:events'
import { request } from 'node:http'
import { connect } from 'node:net'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { CellType } from '../../../src/model/cell.ts'
import { CellBlockBuilder } from '../../../src/model/cell-block.ts'
import { HBaseError } from '../../../src/model/errors.ts'
import type { ScanBatch } from '../../../src/model/results.ts'
import type { Handouts } from '../../../src/store/handouts.ts'
import type { Rows } from '../../../src/store/rows.ts'
import { type RestServer, startRestServer } from './rest-server.ts'

const PAGE_ROWS = 100
const VALUE = Buffer.alloc(10_000, 'v')
const PAGE_BYTES = PAGE_ROWS * VALUE.length

let server: RestServer
/** Pages that the store has handed out; it fails after `pagesMax`, or ends. */
let pages = 0
let pagesMax = 0
let failure: Error | undefined

function page(): ScanBatch {
  const cells = new CellBlockBuilder()
  for (let i = 0; i < PAGE_ROWS; i++) {
    const row = Buffer.from(`row${String(pages * PAGE_ROWS + i).padStart(9, '0')}`)
    cells.append(row, Buffer.from('f'), Buffer.from('q'), 0, 1, CellType.Put, VALUE)
  }
  const counts = Array.from({ length: PAGE_ROWS }, () => 1)
  const ended = pages === pagesMax - 1 && failure === undefined ? 'scan' : 'batch'
  return {
    results: { cells: cells.block(), counts },
    ended,
    partial: undefined,
    cellsSeen: 0,
    rowsSeen: 0,
    position: undefined,
  }
}

const rows = { openScanner: () => Promise.resolve({ id: 1, readPoint: 0n }) } as unknown as Rows
const handouts: Handouts = {
  next: () => {
    if (pages === pagesMax && failure !== undefined) return Promise.reject(failure)
    const batch = page()
    pages++
    return Promise.resolve(batch)
  },
  closeScanner: () => Promise.resolve(),
  release: () => undefined,
}

beforeAll(async () => {
  server = await startRestServer({}, { rows, handouts })
})
afterAll(() => server.close())

function store(pageCount: number, error?: Error): void {
  pages = 0
  pagesMax = pageCount
  failure = error
}

interface Received {
  readonly body: Buffer
  readonly brokeOff: boolean
}

/** All that arrives, whether the answer is complete or not. */
function receive(headers: Record<string, string>): Promise<Received> {
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port: server.port, path: '/t/*', headers }, (answer) => {
      const chunks: Buffer[] = []
      answer.on('data', (chunk: Buffer) => chunks.push(chunk))
      answer.on('error', () => undefined)
      answer.on('close', () => resolve({ body: Buffer.concat(chunks), brokeOff: !answer.complete }))
    })
    sent.on('error', reject)
    sent.end()
  })
}

const ERROR = new HBaseError('REGION_TOO_BUSY', 'on purpose')

describe('an error after the first byte', () => {
  test.each(['application/x-ndjson', 'application/x-ndjson;cells=text'])(
    'is the last line of %s, and breaks the answer off',
    async (accept) => {
      for (const error of [ERROR, new Error('a bug')]) {
        store(2, error)
        const { body, brokeOff } = await receive({ Accept: accept })
        expect(brokeOff).toBe(true)
        const lines = body.toString().split('\n')
        expect([lines.length, lines.at(-1)]).toEqual([2 * PAGE_ROWS + 2, ''])
        const last = JSON.parse(lines.at(-2)!) as { error: unknown }
        const isKnown = error === ERROR
        expect(last.error).toEqual(
          isKnown
            ? { code: 'REGION_TOO_BUSY', exception: ERROR.javaClass, detail: 'on purpose', mayRetry: true }
            : { detail: 'Server error' },
        )
      }
    },
  )

  test('is the last line of zipped lines', async () => {
    store(2, ERROR)
    const { body, brokeOff } = await receive({ Accept: 'application/x-ndjson', 'Accept-Encoding': 'gzip' })
    expect(brokeOff).toBe(true)
    expect(gunzipSync(body).toString().split('\n').at(-2)).toMatch(/^{"error":/)
  })

  test.each(['application/json', 'application/json;cells=text', 'text/xml', 'application/protobuf'])(
    'breaks %s off',
    async (accept) => {
      store(2, ERROR)
      expect((await receive({ Accept: accept })).brokeOff).toBe(true)
    },
  )

  test('does not keep later answers from being complete', async () => {
    store(3)
    const { body, brokeOff } = await receive({ Accept: 'application/x-ndjson' })
    expect([body.toString().split('\n').length, brokeOff]).toEqual([3 * PAGE_ROWS + 1, false])
  })
})

describe('a long scan', () => {
  test.each([
    'application/x-ndjson',
    'application/x-ndjson;cells=text',
    'application/json',
    'application/json;cells=text',
    'text/xml',
    'application/protobuf',
  ])('as %s is read no faster than its client reads', async (accept) => {
    store(2000)
    const socket = connect(server.port, '127.0.0.1')
    socket.write(`GET /t/* HTTP/1.1\r\nHost: x\r\nAccept: ${accept}\r\nConnection: close\r\n\r\n`)
    await once(socket, 'readable')
    // The client reads nothing: the store is asked for what the socket's buffers hold, and for a page ahead.
    let seen = -1
    await vi.waitFor(
      () => {
        const before = seen
        seen = pages
        expect(pages).toBe(before)
      },
      { timeout: 10_000, interval: 200 },
    )
    expect(pages * PAGE_BYTES).toBeLessThan(64 * 1024 * 1024)
    expect(pages).toBeLessThan(pagesMax / 4)
    const held = pages
    socket.on('data', () => {
      if (pages > held + 1) socket.destroy()
    })
    await once(socket, 'close')
    expect(pages).toBeGreaterThan(held)
  })
})
