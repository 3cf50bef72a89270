import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { connect, createServer, type Server, type TLSSocket } from 'node:tls'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { PIECE_BYTES, writePiecewise } from '../../../../src/gateway/identity/tls/piecewise-writes.ts'
import { Authority } from '../../../harness/certificates.ts'

let server: Server
let ca: string
/** Bytes of each write that Node's own connection is asked for. */
let asked: number[] = []

beforeAll(async () => {
  const authority = await Authority.make()
  ca = authority.certificate
  const { certificate: cert, key } = await authority.issue({
    name: 'localhost',
    hosts: ['localhost', '127.0.0.1'],
  })
  server = createServer({ cert, key })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
})

afterAll(() => server.close())

/** Both ends of a connection. */
async function connected(): Promise<[own: TLSSocket, client: TLSSocket]> {
  const client = connect({ port: (server.address() as AddressInfo).port, host: '127.0.0.1', ca })
  const [[own]] = (await Promise.all([once(server, 'secureConnection'), once(client, 'secureConnect')])) as [
    [TLSSocket],
    unknown,
  ]
  asked = []
  const [write, writeAll] = [own._write.bind(own), own._writev!.bind(own)]
  own._write = (chunk: Buffer | string, encoding, done) => {
    asked.push(Buffer.from(chunk as string, encoding).length)
    write(chunk, encoding, done)
  }
  own._writev = (chunks: { chunk: Buffer | string; encoding: BufferEncoding }[], done) => {
    asked.push(
      chunks.reduce((sum, { chunk, encoding }) => sum + Buffer.from(chunk as string, encoding).length, 0),
    )
    writeAll(chunks, done)
  }
  writePiecewise(own)
  return [own, client]
}

async function received(client: TLSSocket): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of client) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

const size = fc.oneof(
  fc.integer({ min: 0, max: 40 }),
  fc.integer({ min: PIECE_BYTES - 2, max: PIECE_BYTES + 2 }),
  fc.integer({ min: 0, max: 5 * PIECE_BYTES }),
)
const chunk = fc.tuple(size, fc.constantFrom('buffer', 'latin1', 'utf8', 'hex'), fc.nat({ max: 255 }))

function chunkOf(bytes: Buffer, form: string): [Buffer] | [string, BufferEncoding] {
  if (form === 'buffer') return [bytes]
  if (form === 'utf8') return ['é'.repeat(bytes.length), 'utf8']
  return [bytes.toString(form as BufferEncoding), form as BufferEncoding]
}

test('any writes arrive in their order, and Node is given none that is larger than a piece', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(chunk, { maxLength: 8 }), fc.boolean(), async (chunks, isCorked) => {
      const [own, client] = await connected()
      const all = received(client)
      const wanted: Buffer[] = []
      if (isCorked) own.cork()
      for (const [bytes, form, fill] of chunks) {
        const [written, encoding] = chunkOf(Buffer.alloc(bytes, fill), form)
        wanted.push(typeof written === 'string' ? Buffer.from(written, encoding) : written)
        if (encoding === undefined) own.write(written)
        else own.write(written, encoding)
      }
      if (isCorked) own.uncork()
      own.end()
      expect((await all).equals(Buffer.concat(wanted))).toBe(true)
      // A string of one piece is one write, of up to two bytes a letter here.
      expect(Math.max(0, ...asked)).toBeLessThanOrEqual(2 * PIECE_BYTES)
    }),
    { numRuns: 60 },
  )
})

test('the callback of a large write is called once, at its end or with what has broken it', async () => {
  const [own, client] = await connected()
  const bytes = Buffer.alloc(3 * PIECE_BYTES + 1, 'x')
  client.resume()
  await new Promise<void>((resolve, reject) =>
    own.write(bytes, (error) => (error ? reject(error) : resolve())),
  )
  expect(asked).toEqual([PIECE_BYTES, PIECE_BYTES, PIECE_BYTES, 1])
  client.pause()
  const calls: unknown[] = []
  for (const socket of [own, client]) socket.on('error', () => undefined)
  own.write(Buffer.alloc(64 * 1024 * 1024), (error) => calls.push(error))
  const closed = new Promise((resolve) => own.once('close', resolve))
  client.destroy()
  await closed
  expect(calls).toEqual([expect.any(Error)])
})
