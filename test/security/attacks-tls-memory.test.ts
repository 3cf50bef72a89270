/** Clients over TLS that ask for much, and then keep their connections. */

import { Agent, request } from 'node:https'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { Authority, PemFolder } from '../harness/certificates.ts'
import type { ChildServer } from '../harness/child-server.ts'
import { startTidegate } from '../harness/tidegate-process.ts'

const MIB = 1024 * 1024
const CONNECTIONS = 12
const VALUE_BYTES = 8 * MIB
/** V8's own garbage of large answers goes only when V8 likes. */
const KEPT_BYTES_MAX = 160 * MIB

let folder: PemFolder
let ca: string
let server: ChildServer
let agents: Agent[]

beforeEach(async () => {
  folder = new PemFolder()
  const authority = await Authority.make()
  ca = authority.certificate
  const issued = await authority.issue({ name: 'localhost', hosts: ['localhost', '127.0.0.1'] })
  const { certificate, key } = folder.write('server', issued)
  server = await startTidegate(
    `native:${folder.path}/store`,
    '--tls-certificate',
    certificate,
    '--tls-key',
    key,
  )
  agents = []
})

afterEach(async () => {
  for (const agent of agents) agent.destroy()
  await server.stop()
  folder.remove()
})

/** On a connection of its own, which stays open. Resolves to status and bytes. */
function ask(
  method: string,
  path: string,
  headers: Record<string, string>,
  body?: Buffer,
): Promise<[number, number]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1, ca })
  agents.push(agent)
  return new Promise((resolve, reject) => {
    const sent = request(
      { agent, method, path, headers, host: 'localhost', port: server.port('rest') },
      (answer) => {
        let bytes = 0
        answer.on('data', (chunk: Buffer) => (bytes += chunk.length))
        answer.once('end', () => resolve([answer.statusCode!, bytes]))
      },
    )
    sent.once('error', reject)
    sent.end(body)
  })
}

test('connections that have had a large answer keep none of its memory', async () => {
  const json = { 'Content-Type': 'application/json' }
  await ask('PUT', '/t/schema', json, Buffer.from('{"name":"t","ColumnSchema":[{"name":"f"}]}'))
  const binary = { 'Content-Type': 'application/octet-stream' }
  for (const column of ['f:a', 'f:b'])
    expect(await ask('PUT', `/t/r/${column}`, binary, Buffer.alloc(VALUE_BYTES, 'v'))).toEqual([200, 0])
  const large = { Accept: 'application/json' }
  await ask('GET', '/t/r', large)
  const before = server.residentBytes()
  for (let number = 0; number < CONNECTIONS; number++) {
    const [status, bytes] = await ask('GET', '/t/r', large)
    expect(status).toBe(200)
    expect(bytes).toBeGreaterThan(2 * VALUE_BYTES)
  }
  await expect
    .poll(() => server.residentBytes() - before, { timeout: 20_000, interval: 500 })
    .toBeLessThan(KEPT_BYTES_MAX)
})
