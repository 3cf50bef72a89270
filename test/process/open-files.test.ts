/** A server whose process may open few files, and clients that want all of them. */

import { connect, type Socket } from 'node:net'
import { expect, test } from 'vitest'
import { ChildServer } from '../harness/child-server.ts'
import { askOnce, isWholeFrame } from '../harness/closed-loop.ts'
import { checkAnswer, createTable, mutateRows } from '../harness/thrift-frames.ts'
import { FREE_PORTS, inTemporaryFolder, MAIN } from '../harness/tidegate-process.ts'

const OPEN_FILES = 300
const FLOOD = 400

/** Connections that say nothing, open or refused. */
function flood(port: number): Promise<Socket[]> {
  const one = (): Promise<Socket> =>
    new Promise((resolve) => {
      const socket = connect(port, '127.0.0.1')
      socket.on('error', () => resolve(socket))
      socket.once('connect', () => resolve(socket))
      socket.resume()
    })
  return Promise.all(Array.from({ length: FLOOD }, one))
}

/** While as many clients are told as may be, further ones end without a word. */
async function awaitRefusal(url: string): Promise<Response> {
  for (;;) {
    const response = await fetch(url).catch(() => undefined)
    if (response !== undefined) return response
  }
}

test.runIf(process.platform === 'linux').each([
  ['by default', []],
  ['where a person has stated more', ['--connections-max', '10000']],
])('more connections than files: the store has those that it needs, %s', async (_, args) => {
  await inTemporaryFolder(async (folder) => {
    const log = ['--log-level', 'silent', '-D', 'hbase.hregion.memstore.flush.size=1048576']
    log.push('-D', 'hbase.hregion.memstore.block.multiplier=100')
    const serve = ['serve', '--store', `native:${folder}`, ...FREE_PORTS, ...log, ...args]
    const server = await ChildServer.start(MAIN, serve, 'inherit', { openFilesMax: OPEN_FILES })
    const sockets: Socket[] = []
    try {
      // A connection from before the flood goes on.
      const writer = await askOnce(server.port('thrift'), createTable('t', 'f'), isWholeFrame)
      checkAnswer(writer)
      const thrift = connect(server.port('thrift'), '127.0.0.1')
      sockets.push(thrift)
      const answered = (frame: Buffer): Promise<Buffer> =>
        new Promise((resolve, reject) => {
          thrift.once('data', resolve).once('error', reject).write(frame)
        })
      await answered(mutateRows('t', ['first'], 'f:q', 'v'))
      sockets.push(...(await flood(server.port('rest'))))
      if (args.length > 0) sockets.push(...(await flood(server.port('web'))))
      // Each batch is more than a flush: a new log, a new file, and compactions.
      for (let i = 0; i < 8; i++) {
        const rows = Array.from({ length: 100 }, (__, row) => `${i}-${row}`)
        checkAnswer(await answered(mutateRows('t', rows, 'f:q', 'v'.repeat(20_000))))
      }
      const refused = await awaitRefusal(`http://127.0.0.1:${server.port('rest')}/version`)
      expect(refused.status).toBe(503)
      expect(await refused.text()).toMatch(/the door takes no more|is for the files of the store/)
      if (args.length === 0) {
        const health = await fetch(`http://127.0.0.1:${server.port('web')}/health`)
        expect(await health.json()).toMatchObject({ status: 'ok' })
      }
    } finally {
      for (const socket of sockets) socket.destroy()
      expect(await server.stop()).toBe(0)
    }
  })
})
