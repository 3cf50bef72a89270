import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { DEFAULT_HBASE_OPTIONS } from '../../../adapters/hbase/config/hbase-options.ts'
import { packageRoot } from '../../../src/package-root.ts'
import { parsedSettings } from '../parsed-settings.ts'

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tidegate-cli-'))
})

afterEach(() => {
  rmSync(folder, { recursive: true })
  vi.unstubAllEnvs()
})

function configFile(properties: Readonly<Record<string, string>>): string {
  const path = join(folder, 'hbase-site.xml')
  const texts = Object.entries(properties).map(
    ([name, value]) => `<property><name>${name}</name><value>${value}</value></property>`,
  )
  writeFileSync(path, `<configuration>${texts.join('')}</configuration>`)
  return path
}

const server = (host: string, port: number): { host: string; port: number } => ({ host, port })

describe('a cluster as the store', () => {
  test.each([
    ['hbase:zk1:2181', 'either', [server('zk1', 2181)], '/hbase'],
    ['hbase:a:1,b:2,c:3', 'either', [server('a', 1), server('b', 2), server('c', 3)], '/hbase'],
    ['hbase:zk1:2181/hbase', 'zookeeper', [server('zk1', 2181)], '/hbase'],
    ['hbase:a:1,b:2/hbase-secure/two', 'zookeeper', [server('a', 1), server('b', 2)], '/hbase-secure/two'],
    ['hbase:[::1]:2181', 'either', [server('::1', 2181)], '/hbase'],
    ['hbase:10.0.0.1:16020', 'either', [server('10.0.0.1', 16020)], '/hbase'],
  ])('is %s', (store, registry, servers, znodeParent) => {
    expect(parsedSettings('--store', store).store).toEqual({
      kind: 'hbase',
      cluster: { registry, servers, znodeParent },
      options: DEFAULT_HBASE_OPTIONS,
    })
  })

  test('is named by a variable as well', () => {
    vi.stubEnv('TIDEGATE_STORE', 'hbase:zk1:2181/h')
    expect(parsedSettings().store).toMatchObject({
      cluster: { servers: [server('zk1', 2181)], znodeParent: '/h' },
    })
  })

  test.each([
    'hbase:zk1',
    'hbase:/hbase',
    'hbase:zk1:0',
    'hbase:zk1:70000',
    'hbase:a:1,,b:2',
    'hbase:a:1,',
    'hbase:a b:1',
    'hbase:::1:2181',
    'hbase:a:1/',
    'hbase:a:1//x',
    'hbasex:a:1',
  ])('is not %s', (store) => {
    expect(() => parsedSettings('--store', store)).toThrow('--store')
  })

  test('needs servers from somewhere', () => {
    expect(() => parsedSettings('--store', 'hbase')).toThrow('--store hbase needs a --config')
    const config = configFile({
      'hbase.client.registry.impl': 'org.apache.hadoop.hbase.client.RpcConnectionRegistry',
    })
    expect(() => parsedSettings('--store', 'hbase', '--config', config)).toThrow(
      'hbase.client.bootstrap.servers',
    )
  })

  test.each<[string, Record<string, string>, object]>([
    [
      'a quorum without ports',
      { 'hbase.zookeeper.quorum': 'a, b', 'hbase.zookeeper.property.clientPort': '2222' },
      { registry: 'zookeeper', servers: [server('a', 2222), server('b', 2222)], znodeParent: '/hbase' },
    ],
    [
      'a quorum with ports and another node',
      { 'hbase.zookeeper.quorum': 'a:1,b', 'zookeeper.znode.parent': '/hbase-unsecure' },
      { registry: 'zookeeper', servers: [server('a', 1), server('b', 2181)], znodeParent: '/hbase-unsecure' },
    ],
    [
      'bootstrap servers alone',
      { 'hbase.client.bootstrap.servers': 'r1:16020,m1' },
      { registry: 'bootstrap', servers: [server('r1', 16020), server('m1', 16000)] },
    ],
    [
      'both, of which Java takes ZooKeeper',
      { 'hbase.client.bootstrap.servers': 'r1:16020', 'hbase.zookeeper.quorum': 'a' },
      { registry: 'zookeeper', servers: [server('a', 2181)] },
    ],
    [
      'both, and a registry',
      {
        'hbase.client.bootstrap.servers': 'r1:16020',
        'hbase.zookeeper.quorum': 'a',
        'hbase.client.registry.impl': 'org.apache.hadoop.hbase.client.RpcConnectionRegistry',
      },
      { registry: 'bootstrap', servers: [server('r1', 16020)] },
    ],
    [
      'masters',
      {
        'hbase.masters': 'm1:16000',
        'hbase.client.registry.impl': 'org.apache.hadoop.hbase.client.MasterRegistry',
      },
      { registry: 'bootstrap', servers: [server('m1', 16000)] },
    ],
  ])('comes from a config file with %s', (_, properties, cluster) => {
    const { store } = parsedSettings('--store', 'hbase', '--config', configFile(properties))
    expect(store).toMatchObject({ kind: 'hbase', cluster })
  })

  test('has its own servers and node before those of the config file', () => {
    const config = configFile({ 'hbase.zookeeper.quorum': 'a', 'zookeeper.znode.parent': '/file' })
    const clusterOf = (store: string): unknown => parsedSettings('--store', store, '--config', config).store
    expect(clusterOf('hbase:b:1/flag')).toMatchObject({
      cluster: { servers: [server('b', 1)], znodeParent: '/flag' },
    })
    expect(clusterOf('hbase:b:1')).toMatchObject({
      cluster: { servers: [server('b', 1)], znodeParent: '/file' },
    })
  })

  test('is treated as hbase-site.xml says', () => {
    const config = configFile({
      'hbase.client.retries.number': '3',
      'hbase.client.pause': '20',
      'hbase.client.pause.server.overloaded': '70',
      'hbase.client.operation.timeout': '1200000',
      'hbase.rpc.timeout': '60000',
      'hbase.client.primaryCallTimeout.get': '5000',
      'hbase.client.replicaCallTimeout.scan': '6000',
      'hbase.client.scanner.timeout.period': '90000',
      'hbase.client.scanner.caching': '100',
      'hbase.client.scanner.max.result.size': '1000000',
      'hbase.ipc.client.socket.timeout.connect': '1000',
      'zookeeper.session.timeout': '30000',
      'hbase.client.rpc.compressor': 'org.apache.hadoop.io.compress.GzipCodec',
    })
    const settings = parsedSettings('--store', 'hbase:a:1', '--config', config)
    expect(settings.store).toMatchObject({
      options: {
        retriesMax: 3,
        pauseMs: 20,
        overloadedPauseMs: 70,
        operationTimeoutMs: 1_200_000,
        rpcTimeoutMs: 60_000,
        primaryGetMicros: 5_000,
        primaryScanMicros: 6_000,
        scannerTimeoutMs: 90_000,
        scannerCachingRows: 100,
        scannerResultBytesMax: 1_000_000,
        connectTimeoutMs: 1_000,
        zookeeperSessionTimeoutMs: 30_000,
        compressorClass: 'org.apache.hadoop.io.compress.GzipCodec',
      },
    })
    expect(settings.limits.scannerIdleMs).toBe(90_000)
  })

  test('has the defaults that the documentation says', () => {
    const text = readFileSync(new URL('docs/cluster.md', packageRoot()), 'utf8')
    const rows = [...text.matchAll(/^\| `([\w.]+)` \| (\d+) \|/gm)]
    const named = rows.map(([, key, value]) => {
      const config = configFile({ [key!]: '1' })
      const { store } = parsedSettings('--store', 'hbase:a:1', '--config', config)
      const options: Readonly<Record<string, unknown>> = store.kind === 'hbase' ? { ...store.options } : {}
      const changed = Object.entries(DEFAULT_HBASE_OPTIONS).filter(([name, known]) => options[name] !== known)
      expect(changed).toEqual([[expect.any(String), Number(value)]])
      return changed[0]![0]
    })
    const numbers = Object.entries(DEFAULT_HBASE_OPTIONS).filter(([, value]) => typeof value === 'number')
    expect(named.sort()).toEqual(numbers.map(([name]) => name).sort())
  })

  test('has none of its own ports taken by doors', () => {
    const properties = {
      'hbase.regionserver.port': '1',
      'hbase.zookeeper.property.clientPort': '2',
      'hbase.master.info.port': '3',
      'hbase.rest.port': '4',
    }
    const config = configFile(properties)
    expect(parsedSettings('--store', 'hbase:a:1', '--config', config).ports).toMatchObject({
      rpc: 16020,
      zookeeper: 2181,
      web: 16010,
      rest: 4,
    })
    expect(parsedSettings('--config', config).ports).toMatchObject({ rpc: 1, zookeeper: 2, web: 3, rest: 4 })
  })

  test.each([
    ['hbase.client.retries.number', '-1'],
    ['hbase.client.pause', 'soon'],
    ['hbase.rpc.timeout', '0'],
    ['hbase.client.registry.impl', 'com.example.Registry'],
    ['zookeeper.znode.parent', 'hbase'],
    ['hbase.zookeeper.property.clientPort', 'x'],
    ['hbase.zookeeper.quorum', 'a:x'],
  ])('is refused with %s = %s, by name', (key, value) => {
    const config = configFile({ 'hbase.zookeeper.quorum': 'a', [key]: value })
    expect(() => parsedSettings('--store', 'hbase', '--config', config)).toThrow(key)
  })
})
