/** The port of the master depends on that of native RPC, whose second port it is. */

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { inTemporaryFolder } from '../../harness/tidegate-process.ts'
import { parsedSettings } from '../parsed-settings.ts'

test.each([
  ['16020', [], 16000],
  ['0', [], 'off'],
  ['16021', [], 'off'],
  ['off', [], 'off'],
  ['0', ['--master', '0'], 0],
  ['16020', ['--master', 'off'], 'off'],
  ['off', ['--master', 'off'], 'off'],
])('--rpc %s %j: the port of the master is %s', (rpc, more, port) => {
  expect(parsedSettings('--rpc', rpc, ...more).ports.master).toBe(port)
})

test('without native RPC there is no port of the master', () => {
  expect(() => parsedSettings('--rpc', 'off', '--master', '0')).toThrow('give --rpc a port')
})

test('hbase.master.port is the port of the master, and in front of a cluster the cluster’s', () =>
  inTemporaryFolder(async (folder) => {
    const file = join(folder, 'hbase-site.xml')
    const property = '<property><name>hbase.master.port</name><value>17000</value></property>'
    writeFileSync(file, `<configuration>${property}</configuration>`)
    expect(parsedSettings('--rpc', '0', '--config', file).ports.master).toBe(17000)
    expect(parsedSettings('--rpc', 'off', '--config', file).ports.master).toBe('off')
    expect(parsedSettings('--store', 'hbase:zk:2181', '--rpc', '0', '--config', file).ports.master).toBe(
      'off',
    )
  }))
