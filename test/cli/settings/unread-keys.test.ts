import { pino } from 'pino'
import { describe, expect, test } from 'vitest'
import { logIdleSettings, logUnread, unreadKeys } from '../../../src/cli/settings/unread-keys.ts'
import { parsedSettings } from '../parsed-settings.ts'

interface Line {
  readonly level: number
  readonly msg: string
  readonly keys?: unknown
}

/** What the log says of these keys with the least severe level `level`. */
function logged(level: string, ...keys: Parameters<typeof unreadKeys>): Line[] {
  const lines: Line[] = []
  const logger = pino({ level }, { write: (text) => void lines.push(JSON.parse(text) as Line) })
  logUnread(unreadKeys(...keys), keys[0], logger)
  return lines
}

const { info, warn, debug } = pino.levels.values

describe('a definition that Tidegate does not read', () => {
  test.each([
    ['hbase.hregion.max.filsize', 'hbase.hregion.max.filesize'],
    ['hbase.hregion.memstore.flushsize', 'hbase.hregion.memstore.flush.size'],
    ['HBase.hstore.compaction.ratio', 'hbase.hstore.compaction.ratio'],
    ['hstore.compaction.ratio', 'hbase.hstore.compaction.ratio'],
    ['hbase.rest.prot', 'hbase.rest.port'],
  ])('%s is told with the key %s', (key, similar) => {
    expect(unreadKeys('native', [key], [])).toEqual({ defined: [{ key, similar }], ofFile: [] })
    expect(logged('warn', 'native', [key], [])).toEqual([
      expect.objectContaining({ level: warn, msg: expect.stringContaining(`did you mean ${similar}?`) }),
    ])
  })

  test('is told without another key where none is similar', () => {
    const [line] = logged('warn', 'native', ['hbase.regionserver.handler.count'], [])
    expect(line!.msg).toBe(
      '-D hbase.regionserver.handler.count has no effect: Tidegate reads no such setting (docs/tuning.md lists the settings of the embedded engine)',
    )
  })

  test('depends on the store', () => {
    const keys = ['hbase.hstore.compaction.ratio', 'hbase.client.pause']
    const unread = (...args: string[]): string[] =>
      parsedSettings(...args, ...keys.flatMap((key) => ['-D', `${key}=2`])).unread.defined.map(
        ({ key }) => key,
      )
    expect(unread('--store', 'native:x')).toEqual(['hbase.client.pause'])
    expect(unread('--store', 'hbase:h:1')).toEqual(['hbase.hstore.compaction.ratio'])
    expect(unread('--store', 'memory')).toEqual(keys)
  })
})

test('the other keys of a config file are one line, and another one at level debug names them', () => {
  const file = [
    'hbase.rootdir',
    'hbase.rest.port',
    'hbase.hstore.compaction.max',
    'hbase.cluster.distributed',
  ]
  const lines = logged('debug', 'native', [], file)
  expect(lines.map(({ level, keys }) => ({ level, keys }))).toEqual([
    { level: info, keys: 2 },
    { level: debug, keys: ['hbase.rootdir', 'hbase.cluster.distributed'] },
  ])
  expect(lines[0]!.msg).toContain('2 settings of the config file have no effect')
  expect(logged('info', 'native', [], file)).toHaveLength(1)
  expect(logged('debug', 'native', [], ['hbase.rest.port'])).toEqual([])
})

test('the line names the keys of security, and counts one key as one', () => {
  const [line] = logged('info', 'native', [], ['hbase.rootdir', 'hbase.ssl.enabled', 'hbase.thrift.keytabs'])
  expect(line!.msg).toMatch(/^3 settings .*; those of security: hbase\.ssl\.enabled, hbase\.thrift\.keytabs$/)
  expect(logged('info', 'native', [], ['hbase.rootdir'])[0]!.msg).toMatch(
    /^1 setting of the config file has no effect.*all\)$/,
  )
})

test.each([
  ['hbase:127.0.0.1:1', ['--visibility-labels'], 1],
  ['hbase:127.0.0.1:1', ['--authorization'], 0],
  ['memory', ['--visibility-labels'], 0],
] as const)('labels in front of %s, %s: %d warnings', (store, flags, warnings) => {
  const lines: Line[] = []
  const logger = pino({ level: 'warn' }, { write: (text) => void lines.push(JSON.parse(text) as Line) })
  logIdleSettings(parsedSettings('--store', store, ...flags, '--superuser', 'root', '--insecure'), logger)
  expect(lines.map(({ msg }) => msg)).toEqual(
    Array.from({ length: warnings }, () =>
      expect.stringMatching(/^--visibility-labels has no effect in front/),
    ),
  )
})
