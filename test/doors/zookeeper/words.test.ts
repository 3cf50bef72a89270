import { connect } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { OP_CODE } from '../../../src/wire/zookeeper/codes.ts'
import { RawClient, startServer, type ZooKeeperServer } from './zookeeper-server.ts'

let server: ZooKeeperServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.stop())

/** All bytes that the server sends before it ends the connection. */
function ask(...pieces: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port: server.door.port, host: '127.0.0.1', noDelay: true })
    let text = ''
    socket.on('data', (chunk) => {
      text += chunk.toString()
    })
    socket.on('error', reject)
    socket.on('close', () => resolve(text))
    for (const piece of pieces) socket.write(piece)
  })
}

test.each([
  [['ruok'], 'imok'],
  [['ruok\r\n'], 'imok'],
  [['r', 'uo', 'k'], 'imok'],
  [['isro'], 'rw'],
  [['dump'], 'dump is not executed because it is not in the whitelist.\n'],
  [['imok'], ''],
  [['GET / HTTP/1.1\r\n\r\n'], ''],
])('%j is answered by %j', async (pieces, answer) => {
  expect(await ask(...pieces)).toBe(answer)
})

/** As the ZooKeeper 3.8.4 of a real HBase 2.6.1 answers, but that its version ends with its commit. */
const SERVER_LINES = String.raw`Latency min/avg/max: \d+/\d+\.\d+/\d+
Received: \d+
Sent: \d+
Connections: 2
Outstanding: 0
Zxid: 0x[0-9a-f]+
Mode: standalone
Node count: 30
`

test('srvr and stat print the lines of ZooKeeper', async () => {
  const client = await RawClient.connected(server.door.port)
  await client.askPath(OP_CODE.exists, '/')
  const version = 'Zookeeper version: 3\\.8\\.4-tidegate-1\\.2\\.3\n'
  expect(await ask('srvr')).toMatch(new RegExp(`^${version}${SERVER_LINES}$`))
  const own = String.raw` /127\.0\.0\.1:\d+\[1\]\(queued=0,recved=2,sent=2\)`
  const asking = String.raw` /127\.0\.0\.1:\d+\[0\]\(queued=0,recved=0,sent=0\)`
  expect(await ask('stat')).toMatch(new RegExp(`^${version}Clients:\n${own}\n${asking}\n\n${SERVER_LINES}$`))
  client.close()
})

test('mntr prints figures for monitoring', async () => {
  const lines = (await ask('mntr')).trimEnd().split('\n')
  const figures = new Map(lines.map((line) => line.split('\t') as [string, string]))
  expect(figures.get('zk_server_state')).toBe('standalone')
  expect(figures.get('zk_ephemerals_count')).toBe('2')
  expect(figures.get('zk_znode_count')).toBe('30')
})
