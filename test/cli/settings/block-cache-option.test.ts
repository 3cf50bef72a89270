import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import {
  DEFAULT_BLOCK_CACHE_BYTES,
  heapBytes,
  parseBlockCacheShare,
} from '../../../src/cli/settings/block-cache-option.ts'
import { parsedSettings } from '../parsed-settings.ts'

test("HBase's setting is a share of a quarter of the memory", () => {
  const share = Math.floor(0.4 * heapBytes())
  expect(parseBlockCacheShare('0.4')).toBe(share)
  expect(parseBlockCacheShare('0.2f')).toBeCloseTo(share / 2, -2)
  expect([parseBlockCacheShare('0'), parseBlockCacheShare('.4')]).toEqual([0, share])
  for (const text of ['', '1.1', '-0.1', 'many', '0.4x'])
    expect(() => parseBlockCacheShare(text)).toThrow('a share from 0 to 1')
})

test('flag, and config file', () => {
  expect(parsedSettings('--block-cache', '64m').blockCacheBytes).toBe(64 * 1024 ** 2)
  expect(parsedSettings().blockCacheBytes).toBe(DEFAULT_BLOCK_CACHE_BYTES)
  expect(parsedSettings('--memory-max', '1g').blockCacheBytes).toBe(
    Math.floor(((1024 - 160) * 1024 ** 2) / 5),
  )
  const folder = mkdtempSync(join(tmpdir(), 'tidegate-'))
  try {
    const site = join(folder, 'hbase-site.xml')
    const property = '<property><name>hfile.block.cache.size</name><value>0.2</value></property>'
    writeFileSync(site, `<configuration>${property}</configuration>`)
    expect(parsedSettings('--config', site).blockCacheBytes).toBe(parseBlockCacheShare('0.2'))
    expect(parsedSettings('--config', site, '--block-cache', '1m').blockCacheBytes).toBe(1024 ** 2)
  } finally {
    rmSync(folder, { recursive: true })
  }
})
