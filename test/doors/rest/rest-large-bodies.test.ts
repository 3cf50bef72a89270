import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { decodePuts } from '../../../src/doors/rest/decoding/decode-body.ts'
import { DEFAULT_LIMITS } from '../../../src/gateway/limits/limits.ts'
import { MemoryBudget } from '../../../src/gateway/limits/memory-budget.ts'
import { DecodeThreads, LARGE_BODY_BYTES } from '../../../src/gateway/requests/decoding/decode-threads.ts'
import { cellsOf } from '../../../src/model/cell-block.ts'
import { base64, type Reply, type RestServer, startRestServer } from './rest-server.ts'
import { ARE_IN_THREADS } from './rest-threads.ts'

const ROWS = 6000
const logger = pino({ level: 'silent' })
const memory = new MemoryBudget()
let decoding: DecodeThreads
/** Decodes large bodies in threads; and one that decodes them itself. */
let server: RestServer
let plain: RestServer

beforeAll(async () => {
  decoding = new DecodeThreads({ logger })
  server = await startRestServer({ batchMax: ROWS }, {}, undefined, {}, memory, decoding)
  plain = await startRestServer({ batchMax: ROWS })
})
afterAll(async () => {
  await server.close()
  await plain.close()
  await decoding.close()
})

/** Each form's own, to tell whose puts are there. */
const VALUES = { json: 'j'.repeat(40), xml: 'x'.repeat(40), protobuf: 'p'.repeat(40) }
const keyOf = (row: number): string => `row${row}`

function json(rows: number, column = 'f:q'): Buffer {
  const cell = `"Cell":[{"column":"${base64(column)}","timestamp":5,"$":"${base64(VALUES.json)}"}]`
  const all = Array.from({ length: rows }, (_, row) => `{"key":"${base64(keyOf(row))}",${cell}}`)
  return Buffer.from(`{"Row":[${all.join(',')}]}`)
}

function xml(rows: number): Buffer {
  const cell = `<Cell column="${base64('f:q')}" timestamp="5">${base64(VALUES.xml)}</Cell>`
  const all = Array.from({ length: rows }, (_, row) => `<Row key="${base64(keyOf(row))}">${cell}</Row>`)
  return Buffer.from(`<CellSet>${all.join('')}</CellSet>`)
}

function field(id: number, bytes: Buffer): Buffer {
  return Buffer.concat([Buffer.of((id << 3) | 2, bytes.length), bytes])
}

function protobuf(rows: number): Buffer {
  const cell = field(
    2,
    Buffer.concat([field(2, Buffer.from('f:q')), Buffer.of(0x18, 5), field(4, Buffer.from(VALUES.protobuf))]),
  )
  const all = Array.from({ length: rows }, (_, row) =>
    field(1, Buffer.concat([field(1, Buffer.from(keyOf(row))), cell])),
  )
  return Buffer.concat(all)
}

const FORMS = [
  ['JSON', 'application/json', json, VALUES.json],
  ['XML', 'text/xml', xml, VALUES.xml],
  ['protobuf', 'application/x-protobuf', protobuf, VALUES.protobuf],
] as const

function put(to: RestServer, type: string, body: Buffer, path = '/t/rows'): Promise<Reply> {
  return to.ask('PUT', path, { headers: { 'Content-Type': type }, body })
}

describe.each(FORMS)('a large body of %s', (_, type, make, value) => {
  test('is stored', async () => {
    const body = make(ROWS)
    expect(body.length).toBeGreaterThan(LARGE_BODY_BYTES)
    expect((await put(server, type, body)).status).toBe(200)
    const last = await server.get(`/t/${keyOf(ROWS - 1)}`)
    expect(last.text).toContain(base64(value))
    expect(memory.granted).toBe(0)
  })

  test('is refused like a small one: too many rows, or cut short', async () => {
    const many = make(ROWS + 1)
    const cut = make(ROWS).subarray(0, -3)
    for (const body of [many, cut]) {
      const { status, text } = await put(server, type, body)
      expect({ status, text }).toEqual(await statusOf(put(plain, type, body)))
      expect(status).toBeGreaterThanOrEqual(400)
    }
    expect(memory.granted).toBe(0)
  })
})

async function statusOf(reply: Promise<Reply>): Promise<Pick<Reply, 'status' | 'text'>> {
  const { status, text } = await reply
  return { status, text }
}

test('a column that is none is refused as in a small body', async () => {
  const refused = await put(server, 'application/json', json(ROWS, 'f'))
  expect(refused.status).toBe(400)
  expect(refused.text).toBe('Bad request\r\n')
})

test('a row and column of the path are those of large bodies too', async () => {
  const value = 'w'.repeat(LARGE_BODY_BYTES)
  const body = Buffer.from(JSON.stringify({ Row: [{ Cell: [{ $: base64(value) }] }] }))
  expect((await put(server, 'application/json', body, '/t/own/f:c')).status).toBe(200)
  expect((await server.get('/t/own/f:c', 'application/octet-stream')).text).toBe(value)
})

/** A row of large cells of one column, each of one letter. */
function largeCells(...letters: string[]): Buffer {
  const Cell = letters.map((letter) => ({
    column: base64('f:c'),
    $: base64(letter.repeat(LARGE_BODY_BYTES)),
  }))
  return Buffer.from(JSON.stringify({ Row: [{ key: base64('checked'), Cell }] }))
}

test('a check may be large', async () => {
  const check = '/t/checked/?check=put'
  expect((await put(server, 'application/json', largeCells('a'))).status).toBe(200)
  expect((await put(server, 'application/json', largeCells('b', 'z'), check)).status).toBe(304)
  expect((await put(server, 'application/json', largeCells('b', 'a'), check)).status).toBe(200)
  const found = await server.get('/t/checked/f:c', 'application/octet-stream')
  expect(found.text).toBe('b'.repeat(LARGE_BODY_BYTES))
})

test('the event loop turns while a body is decoded', async () => {
  let turns = 0
  let isDone = false
  const count = (): void => {
    turns++
    if (!isDone) setImmediate(count)
  }
  const spec = { row: Buffer.from('r'), columns: [] }
  const service = { limits: DEFAULT_LIMITS, decoding }
  setImmediate(count)
  const batch = await decodePuts(service, { type: 'text/xml', body: xml(ROWS), spec })
  isDone = true
  expect(batch.length).toBe(ROWS)
  expect(cellsOf(batch.blockOf(ROWS - 1))[0]).toMatchObject({
    row: Buffer.from(keyOf(ROWS - 1)),
    timestamp: 5n,
  })
  // Decoding it on this thread would end in the first turn.
  expect(turns).toBeGreaterThan(10)
})

describe.skipIf(ARE_IN_THREADS)('where the thread ends', () => {
  let broken: RestServer
  let dying: DecodeThreads
  const own = new MemoryBudget()
  beforeAll(async () => {
    dying = new DecodeThreads({ logger, program: 'data:text/javascript,process.exit(1)' })
    broken = await startRestServer({}, {}, undefined, {}, own, dying)
  })
  afterAll(async () => {
    await broken.close()
    await dying.close()
  })

  test('the answer asks the client to retry, and small bodies are stored', async () => {
    const answer = await put(broken, 'application/json', json(ROWS))
    expect(answer.status).toBe(503)
    expect(answer.headers['retry-after']).toBe('1')
    expect(answer.text).toContain('the thread that decoded the request has ended')
    expect(own.granted).toBe(0)
    expect((await put(broken, 'application/json', json(1))).status).toBe(200)
  })
})
