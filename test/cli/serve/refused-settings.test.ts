/** Settings of serve that are refused, with what to write in their place. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { parsedSettings } from '../parsed-settings.ts'

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tidegate-cli-'))
})

afterEach(() => {
  rmSync(folder, { recursive: true })
})

test('a config file that cannot be read is told with a remedy', () => {
  const [missing, remedy] = [join(folder, 'missing.xml'), 'name an hbase-site.xml with --config']
  expect(() => parsedSettings('--config', missing)).toThrow(
    `cannot be read: ${missing} is not there; ${remedy}`,
  )
  expect(() => parsedSettings('--config', folder)).toThrow(`cannot be read: ${folder} is a folder; ${remedy}`)
})

test('a store of no known form is told each form', () => {
  expect(() => parsedSettings('--store', 'natve:x')).toThrow(
    'native:DIRECTORY, hbase:HOST:PORT[,HOST:PORT...][/ZNODE], hbase (the cluster of the config file) or memory',
  )
})
