import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { DEFAULT_BLOCK_CACHE_BYTES } from '../../../src/cli/settings/block-cache-option.ts'
import { readTimelineSettings } from '../../../src/doors/timeline/service/timeline-settings.ts'
import { DEFAULT_LIMITS } from '../../../src/gateway/limits/limits.ts'
import { namedSettings, parsedSettings } from '../parsed-settings.ts'

const DOOR_PORTS = { rest: 8080, thrift: 9090, rpc: 16020, master: 16000, zookeeper: 2181, web: 16010 }

describe('the settings of serve', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'tidegate-cli-'))
  })
  afterEach(() => {
    rmSync(folder, { recursive: true })
    vi.unstubAllEnvs()
  })

  function configFile(text: string): string {
    const path = join(folder, 'hbase-site.xml')
    writeFileSync(path, text)
    return path
  }

  test('without flags are HBase’s ports on loopback and data in ./data', () => {
    expect(parsedSettings()).toEqual({
      store: { kind: 'native', directory: './data' },
      host: '127.0.0.1',
      processes: 1,
      threads: 0,
      ports: { ...DOOR_PORTS, timeline: 'off' },
      logLevel: 'info',
      accessLog: undefined,
      accessLogRows: false,
      slowLogMs: undefined,
      limits: DEFAULT_LIMITS,
      areConnectionsStated: false,
      memoryBytesMax: expect.any(Number),
      blockCacheBytes: DEFAULT_BLOCK_CACHE_BYTES,
      changesKeepBytes: 67_108_864,
      timeline: readTimelineSettings(new Map()),
      readOnly: false,
      restReadOnly: false,
      replication: {
        requestBytesMax: 67_108_864,
        requestChangesMax: 25_000,
        bandwidth: 0,
        ratio: 0.5,
        dropsDeletedTables: false,
        dropsDeletedFamilies: false,
        keepBytesMax: 10_737_418_240,
      },
      following: { leader: undefined, keepBytesMax: 10_737_418_240, login: {}, leads: false },
      quotas: false,
      tls: undefined,
      guard: undefined,
      trustedProxies: [],
      open: [],
      idle: [],
      consoleWrites: false,
      corsOrigins: [],
      advertise: undefined,
      znodeParent: '/hbase',
      unread: { defined: [], ofFile: [] },
      stated: {},
      shown: expect.arrayContaining([expect.objectContaining({ name: '--rest', source: 'default' })]),
    })
  })

  test('that somebody has stated are told, by flag, variable or file', () => {
    const config = configFile(
      '<configuration><property><name>hbase.rest.port</name><value>1</value></property></configuration>',
    )
    vi.stubEnv('TIDEGATE_BATCH_MAX', '7')
    const stated = ['--store', 'native:/d', '--config', config, '-D', 'hbase.hregion.max.filesize=9000000']
    expect(parsedSettings(...stated).stated).toEqual({
      store: 'native:/d',
      config,
      rest: '1',
      batchMax: '7',
      '-D hbase.hregion.max.filesize': '9000000',
    })
    expect(parsedSettings('--advertise', 'gateway.example').stated).toMatchObject({
      advertise: 'gateway.example',
    })
    expect(parsedSettings('--advertise', '[::1]:7').stated).toMatchObject({ advertise: '[::1]:7' })
  })

  test('come from flags, then variables, then the config file', () => {
    const config = configFile(
      '<configuration><property><name>hbase.rest.port</name><value>1</value></property>' +
        '<property><name>hbase.regionserver.thrift.port</name><value>2</value></property>' +
        '<property><name>hbase.regionserver.port</name><value>3</value></property>' +
        '<property><name>hbase.client.keyvalue.maxsize</name><value>1000</value></property></configuration>',
    )
    vi.stubEnv('TIDEGATE_THRIFT', '20')
    vi.stubEnv('TIDEGATE_RPC', '30')
    vi.stubEnv('TIDEGATE_BATCH_MAX', '7')
    const settings = parsedSettings('--config', config, '--rpc', '300')
    expect(settings.ports).toMatchObject({ rest: 1, thrift: 20, rpc: 300 })
    expect(settings.limits).toEqual({ ...DEFAULT_LIMITS, cellBytesMax: 1000, batchMax: 7 })
  })

  const PORTS = [
    '',
    ' ',
    ' 80',
    '80 ',
    '1e3',
    '0x50',
    '65536',
    '70000',
    '-1',
    '+80',
    '080',
    '8.0',
    'http',
    'OFF',
  ]
  const HOSTS = [
    '',
    ' ',
    '*',
    '0',
    '127.1',
    '0x7f.1',
    '256.1.1.1',
    '1.2.3',
    '[::1]',
    'a b',
    '127.0.0.1:80',
    '-a',
  ]

  test.each<readonly [flag: string, value: string]>([
    ...PORTS.map((port) => ['--rest', port] as const),
    ...HOSTS.map((host) => ['--host', host] as const),
    ['--store', ''],
    ['--store', 'redis:x'],
    ['--store', 'native'],
    ['--store', 'native:'],
    ['--store', 'native: '],
    ['--store', 'native:data '],
    ['--store', 'memory '],
    ['--config', ''],
    ['--batch-max', ''],
    ['--batch-max', '0'],
    ['--batch-max', '1e3'],
    ['--batch-max', '2147483648'],
    ['--log-level', ''],
    ['--log-level', 'loud'],
    ['--read-only', 'perhaps'],
    ['--advertise', ''],
    ['--advertise', '0.0.0.0:16020'],
    ['--advertise', 'host:0'],
    ['--advertise', 'host:65536'],
    ['--advertise', 'http://host'],
    ['--znode-parent', 'hbase'],
    ['--znode-parent', '/'],
    ['--znode-parent', '/hbase/'],
    ['--znode-parent', '/a/../b'],
    ['--znode-parent', '/zookeeper/x'],
    ['--cors-origin', 'example.org'],
    ['--cors-origin', 'https://example.org/'],
    ['--frobnicate', '1'],
    ['extra', ''],
  ])('refuse %s %s', (flag, value) => {
    expect(() => parsedSettings(flag, value)).toThrow(flag === 'extra' ? 'too many arguments' : flag)
  })

  test.each(['STORE', 'CONFIG', 'HOST', 'REST', 'THRIFT', 'WEB', 'LOG_LEVEL', 'BATCH_MAX'])(
    'refuse an empty TIDEGATE_%s by its name',
    (name) => {
      vi.stubEnv(`TIDEGATE_${name}`, '')
      expect(() => parsedSettings()).toThrow(`TIDEGATE_${name}`)
    },
  )

  test.each([
    '127.0.0.1',
    '0.0.0.0',
    '::',
    '::1',
    'fe80::1%eth0',
    'localhost',
    'db-1.example.com',
    'a_b',
    '1a',
  ])('take the host %s', (host) => {
    expect(parsedSettings('--host', host, '--insecure').host).toBe(host)
  })

  test('take only ports that are written as ports are', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string(), fc.integer().map(String), fc.integer({ max: 70_000, min: 0 }).map(String)),
        (text) => {
          const isPort = text === String(Number(text)) && Number.isInteger(Number(text)) && Number(text) >= 0
          const parse = (): unknown => parsedSettings(`--web=${text}`).ports.web
          if (isPort && Number(text) <= 65_535 && !Object.is(Number(text), -0))
            expect(parse()).toBe(Number(text))
          else if (text === 'off') expect(parse()).toBe('off')
          else expect(parse).toThrow('--web')
        },
      ),
    )
  })

  test.each([
    ['not xml', '<configuration><property>'],
    ['no configuration', '<a/>'],
    [
      'a bad port',
      '<configuration><property><name>hbase.rest.port</name><value>x</value></property></configuration>',
    ],
    [
      'an empty host',
      '<configuration><property><name>hbase.rest.host</name><value/></property></configuration>',
    ],
  ])('refuse a config file with %s', (_, text) => {
    const config = configFile(text)
    expect(() => parsedSettings('--config', config)).toThrow(config)
  })

  test('of the embedded engine come from definitions, then the config file', () => {
    const config = configFile(
      '<configuration><property><name>hbase.hstore.compactionThreshold</name><value>7</value></property>' +
        '<property><name>hbase.hstore.compaction.ratio</name><value>1.5</value></property></configuration>',
    )
    const define = ['-D', 'hbase.hstore.compaction.ratio=2', '-D', 'hbase.offpeak.start.hour = 22']
    const { store } = parsedSettings('--config', config, ...define)
    expect(store).toMatchObject({
      options: { compaction: { filesMin: 7, ratio: 2, filesMax: 10 }, upkeep: { offPeakStartHour: 22 } },
    })
  })

  test.each([
    ['hbase.hstore.compaction.ratio=much', 'hbase.hstore.compaction.ratio = "much" is invalid'],
    ['hbase.hregion.max.filesize=0', 'It must be a whole number from 1'],
    ['hbase.hregion.max.filesize=-1', 'It must be a whole number from 1'],
    [
      'hbase.hregion.max.filesize=1',
      'hbase.hregion.max.filesize = "1" is invalid. It must be a whole number from 2097152',
    ],
    ['hbase.hregion.memstore.flush.size=1048575', 'It must be a whole number from 1048576'],
    ['hbase.regionserver.global.memstore.size=2', 'hbase.regionserver.global.memstore.size = "2" is invalid'],
    ['hbase.server.thread.wakefrequency=2147483648', 'It must be a whole number from 1 to 2147483647'],
    ['hbase.offpeak.start.hour=24', 'It must be a whole number from -1 to 23'],
    ['hbase.rest.readonly=ture', 'hbase.rest.readonly = "ture" is invalid. It must be true or false'],
    ['hbase.hstore.engine.class=My', 'It must be org.apache.hadoop.hbase.regionserver.DefaultStoreEngine or'],
    ['hbase.rest.port=1', 'use --rest'],
    ['nothing', 'is not KEY=VALUE'],
  ])('refuse the definition %s', (definition, reason) => {
    expect(() => parsedSettings('--define', definition)).toThrow(reason)
  })

  test('take sizes below the limits of HBase where the limit is stated, too', () => {
    const define = ['hbase.hregion.memstore.flush.size=9', 'hbase.hregion.memstore.flush.size.limit=9']
    const { store } = parsedSettings(...define.flatMap((each) => ['-D', each]))
    expect(store).toMatchObject({ options: { flushBytes: 9 } })
  })

  test('are refused with the place that stated them', () => {
    const config = configFile(
      '<configuration><property><name>hbase.hstore.compaction.ratio</name><value>much</value></property></configuration>',
    )
    const fault = 'hbase.hstore.compaction.ratio = "much" is invalid.'
    expect(() => parsedSettings('--config', config)).toThrow(`${config}: ${fault}`)
    expect(() => parsedSettings('-D', 'hbase.hstore.compaction.ratio=much')).toThrow(`-D: ${fault}`)
    vi.stubEnv('TIDEGATE_DEFINE', 'hbase.hstore.compaction.ratio=much')
    try {
      expect(() => parsedSettings()).toThrow(`TIDEGATE_DEFINE: ${fault}`)
    } finally {
      vi.unstubAllEnvs()
    }
  })

  test('of a cluster may be defined though a door has the key, too', () => {
    const { store } = parsedSettings('--store', 'hbase:h:1', '-D', 'hbase.client.scanner.timeout.period=7')
    expect(store).toMatchObject({ options: { scannerTimeoutMs: 7 } })
  })

  test('let the config file or a definition forbid changes over REST', () => {
    const config = configFile(
      '<configuration><property><name>hbase.rest.readonly</name><value>true</value></property></configuration>',
    )
    expect(parsedSettings('--config', config).restReadOnly).toBe(true)
    expect(parsedSettings('--config', config, '-D', 'hbase.rest.readonly=false').restReadOnly).toBe(false)
  })

  test('are named in messages as the person wrote them', () => {
    const config = configFile(
      '<configuration><property><name>hbase.rest.port</name><value>7</value></property></configuration>',
    )
    vi.stubEnv('TIDEGATE_THRIFT', '8')
    const named = namedSettings('--config', config, '--web', '9', '--store', 'hbase:[::1]:1,b:2/z')
    expect(named('rest')).toBe(`hbase.rest.port=7 in ${config}`)
    expect(named('thrift')).toBe('TIDEGATE_THRIFT=8')
    expect(named('web')).toBe('--web 9')
    expect(named('host')).toBe('--host 127.0.0.1 (the default)')
    expect(named('store')).toBe('--store hbase:[::1]:1,b:2/z')
    expect(namedSettings()('store')).toBe('--store native:./data (the default)')
  })
})
