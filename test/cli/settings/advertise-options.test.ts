import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { ZnodeRegistry } from '../../../adapters/hbase/registry/znode-registry.ts'
import { ZooKeeperClient } from '../../../adapters/hbase/zookeeper/zookeeper-client.ts'
import { startServer } from '../../../src/cli/serve/start-server.ts'
import { ownServer } from '../../../src/cli/settings/advertise-options.ts'
import { AdminService } from '../../../src/wire/rpc/gen/admin_pb.ts'
import { MasterService } from '../../../src/wire/rpc/gen/master_pb.ts'
import { oneCall } from '../../doors/rpc/one-call.ts'
import { namedSettings, parsedSettings } from '../parsed-settings.ts'

describe('the address that clients are told', () => {
  test.each([
    ['db.example', { host: 'db.example', port: undefined }],
    ['db.example:443', { host: 'db.example', port: 443 }],
    ['10.0.0.1:16020', { host: '10.0.0.1', port: 16_020 }],
    ['::1', { host: '::1', port: undefined }],
    ['[::1]', { host: '::1', port: undefined }],
    ['[::1]:5', { host: '::1', port: 5 }],
  ])('--advertise %s', (text, advertise) => {
    expect(parsedSettings('--advertise', text).advertise).toEqual(advertise)
  })

  test.each([
    [16_020, {}, hostname(), 16_020],
    [5, { host: '10.0.0.1' }, '10.0.0.1', 5],
    [5, { host: '0.0.0.0' }, hostname(), 5],
    [5, { host: '::' }, hostname(), 5],
    ['off', { host: '127.0.0.1' }, '127.0.0.1', 16_020],
    [0, { advertise: { host: 'a', port: undefined } }, 'a', 16_020],
    [0, { host: '127.0.0.1', advertise: { host: 'a', port: 7 } }, 'a', 7],
  ] as const)('with native RPC at %s and %j is %s:%d', (rpc, settings, host, port) => {
    expect(ownServer(rpc, settings)).toMatchObject({ host, port })
  })
})

describe('the parent of the znodes', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'tidegate-cli-'))
  })
  afterEach(() => {
    rmSync(folder, { recursive: true })
    vi.unstubAllEnvs()
  })

  const KEY = 'zookeeper.znode.parent'

  function config(value: string): string {
    const path = join(folder, 'hbase-site.xml')
    const property = `<property><name>${KEY}</name><value>${value}</value></property>`
    writeFileSync(path, `<configuration>${property}</configuration>`)
    return path
  }

  test('comes from the option, its variable, -D or the config file', () => {
    const file = ['--config', config('/file')]
    const unread = { defined: [], ofFile: [] }
    expect(parsedSettings(...file)).toMatchObject({ znodeParent: '/file', unread })
    const defined = [...file, '-D', `${KEY}=/hbase/luxblue-hb1`]
    expect(parsedSettings(...defined)).toMatchObject({ znodeParent: '/hbase/luxblue-hb1', unread })
    vi.stubEnv('TIDEGATE_ZNODE_PARENT', '/variable')
    expect(parsedSettings(...defined).znodeParent).toBe('/variable')
    expect(parsedSettings(...defined, '--znode-parent', '/flag').znodeParent).toBe('/flag')
  })

  test('is another than that of the cluster behind the store', () => {
    const settings = parsedSettings('--store', 'hbase:a:1', '--config', config('/of-the-cluster'))
    expect(settings).toMatchObject({
      store: { cluster: { znodeParent: '/of-the-cluster' } },
      znodeParent: '/hbase',
    })
  })

  test('is refused where ZooKeeper would refuse it', () => {
    expect(() => parsedSettings('--config', config('hbase'))).toThrow(`${KEY} = "hbase" is invalid`)
  })
})

test('a server tells clients of ZooKeeper both', async () => {
  const args = ['--store', 'memory', '--rest', 'off', '--thrift', 'off', '--rpc', '0', '--zookeeper', '0']
  const told = ['--web', 'off', '--advertise', 'db.example:443', '--znode-parent', '/a/b']
  const server = await startServer(
    parsedSettings(...args, ...told),
    namedSettings(),
    pino({ level: 'silent' }),
  )
  const client = new ZooKeeperClient({
    servers: [{ host: '127.0.0.1', port: server.doors.get('zookeeper')!.port }],
    chroot: '/a/b',
    sessionTimeoutMs: 10_000,
    connectTimeoutMs: 5000,
    requestTimeoutMs: 5000,
    idleMs: 5000,
    random: () => 0,
  })
  const registry = new ZnodeRegistry(client, '/a/b')
  expect((await registry.metaLocation()).server).toMatchObject({ host: 'db.example', port: 443 })
  expect(await registry.activeMaster()).toEqual((await registry.metaLocation()).server)
  expect(await registry.clusterId()).toBe(await server.store.clusterId())
  await client.close()
  await server.stop()
})

test.each(['0', 'off'])('native RPC tells the port of the web pages, with --web %s', async (web) => {
  const args = ['--store', 'memory', '--rest', 'off', '--thrift', 'off', '--rpc', '0', '--zookeeper', 'off']
  const settings = parsedSettings(...args, '--web', web)
  const server = await startServer(settings, namedSettings(), pino({ level: 'silent' }))
  try {
    const { port } = server.doors.get('rpc')!
    const page = server.doors.get('web')?.port
    const { clusterStatus } = (await oneCall(port, MasterService.method.getClusterStatus, {})).message
    expect(clusterStatus?.masterInfoPort).toBe(page ?? -1)
    const { serverInfo } = (await oneCall(port, AdminService.method.getServerInfo, {})).message
    // Protobuf's default where it is not set.
    expect(serverInfo?.webuiPort).toBe(page ?? 0)
  } finally {
    await server.stop()
  }
})
