import { describe, expect, test } from 'vitest'
import { RpcError } from '../../../../adapters/hbase/rpc/rpc-error.ts'
import { cellsOf } from '../../../../src/model/cell-block.ts'
import { DEFLATE, GZIP } from '../../../../src/wire/rpc/cell-block-compressor.ts'
import { connected, ECHO, echo, failure, fake, someCells } from './echo-connection.ts'
import { type FakeCall, FakeRegionServer } from './fake-region-server.ts'

describe('calls of one connection', () => {
  test('introduce themselves once, and bring message and cells back', async () => {
    const server = await fake(echo)
    const connection = await connected(server.port)
    const block = someCells()
    const half = cellsOf(block).length
    const { message, cells, cellCount } = await connection.call(ECHO, 'hello', { cells: [block, block] })
    expect(message).toBe('hello')
    expect(cellCount).toBe(2 * half)
    expect(cellsOf(cells)).toEqual([...cellsOf(block), ...cellsOf(block)])
    expect((await connection.call(ECHO, 'again')).cells.byteLength).toBe(0)
    expect(server.headers).toHaveLength(1)
    expect(server.headers[0]?.serviceName).toBe('EchoService')
    expect(server.headers[0]?.userInfo?.effectiveUser).toBe('ann')
  })

  test('are answered in any order', async () => {
    const held: FakeCall[] = []
    const server = await fake((call) => {
      held.push(call)
      if (held.length === 100) for (const each of held.toReversed()) each.reply(each.parameter)
    })
    const connection = await connected(server.port)
    const texts = Array.from({ length: 100 }, (_, i) => `call ${i}`)
    const answers = await Promise.all(texts.map((text) => connection.call(ECHO, text)))
    expect(answers.map(({ message }) => message)).toEqual(texts)
    expect(connection.pending).toBe(0)
  })

  test('send method, priority and timeout', async () => {
    const headers: FakeCall['header'][] = []
    const server = await fake((call) => {
      headers.push(call.header)
      call.reply(call.parameter)
    })
    const connection = await connected(server.port)
    await connection.call(ECHO, 'x', { priority: 200, timeoutMs: 1234 })
    await connection.call(ECHO, 'x')
    expect(headers[0]).toMatchObject({ method: 'Echo', priority: 200, timeoutMs: 1234 })
    expect(headers[1]).toMatchObject({ priority: undefined, timeoutMs: 60_000 })
  })

  test('carry large requests and answers', async () => {
    const server = await fake(echo)
    const connection = await connected(server.port)
    const texts = [1, 5, 9].map((megabytes) => String(megabytes).repeat(megabytes * 1_000_000))
    const answers = await Promise.all(texts.map((text) => connection.call(ECHO, text)))
    expect(answers.every(({ message }, i) => message === texts[i])).toBe(true)
  })

  test.each([GZIP, DEFLATE])('compress cells, both ways: $javaClass', async (compressor) => {
    let wire = Buffer.alloc(0)
    const server = await fake((call) => {
      wire = Buffer.from(call.cells)
      call.reply(call.parameter, call.cells)
    })
    const connection = await connected(server.port, { compressor })
    const block = someCells()
    const { cells } = await connection.call(ECHO, 'x', { cells: [block, block] })
    expect(cellsOf(cells)).toEqual([...cellsOf(block), ...cellsOf(block)])
    expect(wire.length).toBeLessThan(block.byteLength)
    expect(compressor.decompress(wire, 2 ** 20)).toHaveLength(2 * block.byteLength)
    expect(server.headers[0]?.cellBlockCompressorClass).toBe(compressor.javaClass)
  })
})

describe('connecting', () => {
  test('fails where no server listens', async () => {
    const server = await FakeRegionServer.start(echo)
    const { port } = server
    await server.close()
    const error = await failure(connected(port))
    expect(error).toBeInstanceOf(RpcError)
    expect(error).toMatchObject({ code: 'CONNECT_FAILED', sent: false })
  })

  test('can be given up', async () => {
    const server = await fake(echo)
    const controller = new AbortController()
    expect(await failure(connected(server.port, { signal: AbortSignal.abort() }))).toMatchObject({
      code: 'CONNECTION_CLOSED',
    })
    const connection = await connected(server.port, { signal: controller.signal })
    controller.abort()
    expect(connection.closedBy?.code).toBe('CONNECTION_CLOSED')
  })
})
