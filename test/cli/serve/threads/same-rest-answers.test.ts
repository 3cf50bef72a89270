/** Random requests of REST over several connections, asked of a server with threads and of one without: the answers are the same bytes. */

import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTidegate, type Tidegate } from '../../../../src/library/start-tidegate.ts'
import { base64, rowJson } from '../../../doors/rest/rest-server.ts'
import { MOVES_CONNECTIONS } from '../../../harness/newest-node.ts'
import { SEED, testRuns } from '../../../harness/test-runs.ts'
import { type RestAnswer, RestConnection } from './rest-client.ts'

const THREADS = 3
const CONNECTIONS = THREADS + 1
/** More than is decoded without a thread. */
const LARGE = 'v'.repeat(300_000)
const TYPES = ['application/json', 'text/xml', 'application/x-protobuf', 'application/octet-stream', '*/*']

interface Step {
  readonly connection: number
  readonly method: string
  /** `SCANNER`: the path of the scanner that was opened `scanner` scanners ago. */
  readonly path: string
  readonly scanner: number
  readonly accept: string
  readonly body?: string | undefined
}

const row = fc.constantFrom('a', 'b', 'c', 'd')
const put = fc.tuple(row, fc.constantFrom('v', 'w'.repeat(2000), LARGE)).map(([key, value]) => ({
  method: 'PUT',
  path: `/t/${key}`,
  body: rowJson(key, ['f:q', value, 5], ['f:r', 'x', 6]),
}))
const read = fc
  .tuple(fc.constantFrom('GET', 'HEAD', 'OPTIONS', 'DELETE'), fc.constantFrom('', '/f:q', '/f:none', '/x:q'))
  .chain(([method, column]) => row.map((key) => ({ method, path: `/t/${key}${column}` })))
const other = fc
  .constantFrom(
    '/t/*',
    '/t/a,c?v=2',
    '/t/multiget?row=a&row=c',
    '/t/schema',
    '/none/a',
    '/t/exists',
    '/',
    '/%zz',
    '/version/rest',
  )
  .map((path) => ({ method: 'GET', path }))
const scan = fc.constantFrom(
  '{"batch":1}',
  '{"batch":3}',
  `{"startRow":"${base64('b')}"}`,
  '{"batch":"x"}',
  '{',
)
const open = scan.map((body) => ({ method: 'PUT', path: '/t/scanner', body }))
const use = fc.oneof(
  fc
    .constantFrom('', '?n=1', '?n=2', '?c=2', '?n=x')
    .map((query) => ({ method: 'GET', path: `SCANNER${query}` })),
  fc.constantFrom('GET', 'DELETE').map((method) => ({ method, path: 'SCANNER' })),
)
const unknown = fc
  .tuple(
    fc.constantFrom('GET', 'DELETE'),
    fc.constantFrom('SCANNERf', '/t/scanner/x/y', '/t/scanner/x', '/t/scanner/7s400000'),
  )
  .map(([method, path]) => ({ method, path }))
const step: fc.Arbitrary<Step> = fc
  .tuple(
    fc.oneof(put, read, other, open, { weight: 4, arbitrary: use }, unknown),
    fc.nat(CONNECTIONS - 1),
    fc.nat(2),
    fc.constantFrom(...TYPES),
  )
  .map(([asked, connection, scanner, accept]) => ({ ...asked, connection, scanner, accept }))

/** A server, and the connections of its client. */
class Side {
  readonly #server: Tidegate
  readonly #connections: readonly RestConnection[]
  readonly #scanners: string[] = []

  private constructor(server: Tidegate) {
    this.#server = server
    this.#connections = Array.from({ length: CONNECTIONS }, () => new RestConnection(server.ports.rest!))
  }

  static async start(threads: number): Promise<Side> {
    const side = new Side(await startTidegate({ threads, thrift: 'off' }))
    for (const connection of side.#connections) await connection.ask('GET', '/version')
    return side
  }

  async empty(): Promise<void> {
    const [connection] = this.#connections
    await connection!.ask('DELETE', '/t/schema')
    await connection!.ask('PUT', '/t/schema', { body: '{"ColumnSchema":[{"name":"f","VERSIONS":"3"}]}' })
    this.#scanners.length = 0
  }

  /** The answer, without the parts in which two servers differ. */
  async ask({ connection, method, path, scanner, accept, body }: Step): Promise<unknown> {
    const target = path.replace('SCANNER', () => this.#scanners.at(-1 - scanner) ?? '/t/scanner/1')
    const asked = { headers: { accept, host: 'server' }, ...(body !== undefined && { body }) }
    const answer = await this.#connections[connection]!.ask(method, target, asked)
    const location = answer.head.find((value) => value.includes('/t/scanner/'))
    if (location !== undefined) this.#scanners.push(new URL(location).pathname)
    return shown(answer)
  }

  async stop(): Promise<void> {
    for (const connection of this.#connections) connection.close()
    await this.#server.stop()
  }
}

function shown({ status, head, body }: RestAnswer): unknown {
  return { status, head: head.map(withoutIds), body: withoutIds(body.toString('latin1')) }
}

function withoutIds(text: string): string {
  return text.replaceAll(/\d{9,}s[\da-f]+/g, 'SCANNER').replaceAll(/,\d{13}\.[\da-f]{32}/g, 'REGION')
}

describe.skipIf(!MOVES_CONNECTIONS)('a server with threads', () => {
  let sides: readonly [Side, Side]

  beforeAll(async () => {
    sides = [await Side.start(0), await Side.start(THREADS)]
  })
  afterAll(async () => {
    for (const side of sides) await side.stop()
  })

  test('answers REST as a server without', async () => {
    const property = fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 40 }), async (steps) => {
      for (const side of sides) await side.empty()
      for (const asked of steps) {
        const [expected, answer] = [await sides[0].ask(asked), await sides[1].ask(asked)]
        expect(answer).toEqual(expected)
      }
    })
    await fc.assert(property, { numRuns: testRuns(20), ...(SEED !== undefined && { seed: SEED }) })
  })
})
