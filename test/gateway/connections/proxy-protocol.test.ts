/** A load balancer that sends the PROXY protocol is named in the log of every door, and in the answers of those that have words. */

import { once } from 'node:events'
import { connect } from 'node:net'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type RunningServer, startServer } from '../../../src/cli/serve/start-server.ts'
import { parsedSettings } from '../../cli/parsed-settings.ts'
import { Authority, PemFolder } from '../../harness/certificates.ts'
import { FREE_PORTS } from '../../harness/tidegate-process.ts'

const TEXT = Buffer.from('PROXY TCP4 192.0.2.1 192.0.2.2 5000 8080\r\n')
const BINARY = Buffer.from('\r\n\r\n\0\r\nQUIT\n\x21\x11\x00\x0c0123456789ab', 'latin1')
const DOORS = ['rest', 'web', 'rpc', 'thrift', 'zookeeper'] as const

let server: RunningServer
let folder: PemFolder
let logged: string[]
beforeEach(() => {
  logged = []
  folder = new PemFolder()
})
afterEach(async () => {
  await server.stop()
  folder.remove()
})

function note(line: string): void {
  logged.push((JSON.parse(line) as { msg: string }).msg)
}

async function start(...flags: string[]): Promise<void> {
  const settings = parsedSettings('--store', 'memory', ...FREE_PORTS, '--web', '0', ...flags)
  server = await startServer(settings, (name) => name, pino({ level: 'warn' }, { write: note }))
}

async function exchange(port: number, bytes: Buffer): Promise<string> {
  const socket = connect({ port, host: '127.0.0.1' })
  const chunks: Buffer[] = []
  socket.on('error', () => undefined)
  socket.on('data', (chunk: Buffer) => chunks.push(chunk))
  socket.write(bytes)
  await once(socket, 'close')
  return Buffer.concat(chunks).toString('latin1')
}

test.each([
  ['text', TEXT],
  ['binary', BINARY],
] as const)('in plain, as %s', async (_, bytes) => {
  await start()
  for (const door of DOORS) {
    logged.length = 0
    const answer = await exchange(server.doors.get(door)!.port, bytes)
    expect(logged.join(), door).toMatch(/the PROXY protocol, which Tidegate does not read/)
    if (door !== 'thrift' && door !== 'zookeeper') expect(answer, door).toContain('the PROXY protocol')
  }
})

test('before TLS', async () => {
  const own = folder.write('own', await (await Authority.make()).issue({ name: 'localhost' }))
  await start('--tls-certificate', own.certificate, '--tls-key', own.key)
  for (const door of DOORS) {
    logged.length = 0
    await exchange(server.doors.get(door)!.port, TEXT)
    expect(logged.join(), door).toMatch(/the PROXY protocol, which Tidegate does not read/)
  }
})
