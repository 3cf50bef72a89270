/** Several servers in one destination. */

import { expect, test } from 'vitest'
import type { NamedBackup } from '../../../src/backup/destination.ts'
import { backupsOfServer } from '../../../src/cli/backup/chosen-server.ts'

function backup(name: string, clusterId: string, server: string): NamedBackup {
  const at = Date.UTC(2026, 10, 30)
  const facts = { format: 1, at, clusterId, server, tables: [], missing: [], files: [] } as const
  return { name, backup: { ...facts, bytes: 0, newBytes: 0 } }
}

const MIXED = [
  backup('1', 'c1', 'rpc:db1:16020'),
  backup('2', 'c2', 'rpc:db2:16020'),
  backup('3', 'c1', 'native:/store on db1'),
  backup('4', 'c3', 'rpc:db2:16020'),
]

function chosen(server?: string, backups: readonly NamedBackup[] = MIXED): string[] {
  return backupsOfServer('/dest', backups, server).map(({ name }) => name)
}

test('one server needs no name, and has all its backups under each of its names', () => {
  expect(chosen(undefined, MIXED.slice(0, 1))).toEqual(['1'])
  expect(chosen(undefined, [])).toEqual([])
  expect(chosen('rpc:db1:16020')).toEqual(['1', '3'])
  expect(chosen('native:/store on db1')).toEqual(['1', '3'])
  expect(chosen('c2')).toEqual(['2'])
})

test.each([
  [undefined, '/dest has backups of 3 servers: say which one by --server NAME'],
  [undefined, 'native:/store on db1 (cluster id c1, last backup 2026-11-30 00:00:00 UTC)'],
  ['rpc:db3:16020', '/dest has no backup of rpc:db3:16020, but of native:/store on db1'],
  ['rpc:db2:16020', '2 servers in /dest have had the name rpc:db2:16020: say which one by its cluster id'],
])('%s is refused: %s', (server, reason) => {
  expect(() => chosen(server)).toThrow(reason)
})
