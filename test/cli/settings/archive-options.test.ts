/** The settings of the archived log. */

import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { parsedSettings } from '../parsed-settings.ts'

test('without the folder there is no archive', () => {
  expect(parsedSettings().archive).toBeUndefined()
})

test.each(['--archive-log-every=1s', '--archive-log-keep=4g', '--archive-log-limit=50m'])(
  '%s is refused without the folder, also where it is the default',
  (flag) => {
    expect(() => parsedSettings(flag)).toThrow(`${flag.replace(/=.*/, '')} needs --archive-log FOLDER`)
  },
)

test('the folder is a path of this machine, and the others have defaults', () => {
  expect(
    parsedSettings('--archive-log=backups', '--archive-log-every=5m', '--archive-log-keep=1g').archive,
  ).toEqual({
    folder: resolve('backups'),
    everyMs: 300_000,
    keepBytesMax: 1024 ** 3,
    bytesPerSecond: 50 * 1024 ** 2,
  })
})

test.each([
  ['--store=memory', '--archive-log=backups', 'the memory store has no log'],
  ['--store=hbase:127.0.0.1:2181', '--archive-log=backups', "by HBase's means"],
  ['--store=native:data', '--archive-log=data/backups', 'is in the folder of the store'],
  ['--store=native:data', '--archive-log=data', 'is in the folder of the store'],
  ['--store=native:data', '--archive-log=', 'A path is missing'],
  ['--archive-log=b', '--archive-log-limit=0', 'nothing would ever be moved'],
  [
    '--archive-log=b',
    '--archive-log-every=5',
    'It must be 100 ms at least, and a number alone is milliseconds: write 5 seconds as 5s',
  ],
])('%s with %s is refused', (store, archive, reason) => {
  expect(() => parsedSettings(store, archive)).toThrow(reason)
})

test('a folder whose name begins as that of the store is another one', () => {
  expect(parsedSettings('--store=native:data', '--archive-log=data2').archive).toBeDefined()
})
