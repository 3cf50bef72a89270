import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { DEFAULT_LIMITS } from '../../src/gateway/limits.ts'
import { parsedSettings } from './parsed-settings.ts'

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
      ports: { rest: 8080, thrift: 9090, rpc: 16020, zookeeper: 2181, web: 16010 },
      logLevel: 'info',
      limits: DEFAULT_LIMITS,
      readOnly: false,
      corsOrigins: [],
    })
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

  test.each([
    ['--rest', '70000'],
    ['--thrift', 'http'],
    ['--store', 'redis:x'],
    ['--store', 'native:'],
    ['--batch-max', '0'],
    ['--log-level', 'loud'],
    ['--read-only', 'perhaps'],
    ['--cors-origin', 'example.org'],
    ['--cors-origin', 'https://example.org/'],
    ['--frobnicate', '1'],
    ['extra', ''],
  ])('refuse %s %s', (flag, value) => {
    expect(() => parsedSettings(flag, value)).toThrow(flag === 'extra' ? 'too many arguments' : flag)
  })

  test.each([
    ['not xml', '<configuration><property>'],
    ['no configuration', '<a/>'],
    [
      'a bad port',
      '<configuration><property><name>hbase.rest.port</name><value>x</value></property></configuration>',
    ],
  ])('refuse a config file with %s', (_, text) => {
    const config = configFile(text)
    expect(() => parsedSettings('--config', config)).toThrow(config)
  })

  test('refuse a config file that is not there', () => {
    expect(() => parsedSettings('--config', join(folder, 'missing.xml'))).toThrow('cannot be read')
  })
})
